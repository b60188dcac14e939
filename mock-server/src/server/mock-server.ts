import { randomBytes } from 'node:crypto'
import { systemClock } from '../base/clock.js'
import { once } from '../base/once.js'
import { version } from '../base/version.js'
import type { VirtualClock } from '../base/virtual-clock.js'
import { type Control, createControl } from '../control/control.js'
import { type ControlHost, type NotReady, notFound } from '../control/host.js'
import { timestamp } from '../domain/timestamp.js'
import { formatPath } from '../fields/field.js'
import { type WithoutNullKeys, withoutNullKeys } from '../fields/merge.js'
import { streamed } from '../request/answer.js'
import { Authority } from '../request/authority.js'
import { clientOf, type InProcessFacts, type Urls } from '../request/exchange.js'
import { createRedactor } from '../request/log/redact.js'
import type { Examiner } from '../request/overlay.js'
import { createControlApp } from '../routes/control.js'
import {
  checkOptions,
  type Limits,
  limitsOf,
  type MockServerOptions,
  type SandboxSetup,
} from '../sandbox/options.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { asVirtual, Sandboxes } from '../sandbox/sandboxes.js'
import { checkSeed } from '../sandbox/seeded-state.js'
import { openSeed, type Seed } from '../seed/seed.js'
import type { Settings } from '../seed/settings.js'
import { lowdbMemory } from '../store/lowdb.js'
import { openStore } from '../store/open-store.js'
import type { Persistence } from '../store/persistence.js'
import { createApp } from './app.js'
import { loadAdapter } from './doors/adapter.js'
import type { Listening, ListenOptions, NodeDoor } from './doors/node.js'
import { ServerCore, unavailable } from './server-core.js'

const inProcessOrigin = 'http://mock.localhost'

/** What the ready line says. */
export type ReadyInfo = Readonly<Awaited<ReturnType<MockServerHost['ready']>>>

interface LoadedServer {
  readonly core: ServerCore
  readonly sandboxes: Sandboxes
  readonly main: Sandbox
  readonly seedName: string
}

/** The reference server: one handler, which several adapters call. */
export class MockServerHost {
  readonly clock: VirtualClock
  readonly controlToken: string
  readonly limits: Limits
  readonly #options: WithoutNullKeys<MockServerOptions>
  readonly #settings: Settings
  readonly #persistence: Persistence
  readonly #preparing: Promise<Seed>
  readonly #loading: Promise<LoadedServer>
  #binding: Promise<NodeDoor> | undefined
  #loaded: LoadedServer | undefined
  #authority: Authority
  #door: NodeDoor | undefined
  #closing: Promise<void> | undefined
  #stopped = false
  readonly #patience = new AbortController()
  readonly #controlHost: ControlHost
  readonly #examiner: Examiner | undefined

