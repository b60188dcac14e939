import { dropEscapes } from '@buildwire/sdk/contract'
import stringWidth from 'string-width'
import { joined, type Printable } from './printable.js'
import { made } from './printable-maker.js'

/** A text gets at least this many cells, even on a narrow screen. */
const MIN_TEXT = 16
/** The characters that a segmenter gets at once. */
const PIECE = 512

/**
 * Cells that a text takes in a terminal, by graphemes. The rest of a long text that takes more than
 * `most` is not counted.
 */
export function cells(printable: Printable | string, most = Number.POSITIVE_INFINITY): number {
  const text = String(printable)
  if (isPlainAscii(text)) return text.length
  if (text.length <= PIECE) return stringWidth(text)
  let width = 0
  for (const piece of segmentPieces(dropEscapes(text))) {
    width += stringWidth(piece.map(({ segment }) => segment).join(''))
    if (width > most) break
  }
  return width
}

function isPlainAscii(text: string) {
  return /^[\u0020-\u007e]*$/u.test(text)
}

/** The graphemes of a text. Plain ASCII needs no segmenter, which is slow to load. */
function* graphemes(text: string): Generator<string> {
  if (isPlainAscii(text)) return yield* text
  for (const piece of segmentPieces(text)) for (const { segment } of piece) yield segment
}

/** Made at its first use. */
let segmenter: Intl.Segmenter | undefined

/**
 * Segments a text piece by piece: the time of `Intl.Segmenter` grows with the square of the text
 * that it gets. A character of more than 512 UTF-16 units is split.
 */
function* segmentPieces(text: string): Generator<readonly Intl.SegmentData[]> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (let from = 0; from < text.length; ) {
    const next = text.charCodeAt(from + PIECE)
    const isSplit = next >= 0xdc00 && next <= 0xdfff
    const piece = text.slice(from, from + PIECE + (isSplit ? 1 : 0))
    const segments = [...segmenter.segment(piece)]
    const isEnd = from + piece.length >= text.length
    // More text may belong to the last segment, so the next piece begins with it.
    if (!isEnd && segments.length > 1) segments.pop()
    yield segments
    from += segments.reduce((sum, { segment }) => sum + segment.length, 0)
  }
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
  if (cells(text, width) <= width) return isolated(String(text))
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
  const blanks = ' '.repeat(Math.max(0, width - cells(text, width)))
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
  let used = 0
  for (const word of String(joined([input])).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    const size = cells(word, width)
    const longerSize = line === '' ? size : used + 1 + size
    // A word that is too long for any line stays on the current line, which would else be short.
    const overflowsAnyway = letters === null && line !== '' && size > width
    if (longerSize <= width || overflowsAnyway) {
      line = longer
      used = longerSize
      continue
    }
    if (line !== '') lines.push(line)
    line = letters === null ? word : String(shorten(made(word), width, letters))
    used = letters === null ? size : cells(line)
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
