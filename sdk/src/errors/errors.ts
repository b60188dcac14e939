import {
  BaseError,
  type CommonFields,
  type ErrorFields,
  hasBrand,
  type Sent,
} from './base-error.js'
import { redactUrl } from './redact.js'

export type { Sent }

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
export interface CiErrorByCode
  extends Record<Exclude<ApiErrorCode, 'unprocessable' | 'rate_limited'>, ApiError> {
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
 * Whether `error` is one of this package's errors, with that code when one is given. Works across
 * two copies of the package, where `instanceof` does not.
 *
 * @example
 * ```ts
 * const error = await ci.builds.cancel({ org_slug: 'acme', pipeline_slug: 'web', number: 42 }).catch((reason: unknown) => reason)
 * if (isCiError(error, 'unprocessable')) console.error(error.errors)
 * ```
 */
export function isCiError(error: unknown): error is CiError
export function isCiError<C extends CiErrorCode>(
  error: unknown,
  code: C,
): error is Extract<CiError, { code: C }>

export function isCiError(error: unknown, code?: CiErrorCode): boolean {
  return hasBrand(error) && (code === undefined || error.code === code)
}

/**
 * The server answered, and refused. `message` says what was asked, what came back and what may
 * help.
 *
 * @example
 * ```ts
 * const lacking = (error: unknown) => (isCiError(error, 'insufficient_scope') ? error.requiredScope : undefined)
 * ```
 */
export class ApiError extends BaseError {
  override readonly name: string = 'ApiError'
  declare readonly code: ApiErrorCode
  declare readonly status: number
  declare readonly operationId: string
  declare readonly method: string
  /** Without origin and query. */
  declare readonly path: string
  declare readonly requestId?: string | undefined
  /** Parsed JSON without this call's secrets; undefined when the body was not JSON. */
  declare readonly body?: unknown
  /** HTTP requests of this call, from 1; 0 when none was sent. */
  declare readonly attempts: number
  /** How long the server asked to wait, in milliseconds. */
  declare readonly retryAfterMs?: number | undefined
  /** On 403: the scope that the token lacks. */
  declare readonly requiredScope?: string | undefined
  /** On 403: the scopes that the token has, when the server says so. */
  declare readonly grantedScopes?: readonly string[] | undefined

  constructor(summary: string, fields: ErrorFields<ApiError>) {
    super(summary, fields)
  }
}

/** Whether it is an `ApiError` or one of its subclasses, from any copy of the package. */
export function isApiError(error: unknown): error is ApiError {
  return hasBrand(error) && 'status' in error && 'method' in error
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

  constructor(summary: string, fields: ErrorFields<UnprocessableError, 'code'>) {
    super(summary, { ...fields, code: 'unprocessable' })
  }
}

/**
 * The server answered 429. With `sent: 'no'` the request was not sent, because an earlier answer
 * asks for a longer wait than the call allows.
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

  constructor(summary: string, fields: ErrorFields<RateLimitError, 'code'>) {
    super(summary, { ...fields, code: 'rate_limited' })
  }
}

/**
 * An OAuth endpoint refused, in the words of RFC 6749 §5.2. Decide by `error`, never by `status`:
 * servers differ.
 *
 * @example
 * ```ts
 * const advice = (error: unknown) => (isCiError(error, 'oauth_error') ? (error.advice ?? error.error) : undefined)
 * ```
 */
export class OAuthError extends BaseError {
  override readonly name: string = 'OAuthError'
  override readonly code: 'oauth_error' | 'device_authorization' = 'oauth_error'
  /**
   * The `error` of the answer, such as `invalid_client`; servers may use words of their own.
   * `serverMessage` is its `error_description`.
   */
  declare readonly error: string
  /** The HTTP status; 0 when no answer said so. */
  declare readonly status: number
  /** How long the server asked to wait, in milliseconds. */
  declare readonly retryAfterMs?: number | undefined

  constructor(summary: string, fields: ErrorFields<OAuthError, 'code'>) {
    super(summary, fields)
  }
}

/**
 * A device authorization that ended without a token (RFC 8628 §3.5).
 *
 * @example
 * ```ts
 * const saidNo = (error: unknown) => isCiError(error, 'device_authorization') && error.error === 'access_denied'
 * ```
 */
export class DeviceAuthorizationError extends OAuthError {
  override readonly name = 'DeviceAuthorizationError'
  override readonly code = 'device_authorization'
  /** True: the client's clock ended it, without an answer that says so. */
  declare readonly local: boolean
  /** True: an answer was lost before, so the user may have approved, and the token is lost. */
  declare readonly maybeApproved: boolean

  constructor(summary: string, fields: ErrorFields<DeviceAuthorizationError, 'code'>) {
    super(summary, fields)
  }
}

/**
 * An option or parameter that cannot be used. Thrown before anything is sent, unless `sent` says
 * otherwise; never shows a secret's value.
 *
 * @example
 * ```ts
 * const unusable = (error: unknown) => (isCiError(error, 'config') ? error.option : undefined)
 * ```
 */
export class ConfigError extends BaseError {
  override readonly name = 'ConfigError'
  override readonly code = 'config'
  /** The option or parameter, such as `baseUrl` or `branch`. */
  readonly option: string

  constructor(option: string, message: string, fields: Partial<CommonFields> = {}) {
    super(message, { sent: 'no', ...fields })
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
export class ConnectionError extends BaseError {
  override readonly name = 'ConnectionError'
  override readonly code = 'connection'
  /** HTTP requests of this call, from 1. */
  declare readonly attempts: number

  constructor(summary: string, fields: ErrorFields<ConnectionError, 'code'>) {
    super(summary, fields)
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
  override readonly code = 'timeout'
  declare readonly kind: TimeoutKind
  /** The limit, in milliseconds. */
  declare readonly timeoutMs: number
  /** HTTP requests of this call, from 0. */
  declare readonly attempts: number

  constructor(summary: string, fields: ErrorFields<TimeoutError, 'code'>) {
    super(summary, fields)
  }
}

/**
 * The answer was not what was asked for. The error names types, fields and sizes, never values.
 *
 * @example
 * ```ts
 * const gotInstead = (error: unknown) => (isCiError(error, 'invalid_response') ? error.got : undefined)
 * ```
 */
export class InvalidResponseError extends BaseError {
  override readonly name = 'InvalidResponseError'
  override readonly code = 'invalid_response'
  declare readonly expected: string
  declare readonly got: string
  /** The HTTP status, where there was an answer. */
  declare readonly status?: number | undefined
  declare readonly requestId?: string | undefined

  constructor(summary: string, fields: ErrorFields<InvalidResponseError, 'code' | 'sent'>) {
    super(summary, { sent: 'unknown', ...fields })
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
  declare readonly code: 'unsafe_link' | 'page_loop' | 'too_many_pages'
  /** On `unsafe_link`: where the link pointed. Nothing was sent there. */
  declare readonly origin?: string | undefined
  /** Pages read before this. */
  declare readonly pages: number

  constructor(summary: string, { origin, ...fields }: ErrorFields<PaginationError, 'sent'>) {
    const shownOrigin = origin === undefined ? undefined : redactUrl(origin)
    const all = { sent: 'no' as const, ...fields, origin: shownOrigin }
    super(summary, all)
  }
}
