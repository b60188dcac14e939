import { dropControls } from './machine.js'

/** One field of a tab-separated line: null is empty, `\`, tab and line ends are escaped, other controls dropped. */
function tsvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return dropControls(
    text.replace(/[\\\t\n\r]/gu, (character) => {
      if (character === '\t') return '\\t'
      if (character === '\n') return '\\n'
      return character === '\r' ? '\\r' : '\\\\'
    }),
  )
}

/** One record as one line, its line end included. */
export function tsvLine(values: readonly unknown[]): string {
  return `${values.map(tsvField).join('\t')}\n`
}
