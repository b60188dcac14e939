import stringWidth from 'string-width'
import { joined, type Printable } from './printable.js'
import { made } from './printable-maker.js'

/** A text gets at least this many cells, even on a narrow screen. */
const MIN_TEXT = 16

/** Cells that a text takes in a terminal, by graphemes. */
export function cells(printable: Printable | string): number {
  const text = String(printable)
  return isPlainAscii(text) ? text.length : stringWidth(text)
}

function isPlainAscii(text: string) {
  return /^[\u0020-\u007e]*$/u.test(text)
}

/** The graphemes of a text. Plain ASCII needs no segmenter, which is slow to load. */
function graphemes(text: string): readonly string[] {
  if (isPlainAscii(text)) return [...text]
  return Array.from(
    new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  )
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Isolates right-to-left text, so that the text beside it keeps its place. */
function isolated(text: string): Printable {
  return made(RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)
}

/** Shortens a text at its end to at most `width` cells, including the mark of the cut. */
export function shorten(
  input: Printable | string,
  width: number,
  letters?: { readonly ascii: boolean },
): Printable {
  const text = joined([input])
  const mark = letters?.ascii === true ? '...' : '…'
  if (cells(text) <= width) return isolated(String(text))
  const available = width - cells(mark)
  if (available <= 0) return made(mark.slice(0, Math.max(width, 0)))
  let kept = ''
  let used = 0
  for (const segment of graphemes(String(text))) {
    const size = cells(segment)
    if (used + size > available) break
    kept += segment
    used += size
  }
  return isolated(kept.trimEnd() + mark)
}

export function pad(
  input: Printable | string,
  width: number,
  align: 'left' | 'right' = 'left',
): Printable {
  const text = joined([input])
  const blanks = ' '.repeat(Math.max(0, width - cells(text)))
  return made(align === 'left' ? `${text}${blanks}` : `${blanks}${text}`)
}

export function trimmed(text: Printable): Printable {
  return made(String(text).trimEnd())
}

/**
 * Breaks a text at blanks into lines of at most `width` cells. A longer word is shortened; if
 * `letters` is null, it stays whole.
 */
export function wrap(
  input: Printable | string,
  width: number,
  letters?: Parameters<typeof shorten>[2] | null,
): Printable[] {
  const lines: string[] = []
  let line = ''
  for (const word of String(joined([input])).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    // A word that is too long for any line stays on the current line, which would else be short.
    const overflowsAnyway = letters === null && line !== '' && cells(word) > width
    if (cells(longer) <= width || overflowsAnyway) {
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
 * A text after a label of `indent` cells; further lines are indented below the first. A word that
 * is too long for a line stays whole.
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
