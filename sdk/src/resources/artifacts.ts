import { checkedNames } from '../base/checked.js'
import type {
  Artifact,
  ArtifactDownload,
  ArtifactPath,
  ListArtifactsParams,
  ListJobArtifactsParams,
} from '../contract/schemas.gen.js'
import { type ApiPromise, type CallResult, PendingCall } from '../http/api-promise.js'
import { Caller, type ListOptions } from '../http/caller.js'
import { type CallOptions, callNames } from '../http/client-options.js'
import type { PagePromise } from '../http/page.js'
import { type ByteStream, bodyOf, openStream } from './byte-stream.js'

/** How the content of an artifact is read. */
export interface ArtifactContentOptions extends CallOptions {
  /**
   * The size in the artifact's record, in bytes. If the storage sends gzip of exactly this size, the
   * record describes the packed bytes, and they are not unpacked (except by `fetchTransport`).
   */
  file_size?: number | null | undefined
}

/**
 * Files that jobs left behind: `path` names a job in the examples. An extension: a server may lack
 * it.
 */
export class Artifacts extends Caller {
  /**
   * The artifacts of a build, by path; those of some paths or states with the filters `path` and
   * `state`, which a service may ignore. The `path` of an artifact is foreign text: never write to
   * it unchecked. Scope `read_artifacts`.
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
    return this.pages('artifacts.list', params, options)
  }

  /**
   * The artifacts of one job; otherwise as {@link Artifacts.list}. Scope `read_artifacts`.
   *
   * @throws As {@link Artifacts.list}.
   */
  listForJob(params: ListJobArtifactsParams, options?: ListOptions): PagePromise<Artifact> {
    return this.pages('artifacts.listForJob', params, options)
  }

  /**
   * Where the content of an artifact is: a URL that holds for a short time (about a minute), as a
   * rule at another origin. The redirect that names it is not followed, because that origin must
   * not get your token: fetch it without one, and compare size and SHA-1 with the artifact's. Scope
   * `read_artifacts`.
   *
   * @throws `not_found` for an artifact that is gone or not `finished`; `invalid_response` when the
   * answer names no URL.
   * @example
   * ```ts
   * for await (const { id: artifact_id } of ci.artifacts.listForJob(path)) {
   *   const { url } = await ci.artifacts.download({ ...path, artifact_id })
   *   const content = await (await fetch(url)).arrayBuffer()
   * }
   * ```
   */
  download(params: ArtifactPath, options?: CallOptions): ApiPromise<ArtifactDownload> {
    return this.call('artifacts.download', params, options)
  }

  /**
   * The content of an artifact as a stream: asks where it is, and fetches it from there without
   * your token, whatever origin that is. The address must be https, or http where `baseUrl` is; a
   * storage may redirect the request, up to three times. A content that the storage names gzip in
   * `Content-Encoding` is unpacked, unless its packed bytes are `file_size`. The bytes are not checked
   * against the artifact's record: compare their number and SHA-1 with its `file_size` and `sha1sum`.
   * Scope `read_artifacts`.
   *
   * @throws As {@link Artifacts.download}; what the other origin answers is an error as any other;
   * `connection` or `timeout` from the loop.
   * @example
   * ```ts
   * import { createHash } from 'node:crypto'
   * for await (const { id: artifact_id, file_size, sha1sum } of ci.artifacts.listForJob(path)) {
   *   const hash = createHash('sha1')
   *   const content = await ci.artifacts.content({ ...path, artifact_id }, { file_size })
   *   for await (const part of content) hash.update(part)
   *   if (hash.digest('hex') !== sha1sum) throw new Error('the content is damaged')
   * }
   * ```
   */
  content(params: ArtifactPath, options: ArtifactContentOptions = {}): ApiPromise<ByteStream> {
    return new PendingCall(this.#content(params, options))
  }

  async #content(
    params: ArtifactPath,
    options: ArtifactContentOptions,
  ): Promise<CallResult<ByteStream>> {
    const { file_size = null, ...call } = checkedNames('options', options, {
      ...callNames,
      file_size: true,
    })
    const named = await this.download(params, call).withResponse()
    const { data, response } = await this.elsewhere('artifacts.download', named, call, file_size)
    return { data: openStream(data.body ?? bodyOf([]), { size: data.size }), response }
  }
}
