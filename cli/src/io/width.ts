import stringWidth from 'string-width'
import { joined, type Printable } from './printable.js'
import { made } from './printable-maker.js'

/** A text gets so many cells, however narrow the screen is. */
const MIN_TEXT = 16

/** Cells that a text takes in a terminal, by graphemes. */
export function cells(printable: Printable | string): number {
  const text = String(printable)
  return isPlainAscii(text) ? text.length : stringWidth(text)
}

function isPlainAscii(text: string) {
  return /^[\u0020-\u007e]*$/u.test(text)
}

/** What a reader takes for one character each. A segmenter loads much, so plain text makes none. */
function graphemes(text: string): readonly string[] {
  if (isPlainAscii(text)) return [...text]
  return Array.from(
    new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  )
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * Text from right to left, isolated: what stands beside it in a row keeps its place. Other text is
 * as it was.
 */
function isolated(text: string): Printable {
  return made(RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)
}

/**
 * Shortens a text of a row at its end so that it takes at most `width` cells, the mark of the cut
 * included.
 */
export function shorten(
  given: Printable | string,
  width: number,
  letters?: { readonly ascii: boolean },
): Printable {
  const text = joined([given])
  const mark = letters?.ascii === true ? '...' : '…'
  if (cells(text) <= width) return isolated(String(text))
  const room = width - cells(mark)
  if (room <= 0) return made(mark.slice(0, Math.max(width, 0)))
  let kept = ''
  let used = 0
  for (const segment of graphemes(String(text))) {
    const size = cells(segment)
    if (used + size > room) break
    kept += segment
    used += size
  }
  return isolated(kept.trimEnd() + mark)
}

export function pad(
  given: Printable | string,
  width: number,
  align: 'left' | 'right' = 'left',
): Printable {
  const text = joined([given])
  const blanks = ' '.repeat(Math.max(0, width - cells(text)))
  return made(align === 'left' ? `${text}${blanks}` : `${blanks}${text}`)
}

export function trimmed(text: Printable): Printable {
  return made(String(text).trimEnd())
}

/**
 * Breaks a text at blanks into lines of at most `width` cells; a longer word is shortened, or stays
 * whole for null.
 */
export function wrap(
  given: Printable | string,
  width: number,
  letters?: Parameters<typeof shorten>[2] | null,
): Printable[] {
  const lines: string[] = []
  let line = ''
  for (const word of String(joined([given])).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    // A word that is too long for every line overflows wherever it stands; it need not leave a
    // short line behind.
    if (cells(longer) <= width || (letters === null && line !== '' && cells(word) > width)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = letters === null ? word : String(shorten(made(word), width, letters))
  }
  lines.push(line)
  return lines.map(made)
}

/**
 * A text behind a label of `indent` cells, each further line under the first; a word too long for a
 * line stays whole.
 */
export function hanging(
  label: Printable,
  indent: number,
  text: Printable,
  width: number,
): Printable[] {
  return wrap(text, Math.max(width - indent, MIN_TEXT), null).map((line, at) =>
    made(`${at === 0 ? label : ' '.repeat(indent)}${line}`),
  )
}

export function split(text: Printable): Printable[] {
  return String(text).split('\n').map(made)
}
