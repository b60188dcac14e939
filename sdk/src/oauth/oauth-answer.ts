import { InvalidResponseError, isCiError, OAuthError } from '../errors/errors.js'
import { redactHeaders, serverText } from '../errors/redact.js'
import { contentType, type HttpAnswer, kindOf, type RequestName } from '../http/body.js'
import type { RefusedCall } from '../http/call.js'
import { record } from '../http/rate-limit.js'
import { isTransient } from '../http/retry.js'

/**
 * The `error` word of RFC 6749 §5.2, whatever the status. A sentence, as gateways put there, is
 * none: the status judges that.
 */
export function errorWord(answer: HttpAnswer): string | undefined {
  const word = record(answer.body)['error']
  return typeof word === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word) ? word : undefined
}

/** The server's own sentence about its error word, as it came: for matching, not for showing. */
export function errorDescription(answer: HttpAnswer): string {
  const text = record(answer.body)['error_description']
  return typeof text === 'string' ? text : ''
}

const transientWords = new Set(['server_error', 'temporarily_unavailable'])

export function isPassingRefusal(answer: HttpAnswer): boolean {
  const word = errorWord(answer)
  return word === undefined ? isTransient(answer.status) : transientWords.has(word)
}

const finalWords = new Set([
  'invalid_client',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
])

/** Whether the same request cannot succeed a moment later, whatever its grant is. */
export function isFinal(error: unknown): boolean {
  return isCiError(error, 'oauth_error') && finalWords.has(error.error)
}

/** RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5, RFC 8693 §2.2.2. */
const knownWords = new Set([
  ...finalWords,
  ...transientWords,
  'access_denied',
  'authorization_pending',
  'expired_token',
  'invalid_grant',
  'slow_down',
])

export function oauthError(
  answer: HttpAnswer,
  advice: string | undefined,
  refused: RefusedCall,
): OAuthError {
  const { call, sent, secrets, retryAfterMs } = refused
  const { status } = answer
  const word = errorWord(answer) ?? ''
  // A caller decides by the word, so a secret that happens to be part of a known one does not
  // change it.
  const error = knownWords.has(word) ? word : serverText(word, secrets)
  const serverMessage = serverText(errorDescription(answer), secrets) || undefined
  return new OAuthError(
    `${call.asked} answered ${status}: ${[error, serverMessage].filter(Boolean).join('; ')}`,
    {
      error,
      serverMessage,
      status,
      operationId: call.operationId,
      sent,
      advice,
      retryAfterMs: retryAfterMs > 0 ? retryAfterMs : undefined,
      headers: redactHeaders(answer.entries(), secrets),
    },
  )
}

/** The object of a success. @throws InvalidResponseError that says what was expected */
export function successBody(
  answer: HttpAnswer,
  { asked, operationId }: RequestName,
  expected: string,
): Readonly<Record<string, unknown>> {
  const { body } = answer
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return record(body)
  const got = gotInstead(answer)
  const summary = `${asked} answered ${answer.status} with ${got}; expected ${expected}`
  throw new InvalidResponseError(summary, { operationId, expected, got })
}

function gotInstead(answer: HttpAnswer): string {
  if (answer.body !== undefined) return `JSON that is ${kindOf(answer.body)}`
  const type = contentType(answer)
  const length = answer.text?.length ?? 0
  return length === 0
    ? 'an empty body'
    : `${length} characters${type === '' ? '' : ` of type ${type}`} that are not JSON`
}

/** What usually helps against `invalid_client`, where the client has no key. */
export const clientAdvice =
  'Check client_id; a confidential application also sends its client_secret'
