/** The reasons for a refusal with their HTTP status: first of REST, then of RFC 6749 §5.2. */
export const failureStatuses = {
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
  // 401 with a challenge if the client used an Authorization header (RFC 6749 §5.2).
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
} as const
export type FailureCode = keyof typeof failureStatuses

export interface FieldError {
  readonly field: string
  readonly code: 'missing' | 'invalid' | 'unknown'
  /** The limits of the property, in words. */
  readonly message?: string | undefined
}

/** A typed refusal. `detail` is only for the request log; it is not part of the answer. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly errors?: readonly FieldError[]
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly detail?: string
}

export type Decision<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export function accept<T>(value: T): Decision<T> {
  return { ok: true, value }
}

export function map<T, U>(decision: Decision<T>, follow: (value: T) => U): Decision<U> {
  return decision.ok ? accept(follow(decision.value)) : decision
}

export function refuse(
  code: FailureCode,
  message: string,
  more: Omit<Failure, 'code' | 'message'> = {},
): { readonly ok: false; readonly failure: Failure } {
  return {
    ok: false,
    failure: { code, message, ...more },
  }
}
