/** Why a request is refused. The first group is REST's, the second RFC 6749 §5.2's words; `http/failure.ts` maps each once. */
export type FailureCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'insufficient_scope'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'payload_too_large'
  | 'range_not_satisfiable'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | OAuthFailureCode

export type OAuthFailureCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'server_error'
  | 'temporarily_unavailable'

export interface FieldError {
  readonly field: string
  readonly code: 'missing' | 'invalid' | 'unknown'
}

/** A typed refusal. `detail` is for the request log only; no HTTP caller sees it. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly errors?: readonly FieldError[]
  /** More keys of the JSON body, beside `message`. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly detail?: string
}

export type Decision<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

export const accept = <T>(value: T): Decision<T> => ({ ok: true, value })

/** What follows from a success; a refusal stays what it is. */
export const map = <T, U>(decision: Decision<T>, follow: (value: T) => U): Decision<U> =>
  decision.ok ? accept(follow(decision.value)) : decision

export const refuse = (
  code: FailureCode,
  message: string,
  more: Omit<Failure, 'code' | 'message'> = {},
): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure: { code, message, ...more } })
