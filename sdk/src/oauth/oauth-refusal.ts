import { ApiError, InvalidResponseError, OAuthError, type OAuthErrorFields, RateLimitError } from '../errors.js'
import { codeOfStatus } from '../http/api-error.js'
import { rateLimitDetails } from '../http/rate-limit.js'
import { isAmbiguous } from '../http/retry.js'
import { redactJson, redactUrl, serverText } from '../redact.js'
import type { OAuthAnswer, OAuthEndpoint } from './oauth-request.js'

/** What a refused request may say about itself. */
export interface RefusalContext {
  readonly endpoint: OAuthEndpoint
  readonly attempts: number
  readonly secrets: readonly string[]
}

/**
 * The `error` word of RFC 6749 §5.2, whatever the status; undefined when the answer has none. A sentence is no such word: gateways
 * answer `{"error":"Too Many Requests"}`, and that is judged by its status.
 */
export function errorWord(answer: OAuthAnswer): string | undefined {
  const word = answer.body.kind === 'object' ? answer.body.value['error'] : undefined
  return typeof word === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word) ? word : undefined
}

/** The server's own sentence about its error word, as it came: for matching, not for showing. */
export function errorDescription(answer: OAuthAnswer): string {
  const text = answer.body.kind === 'object' ? answer.body.value['error_description'] : undefined
  return typeof text === 'string' ? text : ''
}

/** RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5, RFC 8693 §2.2.2. */
const knownWords = new Set([
  'access_denied',
  'authorization_pending',
  'expired_token',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
])

/** The parts of an {@link OAuthError} for an answer with an `error` word. */
export function oauthFields(
  answer: OAuthAnswer,
  word: string,
  context: RefusalContext,
  advice?: string | undefined,
): { readonly summary: string; readonly fields: OAuthErrorFields } {
  // A caller decides by the word, so a secret that happens to be part of a known one does not change it.
  const error = knownWords.has(word) ? word : serverText(word, context.secrets)
  const description = serverText(errorDescription(answer), context.secrets)
  const serverMessage = description === '' ? undefined : description
  const summary = `${context.endpoint.asked} answered ${answer.status}: ${[error, serverMessage].filter(Boolean).join('; ')}`
  return {
    summary,
    fields: {
      error,
      serverMessage,
      status: answer.status,
      operationId: context.endpoint.operationId,
      sent: 'yes',
      advice,
      retryAfterMs: answer.waitMs > 0 ? answer.waitMs : undefined,
    },
  }
}

function oauthError(answer: OAuthAnswer, word: string, context: RefusalContext, advice?: string): OAuthError {
  const { summary, fields } = oauthFields(answer, word, context, advice)
  return new OAuthError(summary, fields)
}

/** What usually helps against `invalid_client`, where the client has no key. */
export const clientHint = 'Check client_id; a confidential application also sends its client_secret'

/** The object of a success. @throws What any other answer means: an `error` word at any status, then the status. */
export function successOf(
  answer: OAuthAnswer,
  expected: string,
  context: RefusalContext,
  hintFor: (word: string) => string | undefined,
): Readonly<Record<string, unknown>> {
  const word = errorWord(answer)
  if (word !== undefined) throw oauthError(answer, word, context, hintFor(word))
  const { status, body } = answer
  if (status >= 200 && status < 300 && body.kind === 'object') return body.value
  throw wordlessRefusal(answer, expected, context)
}

/** The error for an answer without an `error` word: by status, or InvalidResponseError for a 2xx. */
export function wordlessRefusal(
  answer: OAuthAnswer,
  expected: string,
  context: RefusalContext,
): ApiError | InvalidResponseError {
  const { endpoint, attempts, secrets } = context
  const { status, body, waitMs, requestId } = answer
  const success = status >= 200 && status < 300
  const got = body.kind === 'object' ? 'a JSON object without a message' : body.got
  if (success) {
    return new InvalidResponseError(`${endpoint.asked} answered ${status} with ${got}; expected ${expected}`, {
      operationId: endpoint.operationId,
      expected,
      got,
    })
  }
  const { operationId, path } = endpoint
  const json = body.kind === 'object' ? redactJson(body.value, secrets) : undefined
  const said = body.kind === 'object' ? sentenceOf(body.value) : undefined
  const serverMessage = said === undefined ? undefined : serverText(said, secrets)
  const text = serverMessage === undefined ? `answered ${status} with ${got}` : `answered ${status}: ${serverMessage}`
  const fields = {
    status,
    operationId,
    method: 'POST',
    path,
    requestId,
    attempts,
    body: json,
    serverMessage,
    sent: isAmbiguous(status) ? 'unknown' : 'yes',
  } as const
  if (status === 429) {
    const { scope, limit } = rateLimitDetails({ status, header: answer.header, body: json })
    const details = { limit, scope: scope === undefined ? undefined : serverText(scope, secrets) }
    return new RateLimitError(`${endpoint.asked} ${text}`, { ...fields, ...details, retryAfterMs: waitMs })
  }
  const retryAfterMs = waitMs > 0 ? waitMs : undefined
  return new ApiError(`${endpoint.asked} ${text}`, {
    ...fields,
    advice: adviceFor(answer, endpoint),
    retryAfterMs,
    code: codeOfStatus(status),
  })
}

function sentenceOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const said = [body['message'], body['error_description'], body['error']]
  return said.find((text) => typeof text === 'string' && text !== '') as string | undefined
}

function adviceFor(answer: OAuthAnswer, endpoint: OAuthEndpoint): string | undefined {
  const { status } = answer
  if (status === 404 || status === 405) return 'Check authUrl'
  if (status < 300 || status >= 400) return undefined
  const target = answer.header('location')
  const known = target !== undefined && URL.canParse(target, endpoint.url)
  const place = known ? redactUrl(new URL(target, endpoint.url).origin) : 'nowhere'
  return `A redirect to ${place} is not followed, because it would carry the form's secrets there`
}
