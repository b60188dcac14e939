import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.js'
import type { Control } from '../control/control.js'
import { granted } from '../control/control-error.js'
import type { Urls } from '../request/context.js'
import type { DoorFacts } from '../request/exchange.js'
import { checkSandboxOptions, type MockServerOptions, type SandboxOptions } from '../sandbox/options.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { InProcessDispatcher } from './doors/dispatcher.js'
import type { Listening, ListenOptions } from './doors/node.js'
import { MockServerHost } from './mock-server.js'
import type { ReadyInfo } from './ready-info.js'

/** One isolated part of a server, with URLs of its own. */
export interface SandboxHandle extends Urls, AsyncDisposable {
  readonly id: string
  /** Name in the seed to value. */
  readonly accessTokens: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly control: Control
  fetch(request: Request, info?: { readonly ip?: string }): Promise<Response>
  close(): Promise<void>
}

/** The reference server. Its URLs are fixed by options, else they change once, at `listen()`. */
export interface MockServer extends Urls, AsyncDisposable {
  readonly controlToken: string
  /** Of the sandbox `main`. */
  readonly clock: Clock
  /** Of the sandbox `main`; calls wait until the server is ready. */
  readonly control: Control
  /** @throws SeedError, StoreError when the server could not be loaded. */
  ready(): Promise<ReadyInfo>
  /** Answers a request in process; waits until the server is ready. */
  fetch(request: Request, info?: { readonly ip?: string }): Promise<Response>
  /** Puts the server on a port, once. */
  listen(options?: ListenOptions): Promise<Listening>
  /** An undici dispatcher that calls this server; other origins go to `fallback`, or fail. */
  dispatcher(options?: { readonly fallback?: Dispatcher | undefined }): Dispatcher
  /** Makes an isolated sandbox. @throws TypeError for a bad option; ControlError `conflict`, `invalid` */
  sandbox(options?: SandboxOptions): Promise<SandboxHandle>
  /** Idempotent; stores the last batch. */
  close(): Promise<void>
}

const loopback = '127.0.0.1'
const inProcess = (ip = loopback): DoorFacts => ({ door: 'fetch', peer: ip })

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
  const close = (): Promise<void> => host.close()
  return {
    get baseUrl() {
      return host.urls.baseUrl
    },
    get authUrl() {
      return host.urls.authUrl
    },
    get webUrl() {
      return host.urls.webUrl
    },
    controlToken: host.controlToken,
    clock: host.clock,
    control: host.control(),
    dispatcher: (dispatcherOptions) => new InProcessDispatcher(host, dispatcherOptions?.fallback),
    ready: () => host.ready(),
    fetch: (request, info) => host.fetch(request, inProcess(info?.ip)),
    listen: (listenOptions) => host.listen(listenOptions),
    async sandbox(sandboxOptions) {
      const sandboxes = await host.sandboxes()
      if (sandboxOptions !== undefined) checkSandboxOptions(sandboxOptions)
      const made = granted(await sandboxes.create(sandboxOptions))
      return handleOf(made, host, () => sandboxes.delete(made.id))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function handleOf(sandbox: Sandbox, host: MockServerHost, remove: () => Promise<unknown>): SandboxHandle {
  const close = async (): Promise<void> => {
    await remove()
  }
  return {
    id: sandbox.id,
    get baseUrl() {
      return sandbox.current.urls.baseUrl
    },
    get authUrl() {
      return sandbox.current.urls.authUrl
    },
    get webUrl() {
      return sandbox.current.urls.webUrl
    },
    get accessTokens() {
      return sandbox.current.seeded.accessTokens
    },
    clock: sandbox.setup.clock,
    control: host.control(sandbox),
    fetch: (request, info) => host.fetch(request, inProcess(info?.ip)),
    close,
    [Symbol.asyncDispose]: close,
  }
}