  constructor(given: MockServerOptions, examiner?: Examiner) {
    this.#examiner = examiner
    this.#settings = checkOptions(given)
    const options = withoutNullKeys(given)
    this.#options = options
    this.clock = asVirtual(options.clock)
    this.#persistence = options.persistence ?? lowdbMemory()
    this.limits = limitsOf(options)
    this.controlToken = options.controlToken ?? randomBytes(24).toString('base64url')
    this.#authority = new Authority(options, inProcessOrigin, options.allowHosts)
    this.#controlHost = {
      startedAt: timestamp(systemClock.now()),
      limits: this.limits,
      sandboxes: () => this.#loaded?.sandboxes ?? null,
      isListening: () => this.#door !== undefined,
      internalErrors: () => this.#loaded?.core.internalErrors ?? 0,
      droppedLogLines: () => options.droppedLogLines?.() ?? 0,
      notReady: () => this.#notReady(),
    }
    this.#preparing = this.#prepare()
    this.#loading = this.#load().catch(async (error) => {
      await this.#persistence.close()
      throw error
    })
    // ready() reports the error; this keeps Node from reporting an unhandled rejection.
    this.#loading.catch(() => undefined)
  }

  get urls(): Urls {
    return this.#authority.urls
  }

  async ready() {
    const { main, seedName } = await this.#loading
    const { store, seeded } = main.current
    return {
      event: 'ready' as const,
      version,
      pid: process.pid,
      /** Null while the server has no port. */
      port: this.#door?.port ?? null,
      ...this.urls,
      controlUrl: `${this.urls.baseUrl}/_control`,
      ...(this.#options.controlToken === undefined && {
        /** Absent when the caller gave it. */
        controlToken: this.controlToken,
      }),
      accessTokens: seeded.accessTokens,
      seed: seedName,
      /** False when the data was there already. */
      seeded: main.seeded,
      durable: store.durable,
    }
  }

  async fetch(
    request: Request,
    facts: InProcessFacts,
    signal: AbortSignal = request.signal,
  ): Promise<Response> {
    // Not `instanceof`: a Request may come from another realm, such as MSW's.
    if (typeof request.url !== 'string')
      throw new TypeError('fetch takes a Request: new Request(url, { headers })')
    const { core } = await this.#loading
    if (this.#stopped) return streamed(this.#unavailable(request, request.url))
    return streamed(
      await core.handle(
        request,
        { ...facts, client: clientOf(signal) },
        this.#authority.withoutPrefix(request.url),
      ),
    )
  }

  /** `isQuick`: the port opens before all is loaded that the first request needs. */
  async listen(options: ListenOptions = {}, isQuick = false): Promise<Listening> {
    if (this.#closing !== undefined) throw new Error('This server is closed')
    if (this.#binding !== undefined) throw new Error('This server listens already')
    this.#binding = this.#bind(options, isQuick)
    const { url, host, port } = await this.#binding
    return { url, host, port, close: () => this.close() }
  }

  /** Opens the port when seed and store are checked, so that no client meets a port that closes. */
  async #bind(options: ListenOptions, isQuick: boolean): Promise<NodeDoor> {
    await this.#preparing
    const { listenOnPort } = await import('./doors/node.js')
    // A program that moves a virtual clock counts on requests that the server takes at once.
    if (!isQuick) await loadAdapter()
    const door = await listenOnPort(
      async (request, facts, target) => {
        if (this.#loaded === undefined || this.#stopped) return this.#notThere(request, target)
        return this.#loaded.core.handle(request, facts, target)
      },
      this.limits,
      options,
      () => this.clock.now(),
    )
    this.#door = door
    // After the ready line, which the caller writes first.
    if (isQuick) this.#loading.then(() => setImmediate(loadAdapter)).catch(() => undefined)
    this.#authority = new Authority(this.#options, door.url, this.#options.allowHosts)
    return door
  }

  /** The control API of a sandbox, `main` by default; its calls wait until the server is ready. */
  control(sandbox?: Sandbox): Control {
    return createControl(this.#controlHost, async () => {
      const { main, sandboxes } = await this.#loading
      if (sandbox !== undefined && sandboxes.at(sandbox.id) !== sandbox) notFound('sandbox')
      return sandbox ?? main
    })
  }

  owns(origin: string): boolean {
    return this.#authority.owns(origin)
  }

  async sandboxes(): Promise<Sandboxes> {
    if (this.#closing !== undefined) throw new Error('This server is closed')
    return (await this.#loading).sandboxes
  }

  /** Waits at most `drainMs` for open requests, then ends them and stores the last batch. */
  close(drainMs = 0): Promise<void> {
    this.#closing ??= this.#close(drainMs)
    return this.#closing
  }

  cutDrain(): void {
    this.#patience.abort()
  }

  async #close(drainMs: number): Promise<void> {
    const door = await this.#binding?.catch(() => undefined)
    if (this.#loaded) this.#loaded.core.closing = true
    if (door !== undefined) {
      const drained = door.drain()
      const patience = systemClock.sleep(drainMs, this.#patience.signal).catch(() => undefined)
      if (drainMs > 0) await Promise.race([drained, patience])
      this.#patience.abort()
      door.destroy()
      await drained
    }
    this.#stopped = true
    const loaded = await this.#loading.catch(() => undefined)
    await loaded?.sandboxes.close()
  }

  /** The answer before loading and after closing: 503, and the reason under the health paths. */
  #notThere(request: Request, target: string): Response {
    const path = target.split('?', 1)[0] ?? ''
    if (path === '/_control/health/live') return Response.json({ live: true })
    if (path === '/_control/health/ready') {
      return Response.json(
        { ready: false, reason: this.#stopped ? 'closing' : 'loading' },
        { status: 503 },
      )
    }
    return this.#unavailable(request, target)
  }

  #unavailable(request: Request, target: string): Response {
    return unavailable(request, target, this.#options.cors ?? '*', this.clock.now())
  }

  /** Checks the seed, then opens the store. */
  async #prepare(): Promise<Seed> {
    const { seed: given } = this.#options
    const seed = await openSeed(given)
    // Generated seeds have no errors. A document is loaded once here, before a port or store opens.
    if (typeof given === 'object') await checkSeed(seed, this.#settings)
    await this.#persistence.open?.()
    return seed
  }

  async #load(): Promise<LoadedServer> {
    const options = this.#options
    const seed = await this.#preparing
    // The port opens before loading, so that health checks are answered. listen() reports its
    // errors.
    await this.#binding?.catch(() => undefined)
    const opened = await openStore({ persistence: this.#persistence })
    opened.store.onReadOnly((reason) => {
      const facts =
        reason === null ? { readOnly: false } : { readOnly: true, reason: String(reason.cause) }
      options.log?.({ level: reason === null ? 'info' : 'error', msg: 'readOnly', ...facts })
    })
    opened.store.onRefusal(({ message }) =>
      options.log?.({ level: 'error', msg: 'refused', reason: message }),
    )
    const setup: SandboxSetup = {
      ...options,
      id: 'main',
      seed,
      clock: this.clock,
      randomSeed: options.randomSeed ?? 1,
      lifecycle: options.lifecycle ?? { policy: 'manual' },
      settings: this.#settings,
      authority: () => this.#authority,
      redactor: createRedactor(),
      examiner: this.#examiner,
    }
    const main = await Sandbox.open(setup, opened)
    for (const { path, message } of main.current.seeded.notices) {
      options.log?.({
        level: 'warn',
        msg: 'notice',
        notice: `${seed.name} ${formatPath(path)}: ${message}`,
      })
    }
    const sandboxes = new Sandboxes({
      main,
      max: options.sandboxes?.max ?? 2_000,
      idleTtlMs: options.sandboxes?.idleTtlMs ?? 30 * 60_000,
      newId: () => randomBytes(6).toString('hex'),
      defaults: { ...setup, ids: undefined },
      seed: options.seed ?? 'empty',
    })
    const controls = new WeakMap<Sandbox, Control>()
    const core = new ServerCore({
      app: createApp(options.strict === true ? await strictCheck() : undefined),
      control: createControlApp({
        token: () => this.controlToken,
        controlOf: ({ sandbox: { id, askedAt } }) => {
          const sandbox = sandboxes.at(id)
          const make = () => createControl(this.#controlHost, async () => sandbox, askedAt)
          return askedAt === undefined ? once(controls, sandbox, make) : make()
        },
      }),
      sandboxes,
      limits: this.limits,
      cors: options.cors ?? '*',
      guarded: () => ({ hosts: this.#authority.hostnames, remote: options.remote === true }),
      log: options.log,
    })
    this.#loaded = { core, sandboxes, main, seedName: seed.name }
    return this.#loaded
  }

  #notReady(): NotReady {
    if (this.#closing) return 'closing'
    if (!this.#loaded) return 'loading'
    return this.#loaded.main.current.store.readOnlyReason ? 'readOnly' : null
  }
}

/** The check of answers, with the whole contract, which only `--strict` needs. */
async function strictCheck() {
  const { loadStrictCheck } = await import('../request/openapi.js')
  return await loadStrictCheck()
}
