import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.js'
import type { Control } from '../control/control.js'
import { granted } from '../control/host.js'
import type { Urls } from '../request/exchange.js'
import {
  checkSandboxOptions,
  type MockServerOptions,
  type SandboxOptions,
} from '../sandbox/options.js'
import { inProcessDispatcher } from './doors/dispatcher.js'
import type { Listening, ListenOptions } from './doors/node.js'
import { type InProcessTransport, inProcessTransport } from './doors/transport.js'
import { MockServerHost, type ReadyInfo } from './mock-server.js'

interface ServerHandle extends Urls, AsyncDisposable {
  readonly clock: Clock
  /** Its calls wait until the server is ready. */
  readonly control: Control
  /** Answers a request in process; waits until the server is ready. */
  fetch(request: Request, info?: { readonly ip?: string }): Promise<Response>
  /** Idempotent; a server stores its last batch. */
  close(): Promise<void>
}

/** An isolated server within the server, with its own URLs. */
export interface SandboxHandle extends ServerHandle {
  readonly id: string
  /** Values of the access tokens by their names in the seed. */
  readonly accessTokens: Readonly<Record<string, string>>
}

/**
 * The reference server. Its URLs are fixed by options, else they change once, at `listen()`; clock
 * and control are those of the sandbox `main`.
 */
export interface MockServer extends ServerHandle {
  readonly controlToken: string
  /** @throws SeedError, StoreError when the server could not be loaded. */
  ready(): Promise<ReadyInfo>
  /** Puts the server on a port, once. */
  listen(options?: ListenOptions): Promise<Listening>
  /**
   * The `transport` of a `CiClient`, and of the SDK's OAuth functions, that calls this server in
   * this process. It works on every runtime; other origins fail.
   */
  transport(): InProcessTransport
  /**
   * An undici dispatcher that calls this server; other origins go to `fallback`, or fail.
   *
   * @throws Error where undici cannot be loaded: in a bundle, and in runtimes other than Node.
   */
  dispatcher(options?: { readonly fallback?: Dispatcher | undefined }): Dispatcher
  /**
   * Makes an isolated sandbox. @throws TypeError for a bad option; ControlError `conflict`,
   * `invalid`
   */
  sandbox(options?: SandboxOptions): Promise<SandboxHandle>
}

/**
 * Creates the server; it loads in the background.
 *
 * @throws TypeError for a bad option.
 * @example
 * await using server = createMockServer({ seed: 'demo' })
 * const { accessTokens } = await server.ready()
 * const response = await server.fetch(new Request(`${server.baseUrl}/v2/builds`, {
 *   headers: { authorization: `Bearer ${accessTokens['admin']}` },
 * }))
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  const host = new MockServerHost(options)
  return handle(host, host, {
    controlToken: host.controlToken,
    clock: host.clock,
    control: host.control(),
    dispatcher: (given?: { readonly fallback?: Dispatcher | undefined }) =>
      inProcessDispatcher(host, given?.fallback),
    transport: () => inProcessTransport(host),
    ready: () => host.ready(),
    listen: (given?: ListenOptions) => host.listen(given),
    async sandbox(given?: SandboxOptions) {
      const sandboxes = await host.sandboxes()
      if (given !== undefined) checkSandboxOptions(given)
      const made = granted(await sandboxes.create(given))
      return handle(host, made.current, {
        id: made.id,
        get accessTokens() {
          return made.current.seeded.accessTokens
        },
        clock: made.setup.clock,
        control: host.control(made),
        close: async () => void (await sandboxes.delete(made.id)),
      })
    },
    close: () => host.close(),
  })
}

/** Adds the members that a server and a sandbox have in common to `own`. */
function handle<T extends { close(): Promise<void> }>(
  host: MockServerHost,
  at: { readonly urls: Urls },
  own: T,
) {
  const common = {
    get baseUrl() {
      return at.urls.baseUrl
    },
    get authUrl() {
      return at.urls.authUrl
    },
    get webUrl() {
      return at.urls.webUrl
    },
    fetch: (request: Request, { ip = '127.0.0.1' }: { readonly ip?: string } = {}) =>
      host.fetch(request, { peer: ip }),
    [Symbol.asyncDispose]: () => own.close(),
  }
  return Object.defineProperties(common as typeof common & T, Object.getOwnPropertyDescriptors(own))
}
