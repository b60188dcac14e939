import { cutAround } from './log-lines.js'
import { isSilent, type ReadLog, tellingLine } from './read-log.js'

/** The line of a log in a sentence has at most so many characters. */
export const LONGEST_REASON = 200

/** What tools print in front of the name of a failed test. */
export const FAILED_TEST =
  /^\s*(?:FAIL(?:ED)?:?|--- FAIL:|not ok \d{1,6}(?: -)?|\d{1,5}\)|[✗✘✖✕×❌●])\s+/u
/** Marks in front of other lines. */
const MARKS = /^[\s|│>]+/u
/** The name of the test is at most so many lines above its error. */
const NAME_ABOVE = 3

/** The most telling line of a log, behind the name of the test that failed there; or null. */
export function lineThatTells(log: ReadLog): string | null {
  const line = isSilent(log) ? null : tellingLine(log)
  if (line === null) return null
  const text = cutAround(line.text, line.at, LONGEST_REASON).text
  const error = text.replace(FAILED_TEST, '').replace(MARKS, '').trim()
  if (FAILED_TEST.test(line.text)) return error
  const index = log.lines.indexOf(line)
  const above = log.lines.slice(Math.max(0, index - NAME_ABOVE), index)
  const named = above.findLast((each) => FAILED_TEST.test(each.text))?.text ?? ''
  const name = cutAround(named.replace(FAILED_TEST, '').trim(), 0, LONGEST_REASON / 2).text
  return name === '' || error.includes(name) ? error : `${name}: ${error}`
}
