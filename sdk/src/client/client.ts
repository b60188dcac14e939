/// <reference lib="esnext.disposable" preserve="true" />

import { apiOperations } from '../contract/operations.gen.js'
import type { GraphqlRequest } from '../contract/schemas.gen.js'
import { type ApiPromise, PendingCall } from '../http/api-promise.js'
import { expectRecord, type HttpAnswer, type RequestName, strictJson } from '../http/body.js'
import { type EncodedCall, operationCall } from '../http/call.js'
import type { CallOptions, CiClientOptions } from '../http/client-options.js'
import { type ClientContext, clientContext, contextFor, contextOf } from '../http/context.js'
import { type FreeRequest, type FreeResponse, freeRequest } from '../http/free-request.js'
import { send } from '../http/send.js'
import type { TokenProvider } from '../http/token-provider.js'
import { AccessTokenResource } from '../resources/access-token.js'
import { Annotations } from '../resources/annotations.js'
import { Artifacts } from '../resources/artifacts.js'
import { Builds } from '../resources/builds.js'
import { Jobs } from '../resources/jobs.js'
import { Organizations } from '../resources/organizations.js'
import { Pipelines } from '../resources/pipelines.js'
import { Tests } from '../resources/tests.js'
import { UserResource } from '../resources/user.js'

/** A GraphQL answer: `errors` come with HTTP 200 and are returned, not thrown. */
export interface GraphqlResult<T> {
  data?: T | null
  errors?: { message: string }[]
}

/**
 * The client of one service: typed operations, each retried only where repeating is safe, never
 * earlier than the server allows, within `timeoutMs`.
 *
 * Any call can reject with `unauthorized`, `insufficient_scope`, `forbidden`, `not_found`,
 * `rate_limited`, `server_error`, `redirect_refused`, another {@link ApiError}, `connection`,
 * `timeout`, `invalid_response`, `config`, what its token provider throws, and the reason of its
 * `signal`. A method's own documentation names what is particular to it.
 *
 * @throws {@link ConfigError} `config` from the constructor for an option that cannot be used.
 * @example
 * ```ts
 * const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth: token })
 * const build = await ci.builds.get({ org_slug: 'acme', pipeline_slug: 'web', number: 42 })
 * ```
 */
export class CiClient implements AsyncDisposable {
  /** Builds: list, get, create, cancel, rebuild, retryFailedJobs. */
  readonly builds: Builds
  /** Test records: list, get, find, changeLabels. */
  readonly tests: Tests
  /** The person the token acts for (an extension; a server may lack it). */
  readonly user: UserResource
  /** The token itself (an extension; a server may lack it). */
  readonly accessToken: AccessTokenResource
  /** Organizations (an extension; a server may lack it). */
  readonly organizations: Organizations
  /** Pipelines (an extension; a server may lack it). */
  readonly pipelines: Pipelines
  /**
   * Single jobs and their logs: get, retry, unblock, log, logText (an extension; a server may lack
   * it).
   */
  readonly jobs: Jobs
  /** Notes on builds: list, create (an extension; a server may lack it). */
  readonly annotations: Annotations
  /**
   * Files that jobs left behind: list, listForJob, download (an extension; a server may lack it).
   */
  readonly artifacts: Artifacts
  readonly #context: ClientContext

  constructor(options: CiClientOptions) {
    // A client made by withAuth hands its finished context over under a symbol that no caller has.
    const given: CiClientOptions & { [contextOf]?: ClientContext } = options ?? {}
    this.#context = given[contextOf] ?? clientContext(options)
    this.builds = new Builds(this.#context)
    this.tests = new Tests(this.#context)
    this.user = new UserResource(this.#context)
    this.accessToken = new AccessTokenResource(this.#context)
    this.organizations = new Organizations(this.#context)
    this.pipelines = new Pipelines(this.#context)
    this.jobs = new Jobs(this.#context)
    this.annotations = new Annotations(this.#context)
    this.artifacts = new Artifacts(this.#context)
  }

  /** @internal What functions beside the client, such as `waitForBuild`, share with it. */
  get [contextOf](): ClientContext {
    return this.#context
  }

  /**
   * A client for another user over the same connections: it shares transport, limits and the
   * organizations' request windows, and has a user window of its own. Cheap; one process can act as
   * thousands of users. Closed with its parent.
   *
   * @throws {@link ConfigError} `config` when the text cannot be a token.
   * @example
   * ```ts
   * const asAda = ci.withAuth(exchange.tokenProvider({ subject_token: 'ada@acme.example', audience: 'acme' }))
   * ```
   */
  withAuth(auth: string | TokenProvider): CiClient {
    const shared = { baseUrl: this.#context.api.href, [contextOf]: contextFor(this.#context, auth) }
    return new CiClient(shared)
  }

  /**
   * Any request to the service, with the same token, limits and rate gate. `path` is a path below
   * `baseUrl` or a URL on its origin. GET and HEAD are retried, nothing else is. Every status is
   * returned, not thrown; redirects are not followed.
   *
   * @throws `config` for another origin; `connection`, `timeout`; `invalid_response` above
   * `maxBodyBytes`; `rate_limited` when the gate stopped it.
   * @example
   * ```ts
   * const { response, text } = await ci.request({ method: 'GET', path: '/v2/organizations/acme/pipelines/web' })
   * if (response.status === 200) console.log(JSON.parse(await text()))
   * ```
   */
  request(params: FreeRequest, options: CallOptions = {}): Promise<FreeResponse> {
    return freeRequest(this.#context, params, options)
  }

  /**
   * Runs a GraphQL document. It may hold a mutation, so it is sent once. Scope `graphql`.
   *
   * @throws As any call; errors that GraphQL reports are in the result's `errors`.
   * @example
   * ```ts
   * const { data } = await ci.graphql<{ viewer: { user: { name: string } } }>({ query: '{ viewer { user { name } } }' })
   * ```
   */
  graphql<T = unknown>(
    params: GraphqlRequest,
    options: CallOptions = {},
  ): ApiPromise<GraphqlResult<T>> {
    const prepare = (): EncodedCall => operationCall(this.#context, apiOperations.graphql, params)
    const read = (answer: HttpAnswer, asked: RequestName): GraphqlResult<T> =>
      expectRecord(strictJson(answer, asked), apiOperations.graphql, asked)
    return new PendingCall(send(this.#context, prepare, options, read))
  }

  /**
   * Ends the connections when running calls are done. Not needed for a program to end: idle
   * connections do not keep it alive. A call after it is a ConfigError. A transport or dispatcher
   * that was given is left alone, and so is the client that made this one by `withAuth`.
   */
  close(): Promise<void> {
    return this.#context.lifetime.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
