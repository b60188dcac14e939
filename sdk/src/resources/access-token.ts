import type { AccessTokenInfo } from '../contract/schemas.gen.js'
import type { ApiPromise } from '../http/api-promise.js'
import { Caller } from '../http/caller.js'
import type { CallOptions } from '../http/client-options.js'

/** The token that this client sends. An extension: a server may lack it. */
export class AccessTokenResource extends Caller {
  /**
   * What the token is: its scopes, its user, when it expires. Any live token may ask.
   *
   * @throws `unauthorized` when the token is no longer alive; `not_found` when this server does not
   * offer it.
   * @example
   * ```ts
   * const { scopes } = await ci.accessToken.get()
   * if (!scopes.includes('write_builds')) console.error('This token cannot create builds')
   * ```
   */
  get(options?: CallOptions): ApiPromise<AccessTokenInfo> {
    return this.call('accessToken.get', {}, options)
  }

  /**
   * Ends the token, and the refresh tokens of the login it came from. Every later call with it
   * answers 401.
   *
   * @throws `sent: 'unknown'` when the answer was lost: the token may be dead already.
   */
  revoke(options?: CallOptions): ApiPromise<undefined> {
    return this.call('accessToken.revoke', {}, options)
  }
}
