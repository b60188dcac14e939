import type { HttpAnswer } from '../http/body.js'
import { errorDescription, errorWord } from './oauth-answer.js'

/** What the caller of a token exchange sent, as far as a hint may repeat it. */
export interface HintFacts {
  readonly aud: string
  readonly audience: string
}

type Hint = readonly [error: string, description: RegExp, text: (facts: HintFacts) => string]

const hints: readonly Hint[] = [
  [
    'invalid_client',
    /aud claim/,
    ({ aud }) =>
      `The aud claim was exactly ${aud}, and the server compares strings; see the options authUrl and aud`,
  ],
  [
    'invalid_client',
    /(exp|iat|nbf) claim/,
    () => "This machine's clock and the server's differ; set the clock",
  ],
  [
    'invalid_client',
    /contain a jti/,
    () => 'The organization requires a jti: let the jti option return a new text for each call',
  ],
  [
    'invalid_client',
    /already been used/,
    () => 'The jti option must return another text for each call',
  ],
  [
    'invalid_client',
    /signature/,
    () =>
      'client_id must name the application whose key set holds the public half of this very key, under its kid',
  ],
  [
    'invalid_scope',
    /exceed/,
    () => 'Request fewer scopes, or add these to the grantable scopes of the application',
  ],
  [
    'invalid_scope',
    /no default|no scope/,
    () => 'Pass the scopes: the application has no default scopes',
  ],
  [
    'invalid_target',
    /.*/,
    ({ audience }) =>
      `The audience must be the organization's slug, as in its URL; it was ${JSON.stringify(audience)}`,
  ],
  [
    'unsupported_grant_type',
    /.*/,
    () => 'An administrator of the organization must enable token exchange',
  ],
  [
    'invalid_request',
    /member/,
    ({ audience }) =>
      `The server does not say which of these is missing: a user with this address, a verified address, or an active membership in ${JSON.stringify(audience)}`,
  ],
]

/** The server's sentence as it is matched: servers differ in case and in backticks. */
export function plain(description: string): string {
  return description.toLowerCase().replaceAll('`', '')
}

/** What usually helps against this refusal; undefined when nothing is known. */
export function exchangeHint(
  error: string,
  description: string,
  facts: HintFacts,
): string | undefined {
  const text = plain(description)
  return hints.find(([word, pattern]) => word === error && pattern.test(text))?.[2](facts)
}

const namedSkewMs = 5_000
const unnamedSkewMs = 30_000
const longestSkewMs = 24 * 3_600_000

/** The server's clock minus ours, by the answer's `Date`; undefined when it teaches nothing. */
function offsetOf(answer: HttpAnswer, now: number): number | undefined {
  const date = answer.header('date')
  if (
    date === undefined ||
    !/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(date)
  )
    return undefined
  const offsetMs = Date.parse(date) - now
  return Math.abs(offsetMs) <= longestSkewMs ? offsetMs : undefined
}

/**
 * The offset worth another signature: the client was refused, and a time claim is named or the
 * clocks are far apart.
 */
export function offsetToTry(
  answer: HttpAnswer,
  usedOffsetMs: number,
  now: number,
): number | undefined {
  if (errorWord(answer) !== 'invalid_client') return undefined
  const offsetMs = offsetOf(answer, now)
  if (offsetMs === undefined) return undefined
  const named = /\b(exp|iat|nbf) claim/.test(plain(errorDescription(answer)))
  return Math.abs(offsetMs - usedOffsetMs) >= (named ? namedSkewMs : unnamedSkewMs)
    ? offsetMs
    : undefined
}
