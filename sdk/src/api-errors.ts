import { BaseError } from './base-error.js'

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
export interface ApiErrorFields {
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
export class ApiError extends BaseError {
  override readonly name: string = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly requestId?: string | undefined
  readonly body?: unknown
  readonly attempts: number
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** On 403: the scope that the token lacks. */
  readonly requiredScope?: string | undefined
  /** On 403: the scopes that the token has, when the server says so. */
  readonly grantedScopes?: readonly string[] | undefined

  constructor(message: string, fields: ApiErrorFields) {
    super(message)
    this.code = fields.code
    this.status = fields.status
    this.operationId = fields.operationId
    this.method = fields.method
    this.path = fields.path
    this.attempts = fields.attempts
    if (fields.requestId !== undefined) this.requestId = fields.requestId
    if (fields.body !== undefined) this.body = fields.body
    if (fields.retryAfterMs !== undefined) this.retryAfterMs = fields.retryAfterMs
    if (fields.requiredScope !== undefined) this.requiredScope = fields.requiredScope
    if (fields.grantedScopes !== undefined) this.grantedScopes = fields.grantedScopes
  }

  protected fields(): Record<string, unknown> {
    const { status, operationId, method, path, requestId, attempts, retryAfterMs, requiredScope, grantedScopes } = this
    return { status, operationId, method, path, requestId, attempts, retryAfterMs, requiredScope, grantedScopes }
  }
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
  readonly errors: readonly FieldError[]

  constructor(message: string, fields: Omit<ApiErrorFields, 'code'> & { errors: readonly FieldError[] }) {
    super(message, { ...fields, code: 'unprocessable' })
    this.errors = fields.errors
  }

  protected override fields(): Record<string, unknown> {
    return { ...super.fields(), errors: this.errors }
  }
}

/**
 * 429, or a request that was not even sent because the server had said to wait longer than we may.
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
  readonly scope?: string | undefined
  readonly limit?: number | undefined
  /** False: we stopped it, so that the server was not asked too early. */
  readonly sent: boolean

  constructor(
    message: string,
    fields: Omit<ApiErrorFields, 'code' | 'retryAfterMs'> & {
      retryAfterMs: number
      sent: boolean
      scope?: string | undefined
      limit?: number | undefined
    },
  ) {
    super(message, { ...fields, code: 'rate_limited' })
    this.sent = fields.sent
    if (fields.scope !== undefined) this.scope = fields.scope
    if (fields.limit !== undefined) this.limit = fields.limit
  }

  protected override fields(): Record<string, unknown> {
    return { ...super.fields(), scope: this.scope, limit: this.limit, sent: this.sent }
  }
}
