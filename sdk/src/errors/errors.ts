import { ApiError, type ApiErrorCode, type FieldError, RateLimitError, UnprocessableError } from './api-errors.js'
import { BaseError, type ErrorFacts, hasBrand, type Sent } from './base-error.js'
import { DeviceAuthorizationError, OAuthError } from './oauth-error.js'
import { redactUrl } from './redact.js'

export {
  ApiError,
  type ApiErrorCode,
  DeviceAuthorizationError,
  type FieldError,
  OAuthError,
  RateLimitError,
  type Sent,
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
 * An option or parameter that cannot be used. Thrown before anything is sent, unless `sent` says otherwise; never shows a
 * secret's value.
 *
 * @example
 * ```ts
 * const unusable = (error: unknown) => (isCiError(error, 'config') ? error.option : undefined)
 * ```
 */
export class ConfigError extends BaseError<ErrorFacts> {
  override readonly name = 'ConfigError'
  override readonly code = 'config'
  /** The option or parameter, such as `baseUrl` or `branch`. */
  readonly option: string

  constructor(option: string, message: string, facts: Partial<ErrorFacts> = {}) {
    super(message, { sent: 'no', ...facts })
    this.option = option
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
export class ConnectionError extends BaseError<ErrorFacts & { attempts: number }> {
  override readonly name = 'ConnectionError'
  override readonly code = 'connection'
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
export class TimeoutError extends BaseError<ErrorFacts & { kind: TimeoutKind; timeoutMs: number; attempts: number }> {
  override readonly name = 'TimeoutError'
  override readonly code = 'timeout'
}

interface InvalidResponseFields extends ErrorFacts {
  expected: string
  got: string
  /** Of the answer, where there was one. */
  status?: number | undefined
  requestId?: string | undefined
}

/**
 * The answer was not what was asked for: names types, fields and sizes, never values.
 *
 * @example
 * ```ts
 * const gotInstead = (error: unknown) => (isCiError(error, 'invalid_response') ? error.got : undefined)
 * ```
 */
export class InvalidResponseError extends BaseError<InvalidResponseFields> {
  override readonly name = 'InvalidResponseError'
  override readonly code = 'invalid_response'

  constructor(summary: string, fields: Omit<InvalidResponseFields, 'sent'>) {
    super(summary, { sent: 'unknown', ...fields })
  }
}

interface PaginationFields extends ErrorFacts {
  code: 'unsafe_link' | 'page_loop' | 'too_many_pages'
  /** On `unsafe_link`: where the link pointed. Nothing was sent there. */
  origin?: string | undefined
  /** Pages read before this. */
  pages: number
}

/**
 * A list could not be followed to its end. What was read before stays valid.
 *
 * @example
 * ```ts
 * const pagesRead = (error: unknown) => (isCiError(error, 'page_loop') ? error.pages : 0)
 * ```
 */
export class PaginationError extends BaseError<PaginationFields> {
  override readonly name = 'PaginationError'

  constructor(summary: string, fields: Omit<PaginationFields, 'sent'>) {
    const { origin } = fields
    super(summary, { sent: 'no', ...fields, origin: origin === undefined ? undefined : redactUrl(origin) })
  }
}
