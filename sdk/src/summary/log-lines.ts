import { dropEscapes, logLine, type LogLine as RawLogLine } from '../contract/log-lines.js'
import { TELLING } from './loud-words.js'
import { loudness } from './loudness.js'
import { cutText, plain } from './text.js'

/** A line of a log as a reader sees it: no escapes, no tabs, and cut if it is long. */
export interface LogLine {
  /** Counted from 1, in the part of the log that was read. */
  readonly number: number
  readonly text: string
  /** How much it says about a failure; 0 for nothing. */
  readonly level: number
  /** Where its most telling word begins in `text`. */
  readonly at: number
}

const RED =
  /\u001b\[(?:\d{1,3};){0,3}(?:31|91|38;5;(?:1|9|124|160|196|203))(?:;\d{1,3}){0,3}m[^\u001b\r]/u
/** A minified line says nothing after so many characters. */
const LONGEST_LINE = 400
/** Characters in front of the telling word that a cut keeps. */
const BEFORE = 120
/** At most this many different earlier states of a line are read. */
const MOST_STATES = 300
const TAB = 8

/**
 * The lines that a raw line makes: the states that were overwritten and are telling, then the last
 * state.
 */
export function shownLines(raw: string): Omit<LogLine, 'number'>[] {
  const line = logLine(raw, 'colors')
  return [...tellingStates(line), line.text].map(shown)
}

/**
 * Finds what a progress bar drew over: the earlier states of a line of a log that say that
 * something failed.
 *
 * @param line - A line as `logLines` of `@buildwire/sdk/contract` reads it.
 * @returns The states, the oldest first. States that differ only in numbers are one.
 *
 * @example
 * ```ts
 * import { tellingStates } from '@buildwire/sdk'
 * import { logLine } from '@buildwire/sdk/contract'
 *
 * console.log(tellingStates(logLine('ERROR: checksum mismatch\r100%'))) // ['ERROR: checksum mismatch']
 * ```
 */
export function tellingStates(line: Pick<RawLogLine, 'earlier'>): string[] {
  return distinctStates(line.earlier()).filter((state) => shown(state).level >= TELLING)
}

/** The states that differ in more than numbers. */
function distinctStates(states: Iterable<string>): string[] {
  const distinct = new Map<string, string>()
  for (const state of states) {
    if (distinct.size >= MOST_STATES) break
    distinct.set(state.replace(/\d+/gu, '0'), state)
  }
  return [...distinct.values()]
}

function shown(state: string): Omit<LogLine, 'number'> {
  const text = expandTabs(plain(dropEscapes(state))).trimEnd()
  const { level, at } = loudness(text, RED.test(state))
  return { level, ...cutAround(text, at, LONGEST_LINE) }
}

/** At most about `most` characters of a line, with its telling word among them. */
export function cutAround(text: string, at: number, most: number): { text: string; at: number } {
  if (text.length <= most) return { text, at }
  const start = Math.max(0, Math.min(at - Math.min(BEFORE, most / 3), text.length - most))
  if (start < 1) return { text: cutText(text, most), at }
  const from = Math.floor(start)
  const rest = text.slice(from).replace(/^\p{Surrogate}/u, '')
  return { text: `…${cutText(rest, most)}`, at: at - from + 1 }
}

/** Tabs become blanks up to the next column that 8 divides. */
function expandTabs(text: string): string {
  if (!text.includes('\t')) return text
  let column = 0
  return text
    .split('\t')
    .map((part, index, { length }) => {
      column += part.length
      if (index === length - 1) return part
      const blanks = TAB - (column % TAB)
      column += blanks
      return part + ' '.repeat(blanks)
    })
    .join('')
}
