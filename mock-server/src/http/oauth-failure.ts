import type { Failure, FailureCode } from '../domain/decision.js'

/** RFC 6749 §5.2: what a refused OAuth request answers. */
export interface OAuthErrorBody {
  readonly error: string
  readonly error_description: string
}

const noForm: OAuthErrorBody = { error: 'invalid_request', error_description: 'The request must be a form POST' }
const unreadable: OAuthErrorBody = {
  error: 'invalid_request',
  error_description: 'The request body could not be read',
}
const unavailable: OAuthErrorBody = {
  error: 'server_error',
  error_description: 'The service is temporarily unavailable',
}

/** What went wrong before there was an OAuth request, or beside it, in OAuth's words. */
const words: Partial<Readonly<Record<FailureCode, OAuthErrorBody>>> = {
  bad_request: unreadable,
  uri_too_long: unreadable,
  request_timeout: unreadable,
  payload_too_large: unreadable,
  unsupported_media_type: unreadable,
  method_not_allowed: noForm,
  conflict: unavailable,
  unavailable,
  internal: unavailable,
  rate_limited: { error: 'temporarily_unavailable', error_description: 'Too many token requests' },
}

/** The body of a refusal at an OAuth endpoint; its texts are constants. */
export const oauthErrorBody = ({ code, message }: Failure): OAuthErrorBody =>
  words[code] ?? { error: code === 'not_found' ? 'invalid_request' : code, error_description: message }
