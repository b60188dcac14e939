import type { ListPipelinesParams, Pipeline, PipelinePath } from '../contract/schemas.gen.js'
import type { ApiPromise } from '../http/api-promise.js'
import { Caller, type ListOptions } from '../http/caller.js'
import type { CallOptions } from '../http/client-options.js'
import type { PagePromise } from '../http/page.js'

/** Pipelines of an organization. An extension: a server may lack it. */
export class Pipelines extends Caller {
  /**
   * Pipelines of an organization, by slug; `name` and `repository` match any part, whatever its
   * case. Scope `read_pipelines`.
   *
   * @throws `not_found` when the organization is missing or hidden, or this server does not offer
   * it.
   * @example
   * ```ts
   * const web = await ci.pipelines.list({ org_slug: 'acme', repository: 'acme/web' }).toArray()
   * ```
   */
  list(params: ListPipelinesParams, options?: ListOptions): PagePromise<Pipeline> {
    return this.pages('pipelines.list', params, options)
  }

  /**
   * One pipeline. `provider.webhook_url` is an empty string unless the token has `write_pipelines`
   * and its user may edit the pipeline. Scope `read_pipelines`.
   *
   * @throws `not_found` when it is missing or hidden, or this server does not offer it.
   */
  get(params: PipelinePath, options?: CallOptions): ApiPromise<Pipeline> {
    return this.call('pipelines.get', params, options)
  }
}
