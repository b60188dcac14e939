import { ApiError, type ApiErrorCode, type FieldError, RateLimitError, UnprocessableError } from './api-errors.js'
import { BaseError, hasBrand } from './base-error.js'
import { DeviceAuthorizationError, OAuthError } from './oauth-error.js'
import { redactUrl } from './redact.js'

export type { OAuthErrorFields } from './oauth-error.js'
export {
  ApiError,
  type ApiErrorCode,
  DeviceAuthorizationError,
  type FieldError,
  OAuthError,
  RateLimitError,
  UnprocessableError,
}

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

/** Any error of this package; a `switch` over its `code` narrows it. */
export type CiError = { [C in CiErrorCode]: CiErrorByCode[C] & { readonly code: C } }[CiErrorCode]

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
export function isCiError<C extends CiErrorCode>(error: unknown, code: C): error is Extract<CiError, { code: C }>
export function isCiError(error: unknown, code?: CiErrorCode): boolean {
  return hasBrand(error) && (code === undefined || error.code === code)
}

/**
 * An option or parameter that cannot be used. Thrown before anything is sent; never shows a secret's value.
 *
 * @example
 * ```ts
 * const unusable = (error: unknown) => (isCiError(error, 'config') ? error.option : undefined)
 * ```
 */
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

/**
 * No answer came: the connection failed before, while or after the request was written.
 *
 * @example
 * ```ts
 * const mayRepeat = (error: unknown) => isCiError(error, 'connection') && error.sent === 'no'
 * ```
 */
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

/**
 * A time limit ended the call.
 *
 * @example
 * ```ts
 * const wasSlow = (error: unknown) => isCiError(error, 'timeout') && error.kind !== 'connect'
 * ```
 */
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

/**
 * The answer was not what was asked for: names types, fields and sizes, never values.
 *
 * @example
 * ```ts
 * const gotInstead = (error: unknown) => (isCiError(error, 'invalid_response') ? error.got : undefined)
 * ```
 */
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

/**
 * A list could not be followed to its end. What was read before stays valid.
 *
 * @example
 * ```ts
 * const pagesRead = (error: unknown) => (isCiError(error, 'page_loop') ? error.pages : 0)
 * ```
 */
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
