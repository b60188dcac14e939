import type { User } from '../contract/schemas.gen.js'
import type { ApiPromise } from '../http/api-promise.js'
import { Caller } from '../http/caller.js'
import type { CallOptions } from '../http/client-options.js'

/** The person a token acts for. An extension: a server may lack it. */
export class UserResource extends Caller {
  /**
   * The user that the token acts for. Scope `read_user`.
   *
   * @throws `not_found` when this server does not offer it.
   * @example
   * ```ts
   * const me = await ci.user.get()
   * const mine = await ci.builds.list({ creator: me.id }).toArray({ limit: 20 })
   * ```
   */
  get(options?: CallOptions): ApiPromise<User> {
    return this.call('user.get', {}, options)
  }
}
