import type {
  Annotation,
  CreateAnnotationParams,
  ListAnnotationsParams,
} from '../contract/schemas.gen.js'
import type { ApiPromise } from '../http/api-promise.js'
import { Caller, type ListOptions } from '../http/caller.js'
import type { CallOptions } from '../http/client-options.js'
import type { PagePromise } from '../http/page.js'

/**
 * Notes on a build, made by its jobs or by programs for the people who read it. An extension: a
 * server may lack it.
 */
export class Annotations extends Caller {
  /**
   * The annotations of a build, those with a higher `priority` first. `body_html` is foreign HTML:
   * clean it before a browser shows it. Scope `read_builds`.
   *
   * @throws `not_found` when there is no such build or your user cannot see it.
   * @example
   * ```ts
   * const notes = await ci.annotations.list({ org_slug: 'acme', pipeline_slug: 'web', number: 42 }).toArray()
   * const errors = notes.filter(({ style }) => style === 'error')
   * ```
   */
  list(params: ListAnnotationsParams, options?: ListOptions): PagePromise<Annotation> {
    return this.pages('annotations.list', params, options)
  }

  /**
   * Adds a note to a build, in Markdown or HTML. A build has one annotation of each `context`: a
   * second call replaces its text, or adds a paragraph with `append: true`. Scope `write_builds`.
   *
   * It is sent once: when the answer is lost, the error says so (`sent: 'unknown'`), because a
   * second request would append twice.
   *
   * @throws {@link UnprocessableError} `unprocessable` with every refused property in `errors`.
   * @example
   * ```ts
   * const path = { org_slug: 'acme', pipeline_slug: 'web', number: 42 }
   * await ci.annotations.create({ ...path, context: 'unit-tests', style: 'error', body: '**1** of 214 tests failed' })
   * ```
   */
  create(params: CreateAnnotationParams, options?: CallOptions): ApiPromise<Annotation> {
    return this.call('annotations.create', params, options)
  }
}
