import stringWidth from 'string-width'

/** A text gets so many cells, however narrow the screen is. */
const MIN_TEXT = 16

/** Cells that a text takes in a terminal, by graphemes. */
export function cells(text: string): number {
  return isPlainAscii(text) ? text.length : stringWidth(text)
}

function isPlainAscii(text: string): boolean {
  return /^[\u0020-\u007e]*$/u.test(text)
}

/** What a reader takes for one character each. A segmenter loads much, so plain text makes none. */
function graphemes(text: string): readonly string[] {
  if (isPlainAscii(text)) return [...text]
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
}

/** Shortens a text at its end so that it takes at most `width` cells, the mark included. */
export function shorten(text: string, width: number, mark = '…'): string {
  if (cells(text) <= width) return text
  const room = width - cells(mark)
  if (room <= 0) return mark.slice(0, Math.max(width, 0))
  let kept = ''
  let used = 0
  for (const segment of graphemes(text)) {
    const size = cells(segment)
    if (used + size > room) break
    kept += segment
    used += size
  }
  return kept.trimEnd() + mark
}

/** Fills a text with blanks to `width` cells, at its end or its start. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - cells(text)))
  return align === 'left' ? text + blanks : blanks + text
}

/** Rows of texts as lines in which the columns stand under each other. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => cells(row[column] ?? '')))
  const widths = (rows[0] ?? []).map((_, column) => width(column))
  return rows.map((row) =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Breaks a text at blanks into lines of at most `width` cells; a longer word is shortened, or whole without a mark. */
export function wrap(text: string, width: number, mark: string | null = '…'): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    // A word that is too long for every line overflows wherever it stands; it need not leave a short line behind.
    if (cells(longer) <= width || (mark === null && line !== '' && cells(word) > width)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = mark === null ? word : shorten(word, width, mark)
  }
  lines.push(line)
  return lines
}

/** A text behind a label of `indent` cells, each further line under the first; a word too long for a line stays whole. */
export function hanging(label: string, indent: number, text: string, width: number): string[] {
  return wrap(text, Math.max(width - indent, MIN_TEXT), null).map(
    (line, at) => (at === 0 ? label : ' '.repeat(indent)) + line,
  )
}
