import { BaseError, type ErrorFacts, hasBrand, type Sent } from './base-error.js'
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
 * The server answered, and refused. `message` says what was asked, what came back and what may
 * help.
 *
 * @example
 * ```ts
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

  constructor(
    summary: string,
    fields: Omit<ApiErrorFields, 'code'> & Pick<UnprocessableError, 'errors'>,
  ) {
    super(summary, { ...fields, code: 'unprocessable' })
  }
}

/**
 * 429; or with `sent: 'no'` a request that was not even sent, because the server had said to wait
 * longer than we may.
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

/** What an {@link OAuthError} is made of. */
interface OAuthErrorFields extends ErrorFacts {
  /**
   * The wire's word, such as `invalid_client`; any other word may come. `serverMessage` is its
   * `error_description`.
   */
  error: string
  status: number
  retryAfterMs?: number | undefined
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
export class OAuthError extends BaseError<OAuthErrorFields> {
  override readonly name: string = 'OAuthError'
  override readonly code: 'oauth_error' | 'device_authorization' = 'oauth_error'
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
  /** True: our clocks ended it, no answer said so. */
  declare readonly local: boolean
  /** True: an answer was lost before, so the user may have approved and the token is gone. */
  declare readonly maybeApproved: boolean

  constructor(
    summary: string,
    fields: OAuthErrorFields & Pick<DeviceAuthorizationError, 'local' | 'maybeApproved'>,
  ) {
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
export class TimeoutError extends BaseError<
  ErrorFacts & { kind: TimeoutKind; timeoutMs: number; attempts: number }
> {
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
    super(summary, {
      sent: 'no',
      ...fields,
      origin: origin === undefined ? undefined : redactUrl(origin),
    })
  }
}
