import type { Failure, FailureCode } from '../domain/decision.js'
import { StoreError } from '../store/errors.js'
import { oauthErrorBody } from './oauth-failure.js'

/** How a refusal is put into words: as REST, OAuth (RFC 6749 §5.2), GraphQL or the control API has it. */
export type FailureShape = 'rest' | 'oauth' | 'graphql' | 'control'

export interface FailureAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const statuses: Readonly<Record<FailureCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  invalid_request: 400,
  // 401 beside a challenge, which answers an Authorization header only (RFC 6749 §5.2).
  invalid_client: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  server_error: 503,
  temporarily_unavailable: 429,
}

/** GraphQL refuses these in REST's words. */
const likeRest: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'unauthorized',
  'forbidden',
  'insufficient_scope',
  'method_not_allowed',
  'rate_limited',
])

const retryLater: Readonly<Record<string, string>> = { 'Retry-After': '5' }

/** Maps a refusal once: status, headers and body in the caller's dialect. */
export function failureAnswer(failure: Failure, shape: FailureShape): FailureAnswer {
  const status =
    failure.code === 'invalid_client' && failure.headers?.['WWW-Authenticate'] ? 401 : statuses[failure.code]
  const headers = { ...(status === 503 ? retryLater : {}), ...failure.headers }
  return { status, headers, body: bodies[shape](failure) }
}

const bodies: Readonly<Record<FailureShape, (failure: Failure) => unknown>> = {
  rest: ({ message, errors, body }) => ({ message, ...(errors && { errors }), ...body }),
  oauth: oauthErrorBody,
  graphql: (failure) =>
    likeRest.has(failure.code) ? bodies.rest(failure) : { errors: [{ message: failure.message }] },
  control: ({ message, errors, body }) => ({ message, ...(errors && { errors }), ...body }),
}

/** What an exception means to the caller; anything unforeseen is a bug of ours. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StoreError && error.code === 'reset') return { code: 'conflict', message: 'Sandbox was reset' }
  if (error instanceof StoreError && error.code === 'unavailable') {
    return { code: 'unavailable', message: 'Service unavailable', detail: String(error.cause) }
  }
  if (error instanceof StoreError && error.code === 'unwritable')
    return { code: 'unprocessable', message: error.message }
  return { code: 'internal', message: 'Internal server error' }
}
