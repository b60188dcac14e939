import { parseAnsiSequences } from 'ansi-sequence-parser'
import { cells } from '../../../cli/src/io/width.js'

const cell = { width: 8.4, height: 20 }
const margin = { side: 20, top: 48, bottom: 18 }
const colors: Readonly<Record<string, string>> = {
  red: '#ff7b72',
  green: '#3fb950',
  yellow: '#d9a53a',
  magenta: '#c297ff',
  cyan: '#4cc9d6',
}

/**
 * A terminal's screen as an SVG picture: `command` after a prompt, then the lines of its output.
 */
export function picture(command: string, lines: readonly string[], columns: number): string {
  const rows = [`\u001b[2m$\u001b[22m ${command}`, ...lines]
  const width = Math.ceil(columns * cell.width + 2 * margin.side)
  const height = rows.length * cell.height + margin.top + margin.bottom
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, index) => `<circle cx="${24 + 20 * index}" cy="22" r="6" fill="${color}"/>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(command)}</title>`,
    `<rect width="100%" height="100%" rx="10" fill="#11151c"/>`,
    ...dots,
    `<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...rows.flatMap((row, index) => texts(row, margin.top + (index + 0.75) * cell.height)),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

/**
 * Each run of one style has the position and the width of its cells, so that the picture looks the
 * same in every font.
 */
function texts(row: string, y: number): string[] {
  let column = 0
  return parseAnsiSequences(row).flatMap(({ value, foreground, decorations }) =>
    value.split(/(?<= {2})(?=\S)/u).flatMap((part) => {
      const shown = part.trim()
      const x = margin.side + (column + cells(part) - cells(part.trimStart())) * cell.width
      column += cells(part)
      if (shown === '') return []
      const style = [
        foreground?.type === 'named' ? ` fill="${colors[foreground.name] ?? '#e6edf3'}"` : '',
        decorations.has('dim') ? ' fill="#8d96a0"' : '',
        decorations.has('bold') ? ' font-weight="bold"' : '',
      ].join('')
      const width = (cells(shown) * cell.width).toFixed(1)
      return `<text x="${x.toFixed(1)}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs"${style}>${escapeXml(shown)}</text>`
    }),
  )
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
