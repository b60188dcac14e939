import type { Answer } from '../http/body.js'
import { plain } from './exchange-hints.js'
import { errorDescription, errorWord } from './oauth-answer.js'

const namedSkewMs = 5_000
const unnamedSkewMs = 30_000
const longestSkewMs = 24 * 3_600_000

/** The server's clock minus ours, by the answer's `Date`; undefined when it teaches nothing. */
function offsetOf(answer: Answer, now: number): number | undefined {
  const date = answer.header('date')
  if (date === undefined || !/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(date)) return undefined
  const offsetMs = Date.parse(date) - now
  return Math.abs(offsetMs) <= longestSkewMs ? offsetMs : undefined
}

/**
 * The offset worth another signature: the server refused the client, and either names a time claim or its clock is far from the
 * one that the assertion was signed with. Undefined when time is not the trouble.
 */
export function offsetToTry(answer: Answer, usedOffsetMs: number, now: number): number | undefined {
  if (errorWord(answer) !== 'invalid_client') return undefined
  const offsetMs = offsetOf(answer, now)
  if (offsetMs === undefined) return undefined
  const named = /\b(exp|iat|nbf) claim/.test(plain(errorDescription(answer)))
  return Math.abs(offsetMs - usedOffsetMs) >= (named ? namedSkewMs : unnamedSkewMs) ? offsetMs : undefined
}
