import { BaseError, type ErrorFacts } from './base-error.js'

/** The codes of {@link ApiError}, one per thing a caller may want to do about it. */
export type ApiErrorCode =
  | 'redirect_refused'
  | 'bad_request'
  | 'listing_too_deep'
  | 'unauthorized'
  | 'insufficient_scope'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'unprocessable'
  | 'rate_limited'
  | 'server_error'
  | 'http_error'

/** What an {@link ApiError} is made of. */
export interface ApiErrorFields extends ErrorFacts {
  code: ApiErrorCode
  status: number
  operationId: string
  method: string
  /** Without origin and query. */
  path: string
  requestId?: string | undefined
  /** Parsed JSON without this call's secrets; undefined when the body was none. */
  body?: unknown
  attempts: number
  /** How long the server asked to wait, in milliseconds. */
  retryAfterMs?: number | undefined
  /** On 403: the scope that the token lacks. */
  requiredScope?: string | undefined
  /** On 403: the scopes that the token has, when the server says so. */
  grantedScopes?: readonly string[] | undefined
}

/**
 * The server answered, and refused. `message` says what was asked, what came back and what may help.
 *
 * @example
 * ```ts
 * const isMissing = (error: unknown) => isCiError(error, 'not_found')
 * const lacking = (error: unknown) => (isCiError(error, 'insufficient_scope') ? error.requiredScope : undefined)
 * ```
 */
export class ApiError extends BaseError<ApiErrorFields> {
  override readonly name: string = 'ApiError'
}

/** One entry of a 422's `errors[]`; a bare string becomes `message`. */
export interface FieldError {
  field?: string
  code?: string
  message?: string
}

/**
 * 422: the server understood the request and will not do it.
 *
 * @example
 * ```ts
 * const wrongFields = (error: unknown) =>
 *   isCiError(error, 'unprocessable') ? error.errors.map(({ field, code, message }) => field ?? message ?? code) : []
 * ```
 */
export class UnprocessableError extends ApiError {
  override readonly name = 'UnprocessableError'
  declare readonly code: 'unprocessable'
  declare readonly errors: readonly FieldError[]

  constructor(summary: string, fields: Omit<ApiErrorFields, 'code'> & Pick<UnprocessableError, 'errors'>) {
    super(summary, { ...fields, code: 'unprocessable' })
  }
}

/**
 * 429; or with `sent: 'no'` a request that was not even sent, because the server had said to wait longer than we may.
 *
 * @example
 * ```ts
 * const waitMs = (error: unknown) => (isCiError(error, 'rate_limited') ? error.retryAfterMs : 0)
 * ```
 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
  declare readonly code: 'rate_limited'
  declare readonly retryAfterMs: number
  /** The used-up window in the server's words: `rest` or `rest_user`. */
  declare readonly scope?: string | undefined
  declare readonly limit?: number | undefined

  constructor(
    summary: string,
    fields: Omit<ApiErrorFields, 'code'> & Pick<RateLimitError, 'retryAfterMs' | 'scope' | 'limit'>,
  ) {
    super(summary, { ...fields, code: 'rate_limited' })
  }
}
