import { BaseError, type ErrorFacts } from './base-error.js'

/** What an {@link OAuthError} is made of. */
interface OAuthErrorFields extends ErrorFacts {
  /** The wire's word, such as `invalid_client`; any other word may come. `serverMessage` is its `error_description`. */
  error: string
  status: number
  retryAfterMs?: number | undefined
}

/**
 * An OAuth endpoint refused, in the words of RFC 6749 §5.2. Decide by `error`, never by `status`: servers differ.
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

  constructor(summary: string, fields: OAuthErrorFields & Pick<DeviceAuthorizationError, 'local' | 'maybeApproved'>) {
    super(summary, fields)
  }
}
