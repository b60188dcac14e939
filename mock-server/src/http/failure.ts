import { type Failure, type FailureCode, failureStatuses } from '../domain/decision.js'
import { StoreError } from '../store/errors.js'
import type { PathKind } from './target.js'

interface OAuthErrorBody {
  readonly error: string
  readonly error_description: string
}

function oauthError(error: string, error_description: string): OAuthErrorBody {
  return {
    error,
    error_description,
  }
}

const noForm = oauthError('invalid_request', 'The request must be a form POST')
const unreadable = oauthError('invalid_request', 'The request body could not be read')
const unavailable = oauthError('server_error', 'The service is temporarily unavailable')

/** OAuth errors for failures outside of OAuth itself, such as an unreadable body. */
const oauthErrors: Partial<Readonly<Record<FailureCode, OAuthErrorBody>>> = {
  bad_request: unreadable,
  uri_too_long: unreadable,
  request_timeout: unreadable,
  payload_too_large: unreadable,
  unsupported_media_type: unreadable,
  method_not_allowed: noForm,
  conflict: unavailable,
  unavailable,
  internal: unavailable,
  rate_limited: oauthError('temporarily_unavailable', 'Too many token requests'),
}

function oauthErrorBody({ code, message }: Failure): OAuthErrorBody {
  return oauthErrors[code] ?? oauthError(code === 'not_found' ? 'invalid_request' : code, message)
}

/** The failures that GraphQL reports in the format of REST. */
const likeRest = 'unauthorized forbidden insufficient_scope method_not_allowed rate_limited'.split(
  ' ',
)

const retryLater: Readonly<Record<string, string>> = { 'Retry-After': '5' }

/** Status, headers and body of a refusal, in the format of the API that serves the path. */
export function failureAnswer(failure: Failure, kind: PathKind) {
  const status =
    failure.code === 'invalid_client' && failure.headers?.['WWW-Authenticate']
      ? 401
      : failureStatuses[failure.code]
  const headers = { ...(status === 503 ? retryLater : {}), ...failure.headers }
  return { status, headers, body: bodyOf(failure, kind) }
}

function bodyOf(failure: Failure, kind: PathKind): unknown {
  const { code, message, errors, body } = failure
  if (kind === 'oauth') return oauthErrorBody(failure)
  if (kind === 'graphql' && !likeRest.includes(code)) return { errors: [{ message }] }
  return { message, ...(errors && { errors }), ...body }
}

/** The refusal that an exception becomes. An unknown exception is a bug of the server. */
export function failureOf(error: unknown): Failure {
  const {
    code,
    message = '',
    cause,
  }: Partial<StoreError> = error instanceof StoreError ? error : {}
  if (code === 'reset') return { code: 'conflict', message: 'Sandbox was reset' }
  if (code === 'unavailable') return { code, message: 'Service unavailable', detail: String(cause) }
  if (code === 'unwritable') return { code: 'unprocessable', message }
  return { code: 'internal', message: 'Internal server error' }
}
