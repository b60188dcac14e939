import { BaseError } from './base-error.js'

/** What an {@link OAuthError} is made of. */
export interface OAuthErrorFields {
  error: string
  errorDescription?: string | undefined
  status: number
  hint?: string | undefined
  retryAfterMs?: number | undefined
}

/**
 * An OAuth endpoint refused, in the words of RFC 6749 §5.2. Decide by `error`, never by `status`: servers differ.
 *
 * @example
 * ```ts
 * const advice = (error: unknown) => (isCiError(error, 'oauth_error') ? (error.hint ?? error.error) : undefined)
 * ```
 */
export class OAuthError extends BaseError {
  override readonly name: string = 'OAuthError'
  readonly code: 'oauth_error' | 'device_authorization' = 'oauth_error'
  /** The wire's word, such as `invalid_client`; any other word may come. */
  readonly error: string
  readonly errorDescription?: string | undefined
  readonly status: number
  /** What usually helps. */
  readonly hint?: string | undefined
  readonly retryAfterMs?: number | undefined

  constructor(message: string, fields: OAuthErrorFields) {
    super(message)
    this.error = fields.error
    this.status = fields.status
    if (fields.errorDescription !== undefined) this.errorDescription = fields.errorDescription
    if (fields.hint !== undefined) this.hint = fields.hint
    if (fields.retryAfterMs !== undefined) this.retryAfterMs = fields.retryAfterMs
  }

  protected fields(): Record<string, unknown> {
    const { error, errorDescription, status, hint, retryAfterMs } = this
    return { error, errorDescription, status, hint, retryAfterMs }
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
  /** True: our clocks ended it, no answer said so. */
  readonly local: boolean
  /** True: an answer was lost before, so the user may have approved and the token is gone. */
  readonly maybeApproved: boolean

  constructor(message: string, fields: OAuthErrorFields & { local: boolean; maybeApproved: boolean }) {
    super(message, fields)
    this.local = fields.local
    this.maybeApproved = fields.maybeApproved
  }

  protected override fields(): Record<string, unknown> {
    return { ...super.fields(), local: this.local, maybeApproved: this.maybeApproved }
  }
}
