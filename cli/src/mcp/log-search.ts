import { sizeOf } from './answer.js'
import {
  type CleanText,
  type LineCollector,
  type RawLine,
  searchedTexts,
  shownTexts,
} from './log-lines.js'

/** Characters that are shown before and after a text that was found in a long line. */
const AROUND = 200
/** A longer line is cut around what was found. */
const LONGEST_LINE = 500
/** The most places of one line that are shown. */
const MOST_PLACES = 5

/** A line with one of the texts, and the lines around it that no other match shows. */
interface LogMatch {
  /** The first byte of the line. */
  readonly byte: number
  readonly text: string
  before: string[]
  after: string[]
}

export interface LogSearch {
  readonly texts: readonly string[]
  /** Lines that are shown before and after a match. */
  readonly around: number
}

/** Collects the lines with one of the texts, in any case, as many as fit in `maxBytes` of JSON. */
export function searchCollector(
  { texts, around }: LogSearch,
  clean: CleanText,
  maxBytes: number,
): LineCollector {
  const wanted = texts.map(lowered)
  const longest = Math.max(...wanted.map(({ length }) => length))
  const matches: LogMatch[] = []
  /** The last lines that no match shows. */
  let before: RawLine[] = []
  /** The end of a line that is not over: a text may begin there. */
  let openEnd = ''
  let left = maxBytes

  function brief(line: RawLine): string[] {
    return shownTexts(line, clean).map((text) => {
      return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text
    })
  }

  function find(line: RawLine): string | null {
    for (const text of searchedTexts({ ...line, raw: openEnd + line.raw }, clean)) {
      const found = cutAround(text, wanted)
      if (found !== null) return found
    }
    return null
  }

  function skip(line: RawLine): void {
    before.push(line)
    if (before.length > around) before.shift()
  }

  function showAround(line: RawLine): void {
    const after = matches.at(-1)?.after
    if (after === undefined || after.length >= around) {
      skip(line)
      return
    }
    const shown = brief(line)
    left -= sizeOf(shown)
    if (left > 0) after.push(...shown)
  }

  return {
    skip,
    add(line) {
      const text = find(line)
      openEnd = line.isOpen ? line.raw.slice(-longest) : ''
      if (text === null) {
        showAround(line)
        return true
      }
      const match = { byte: line.start, text, before: before.flatMap(brief), after: [] }
      const isFirst = matches.length === 0
      while (isFirst && sizeOf(match) > left && match.before.length > 0) match.before.shift()
      left -= sizeOf(match)
      if (left < 0 && !isFirst) return false
      before = []
      matches.push(match)
      return true
    },
    record: () => ({ matches: matches.map(withoutEmptyLists) }),
  }
}

function withoutEmptyLists(match: LogMatch) {
  return Object.fromEntries(
    Object.entries(match).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  )
}

/** A line with one of the texts, cut around the first places; null if it has none of them. */
function cutAround(line: string, texts: readonly string[]): string | null {
  const lower = lowered(line)
  let place = nextPlace(lower, texts, 0)
  if (place === null || line.length <= LONGEST_LINE) return place === null ? null : line
  let shown = ''
  let end = 0
  for (let places = 0; place !== null && places < MOST_PLACES; places++) {
    const start = Math.max(end, place.at - AROUND)
    shown += `${start > end ? '…' : ''}`
    end = Math.min(line.length, place.end + AROUND)
    shown += line.slice(start, end)
    place = nextPlace(lower, texts, end)
  }
  return end < line.length ? `${shown}…` : shown
}

/** The first of the texts at an index or behind it. */
function nextPlace(line: string, texts: readonly string[], from: number) {
  const places = texts.flatMap((text) => {
    const at = line.indexOf(text, from)
    return at === -1 ? [] : [{ at, end: at + text.length }]
  })
  return places.sort((one, other) => one.at - other.at)[0] ?? null
}

/** The text in lower case, of the same length: a few letters have a longer lower case. */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replace(/./gsu, (letter) => {
    const lowerLetter = letter.toLowerCase()
    return lowerLetter.length === letter.length ? lowerLetter : letter
  })
}
