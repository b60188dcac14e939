import type { Organization, OrganizationPath, Paging } from '../contract/schemas.gen.js'
import type { ApiPromise } from '../http/api-promise.js'
import { Caller, type ListOptions } from '../http/caller.js'
import type { CallOptions } from '../http/client-options.js'
import type { PagePromise } from '../http/page.js'

/** Organizations. An extension: a server may lack it. */
export class Organizations extends Caller {
  /**
   * The organizations that the token works in, by slug. Scope `read_organizations`.
   *
   * @throws `not_found` when this server does not offer it.
   * @example
   * ```ts
   * for await (const organization of ci.organizations.list()) console.log(organization.slug)
   * ```
   */
  list(params: Paging = {}, options?: ListOptions): PagePromise<Organization> {
    return this.pages('organizations.list', params, options)
  }

  /**
   * One organization. Scope `read_organizations`.
   *
   * @throws `not_found` when it does not exist, your user cannot see it, or this server does not
   * offer it.
   */
  get(params: OrganizationPath, options?: CallOptions): ApiPromise<Organization> {
    return this.call('organizations.get', params, options)
  }
}
