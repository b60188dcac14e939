import { BaseError, hasBrand } from './base-error.js'
import { DeviceAuthorizationError, OAuthError } from './oauth-error.js'
import { redactUrl } from './redact.js'

export type { OAuthErrorFields } from './oauth-error.js'
export { DeviceAuthorizationError, OAuthError }

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

/** Which error class belongs to which `code`. */
export interface CiErrorByCode extends Record<Exclude<ApiErrorCode, 'unprocessable' | 'rate_limited'>, ApiError> {
  config: ConfigError
  connection: ConnectionError
  timeout: TimeoutError
  unprocessable: UnprocessableError
  rate_limited: RateLimitError
  oauth_error: OAuthError
  device_authorization: DeviceAuthorizationError
  invalid_response: InvalidResponseError
  unsafe_link: PaginationError
  page_loop: PaginationError
  too_many_pages: PaginationError
}

/** Every `code` an error of this package can have. */
export type CiErrorCode = keyof CiErrorByCode

/** Any error of this package. */
export type CiError = CiErrorByCode[CiErrorCode]

/** Whether the request may have reached the server: `no` is proven, `unknown` means that it may have been carried out. */
export type Sent = 'no' | 'unknown'

/**
 * Whether `error` is one of this package's errors, with that code when one is given. Works across two copies of the
 * package, where `instanceof` does not.
 *
 * @example
 * ```ts
 * try {
 *   await ci.builds.cancel({ org_slug: 'acme', pipeline_slug: 'web', number: 42 })
 * } catch (error) {
 *   if (isCiError(error, 'unprocessable')) console.error(error.errors)
 *   else throw error
 * }
 * ```
 */
export function isCiError(error: unknown): error is CiError
export function isCiError<C extends CiErrorCode>(
  error: unknown,
  code: C,
): error is CiErrorByCode[C] & { readonly code: C }
export function isCiError(error: unknown, code?: CiErrorCode): boolean {
  return hasBrand(error) && (code === undefined || error.code === code)
}

/** An option or parameter that cannot be used. Thrown before anything is sent; never shows a secret's value. */
export class ConfigError extends BaseError {
  override readonly name = 'ConfigError'
  readonly code = 'config'
  /** The option or parameter, such as `baseUrl` or `branch`. */
  readonly option: string

  constructor(option: string, message: string, cause?: unknown) {
    super(message, cause)
    this.option = option
  }

  protected fields(): Record<string, unknown> {
    return { option: this.option }
  }
}

/** No answer came: the connection failed before, while or after the request was written. */
export class ConnectionError extends BaseError {
  override readonly name = 'ConnectionError'
  readonly code = 'connection'
  readonly sent: Sent
  readonly attempts: number

  constructor(message: string, fields: { sent: Sent; attempts: number; cause?: unknown }) {
    super(message, fields.cause)
    this.sent = fields.sent
    this.attempts = fields.attempts
  }

  protected fields(): Record<string, unknown> {
    return { sent: this.sent, attempts: this.attempts }
  }
}

/** Which limit ended a call: one phase of an attempt, the attempt, or the whole call. */
export type TimeoutKind = 'connect' | 'headers' | 'body' | 'attempt' | 'total'

/** A time limit ended the call. */
export class TimeoutError extends BaseError {
  override readonly name = 'TimeoutError'
  readonly code = 'timeout'
  readonly kind: TimeoutKind
  readonly timeoutMs: number
  readonly sent: Sent
  readonly attempts: number

  constructor(
    message: string,
    fields: { kind: TimeoutKind; timeoutMs: number; sent: Sent; attempts: number; cause?: unknown },
  ) {
    super(message, fields.cause)
    this.kind = fields.kind
    this.timeoutMs = fields.timeoutMs
    this.sent = fields.sent
    this.attempts = fields.attempts
  }

  protected fields(): Record<string, unknown> {
    return { kind: this.kind, timeoutMs: this.timeoutMs, sent: this.sent, attempts: this.attempts }
  }
}

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

/** The server answered, and refused. `message` says what was asked, what came back and what may help. */
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

/** 422: the server understood the request and will not do it. */
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

/** 429, or a request that was not even sent because the server had said to wait longer than we may. */
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

/** The answer was not what was asked for: names types, fields and sizes, never values. */
export class InvalidResponseError extends BaseError {
  override readonly name = 'InvalidResponseError'
  readonly code = 'invalid_response'
  readonly expected: string
  readonly got: string

  constructor(message: string, fields: { expected: string; got: string; cause?: unknown }) {
    super(message, fields.cause)
    this.expected = fields.expected
    this.got = fields.got
  }

  protected fields(): Record<string, unknown> {
    return { expected: this.expected, got: this.got }
  }
}

/** A list could not be followed to its end. What was read before stays valid. */
export class PaginationError extends BaseError {
  override readonly name = 'PaginationError'
  readonly code: 'unsafe_link' | 'page_loop' | 'too_many_pages'
  /** On `unsafe_link`: where the link pointed. Nothing was sent there. */
  readonly origin?: string | undefined
  /** Pages read before this. */
  readonly pages: number

  constructor(message: string, fields: { code: PaginationError['code']; pages: number; origin?: string | undefined }) {
    super(message)
    this.code = fields.code
    this.pages = fields.pages
    if (fields.origin !== undefined) this.origin = redactUrl(fields.origin)
  }

  protected fields(): Record<string, unknown> {
    return { origin: this.origin, pages: this.pages }
  }
}
