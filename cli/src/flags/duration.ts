import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

const DURATION = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9}(?:\.\d{1,3})?)s)?(?:(\d{1,9})ms)?$/u

/**
 * Reads a length of time in milliseconds: `90s`, `15m`, `1h30m`, `200ms`; a bare number is seconds.
 */
export function parseDuration(text: string): number {
  if (/^\d{1,9}(?:\.\d{1,3})?$/u.test(text)) return positive(Number(text) * 1000, text)
  const match = DURATION.exec(text)
  if (match === null || text === '') {
    throw usageError(say`${JSON.stringify(text)} is not a duration; write 90s, 15m or 1h30m`)
  }
  const [, hours = '0', minutes = '0', seconds = '0', ms = '0'] = match
  return positive(
    Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(ms),
    text,
  )
}

function positive(ms: number, text: string): number {
  if (ms <= 0) throw usageError(say`${JSON.stringify(text)} is not a duration above zero`)
  return Math.round(ms)
}
