import type { ApiPromise } from '../api-promise.js'
import type {
  Artifact,
  ArtifactDownload,
  ArtifactPath,
  ListArtifactsParams,
  ListJobArtifactsParams,
} from '../contract/schemas.gen.js'
import type { Caller, ListOptions } from '../http/caller.js'
import type { CallOptions } from '../http/context.js'
import type { PagePromise } from '../http/page.js'

/** Files that jobs left behind. An extension: a server may lack it. */
export class Artifacts {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /**
   * The artifacts of a build, by path. `path` is foreign text: never write to it unchecked. Scope `read_artifacts`.
   *
   * @throws `not_found` when there is no such build or your user cannot see it.
   * @example
   * ```ts
   * for await (const artifact of ci.artifacts.list({ org_slug: 'acme', pipeline_slug: 'web', number: 42 })) {
   *   console.log(artifact.path, artifact.file_size, artifact.sha1sum)
   * }
   * ```
   */
  list(params: ListArtifactsParams, options?: ListOptions): PagePromise<Artifact> {
    return this.#caller.pages('artifacts.list', params, options)
  }

  /**
   * The artifacts of one job; otherwise as {@link Artifacts.list}. Scope `read_artifacts`.
   *
   * @throws As {@link Artifacts.list}.
   * @example
   * ```ts
   * const job_id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
   * const path = { org_slug: 'acme', pipeline_slug: 'web', number: 42, job_id }
   * const files = await ci.artifacts.listForJob(path).toArray()
   * ```
   */
  listForJob(params: ListJobArtifactsParams, options?: ListOptions): PagePromise<Artifact> {
    return this.#caller.pages('artifacts.listForJob', params, options)
  }

  /**
   * Where the content of an artifact is: a URL that holds for a short time (about a minute), as a rule at another
   * origin. The redirect that names it is not followed, because that origin must not get your token: fetch it without
   * one, and compare size and SHA-1 with the artifact's. Scope `read_artifacts`.
   *
   * @throws `not_found` for an artifact that is gone or not `finished`; `invalid_response` when the answer names no URL.
   * @example
   * ```ts
   * const path = { org_slug: 'acme', pipeline_slug: 'web', number: 42 }
   * for await (const { id: artifact_id, job_id } of ci.artifacts.list(path)) {
   *   const { url } = await ci.artifacts.download({ ...path, job_id, artifact_id })
   *   const content = await (await fetch(url)).arrayBuffer()
   * }
   * ```
   */
  download(params: ArtifactPath, options?: CallOptions): ApiPromise<ArtifactDownload> {
    return this.#caller.call('artifacts.download', params, options)
  }
}
