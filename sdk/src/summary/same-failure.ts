import { locationIn } from './location.js'
import { CAUSE, DOING, TELLING } from './loud-words.js'
import type { ReadLog } from './read-log.js'
import { FAILED_TEST } from './telling-line.js'

/** The lines that name a failure, without what differs from run to run. */
export interface FailureLines {
  /** Normalized, at least one. */
  readonly lines: ReadonlySet<string>
  /** The file of the code in which it failed, normalized; null if the log names none. */
  readonly file: string | null
}

/** A log with more telling lines than this is not compared. */
const MOST_LINES = 200

/**
 * The lines of a log that say why a job failed: the telling ones, and those that name a test that
 * failed.
 *
 * @returns Null if no line says why, or too many do.
 */
export function failureLines(log: ReadLog): FailureLines | null {
  // A line that says what is done may quote the message of a commit.
  const telling = log.lines.filter(({ level, text }) => level >= TELLING && !DOING.test(text))
  const named = log.lines.filter(({ level, text }) => level > 0 && FAILED_TEST.test(text))
  const introducing = new Set(telling.filter(({ text }) => text.endsWith(':')))
  const introduced = log.lines.filter((_, index) => {
    const before = log.lines[index - 1]
    return before !== undefined && introducing.has(before)
  })
  const lines = new Set([...telling, ...named, ...introduced].map(normalized))
  if (telling.length === 0 || lines.size > MOST_LINES) return null
  const location = locationIn(log)
  return { lines, file: location === null ? null : shortPath(location.file) }
}

/**
 * True if another log has each of the lines, and so names each of the failures. It may have more.
 */
export function hasSameFailure({ lines, file }: FailureLines, other: ReadLog): boolean {
  const known = new Set(other.lines.map(normalized))
  const hasFile = file === null || [...known].some((line) => line.includes(file))
  return hasFile && [...lines].every((line) => known.has(line))
}

const LEADING_TIME =
  /^\s*\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s{1,9}/u
const TIME =
  /(?<!\d)\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?!\d)/gu
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu
const HEX = /\b(?:0x[0-9a-f]{1,16}|[0-9a-f]{7,64})\b/giu
/** An absolute path, which begins where no other path or address does. */
const ABSOLUTE = /(?<![\w.@+~/\\:-])(?:[A-Za-z]:)?(?:[/\\][\w.@+~-]{1,200}){2,40}/gu
const DURATION =
  /(?<![\w.])(?:\d{1,5}[hm] ?){0,2}\d{1,9}(?:[.,:]\d{1,9}){0,2} ?(?:[mµun]?s|sec(?:ond)?s?|min(?:ute)?s?|m|h)(?![\w-])/gu
/** A duration at the end of a line or in brackets, which tools leave out if it is short. */
const ASIDE = /\s{0,9}(?:[([]\s?@\s?[)\]]|@\s{0,9}$)/gu
/** The line and the column behind the name of a file. */
const POSITION = /(?<=[\w)])(?::\d{1,7}){1,2}(?![\w.])|(?<=\w)[([]\d{1,7}(?:,\s?\d{1,5})?[)\]]/gu
/** What tools print between the mark of a test that failed and its name. */
const ORDINAL = /^\d{1,6} (?=\[)/u
/**
 * A number on its own. A digit in a name, in a version or in the code of an error is a part of it.
 */
const NUMBER =
  /(?<![\w$@^~.]|\w==)(?!\d{1,9}\.\d{1,9}\.\d{1,9}(?![.\d]))\d{1,30}(?:[.,:]\d{1,30}){0,9}(?!\w)/gu

/**
 * A line without times, ids, numbers and the directories of a machine. A line with the name of a
 * test keeps its numbers, since the rows of a table of tests differ in nothing else.
 */
function normalized({ text, level }: { readonly text: string; readonly level: number }): string {
  const start = text.replace(LEADING_TIME, '')
  const isName = FAILED_TEST.test(start) && level < CAUSE
  const words = start
    .replace(FAILED_TEST, '')
    .replace(ORDINAL, '')
    .replaceAll('file://', '')
    .replace(TIME, '#')
    .replace(UUID, '#')
    .replace(HEX, (word) => (/\d/u.test(word) ? '#' : word))
    .replace(ABSOLUTE, shortPath)
    .replace(DURATION, '@')
    .replace(ASIDE, '')
    .replace(POSITION, ':#')
  return (isName ? words : words.replace(NUMBER, '#')).replace(/\s+/gu, ' ').trim()
}

/** The file and its directory: the others may differ from agent to agent. */
function shortPath(path: string): string {
  return path.replace(/\\/gu, '/').split('/').filter(Boolean).slice(-2).join('/')
}
