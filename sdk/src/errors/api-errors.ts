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
  retryAfterMs?: number | undefined
  requiredScope?: string | undefined
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
  declare readonly code: ApiErrorCode
  declare readonly status: number
  declare readonly operationId: string
  declare readonly method: string
  declare readonly path: string
  declare readonly requestId?: string | undefined
  declare readonly body?: unknown
  declare readonly attempts: number
  /** Of the answer, as far as one came: without this call's secrets, cookies, and what a `location` opens. */
  declare readonly headers?: Headers | undefined
  /** How long the server asked to wait, in milliseconds. */
  declare readonly retryAfterMs?: number | undefined
  /** On 403: the scope that the token lacks. */
  declare readonly requiredScope?: string | undefined
  /** On 403: the scopes that the token has, when the server says so. */
  declare readonly grantedScopes?: readonly string[] | undefined
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

  constructor(summary: string, fields: Omit<ApiErrorFields, 'code'> & { errors: readonly FieldError[] }) {
    const all = { ...fields, code: 'unprocessable' } as const
    super(summary, all)
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
    fields: Omit<ApiErrorFields, 'code' | 'retryAfterMs'> & {
      retryAfterMs: number
      scope?: string | undefined
      limit?: number | undefined
    },
  ) {
    const all = { ...fields, code: 'rate_limited' } as const
    super(summary, all)
  }
}
