import { randomBytes } from 'node:crypto'
import { createApp } from './app.js'
import { systemClock } from './clock.js'
import type { Urls } from './context.js'
import { type Listening, type ListenOptions, listenOnPort, type NodeDoor } from './doors/node.js'
import { createHandlers } from './handlers.js'
import type { GuardOptions } from './http/guard.js'
import type { DoorFacts } from './live-exchange.js'
import { openapiText } from './openapi.js'
import { defaultLimits, type Limits, type MockServerOptions } from './options.js'
import { createPages } from './pages/index.js'
import { Sandbox, type SandboxSetup } from './sandbox.js'
import { asVirtual, Sandboxes } from './sandboxes.js'
import { openSeed } from './seed/seed.js'
import { ServerCore, unavailable } from './server-core.js'
import { defaultSettings, type Settings } from './settings.js'
import { openStore } from './store/open-store.js'
import { loadStrictCheck } from './strict.js'
import { version } from './version.js'
import type { VirtualClock } from './virtual-clock.js'

/** What the ready line says. */
export interface ReadyInfo {
  readonly event: 'ready'
  readonly version: string
  readonly pid: number
  /** Null while the server has no port. */
  readonly port: number | null
  readonly baseUrl: string
  readonly authUrl: string
  readonly webUrl: string
  readonly controlUrl: string
  /** Absent when the caller gave it. */
  readonly controlToken?: string
  readonly accessTokens: Readonly<Record<string, string>>
  readonly seed: string
  /** False when the data was there already. */
  readonly seeded: boolean
  readonly durable: boolean
}

const inProcessOrigin = 'http://mock.localhost'

/** What was loaded in the background: from then on there is a server. */
interface Loaded {
  readonly core: ServerCore
  readonly sandboxes: Sandboxes
  readonly main: Sandbox
  readonly seedName: string
}

/** The reference server: one handler, reached through several doors. */
export class MockServerHost {
  readonly clock: VirtualClock
  readonly controlToken: string
  readonly limits: Limits
  readonly #options: MockServerOptions
  readonly #loading: Promise<Loaded>
  #loaded: Loaded | undefined
  #urls: Urls
  #door: NodeDoor | undefined
  #closing: Promise<void> | undefined

  constructor(options: MockServerOptions) {
    this.#options = options
    this.clock = asVirtual(options.clock)
    this.limits = { ...defaultLimits, ...options.limits }
    this.controlToken = options.controlToken ?? randomBytes(24).toString('base64url')
    this.#urls = urlsFrom(options, inProcessOrigin)
    this.#loading = this.#load()
    // Whoever waits for ready() hears of it; nobody has to.
    this.#loading.catch(() => undefined)
  }

  get urls(): Urls {
    return this.#urls
  }

  async ready(): Promise<ReadyInfo> {
    const { main, seedName } = await this.#loading
    const { store, seeded } = main.current
    return {
      event: 'ready',
      version,
      pid: process.pid,
      port: this.#door?.port ?? null,
      ...this.#urls,
      controlUrl: `${this.#urls.baseUrl}/_control`,
      ...(this.#options.controlToken === undefined && { controlToken: this.controlToken }),
      accessTokens: seeded.accessTokens,
      seed: seedName,
      seeded: main.seeded,
      durable: store.durable,
    }
  }

  async fetch(request: Request, facts: DoorFacts, signal: AbortSignal = request.signal): Promise<Response> {
    const { core } = await this.#loading
    if (this.#closing) return unavailable(request.url)
    return core.handle(request, facts, request.url, signal)
  }

  async listen(options: ListenOptions = {}): Promise<Listening> {
    if (this.#door !== undefined) throw new Error('This server listens already')
    const door = await listenOnPort(
      async (request, facts, target, signal) => {
        if (this.#loaded === undefined || this.#closing) return this.#notThere(target)
        return this.#loaded.core.handle(request, facts, target, signal)
      },
      this.limits,
      options,
    )
    this.#door = door
    this.#urls = urlsFrom(this.#options, door.url)
    return { url: door.url, host: door.host, port: door.port, close: () => this.close() }
  }

  async sandboxes(): Promise<Sandboxes> {
    return (await this.#loading).sandboxes
  }

  /** Drains for at most `drainMs`, then ends what is left and stores the last batch. */
  close(drainMs = 0): Promise<void> {
    this.#closing ??= this.#close(drainMs)
    return this.#closing
  }

  async #close(drainMs: number): Promise<void> {
    const door = this.#door
    if (this.#loaded) this.#loaded.core.closing = true
    if (door !== undefined) {
      const drained = door.drain()
      const patience = new AbortController()
      if (drainMs > 0) {
        await Promise.race([drained, systemClock.sleep(drainMs, patience.signal).catch(() => undefined)])
      }
      patience.abort()
      door.destroy()
      await drained
    }
    const loaded = await this.#loading.catch(() => undefined)
    await loaded?.sandboxes.close()
  }

  /** The answer before loading and after closing: health tells which, all else is unavailable. */
  #notThere(target: string): Response {
    const path = target.split('?', 1)[0] ?? ''
    if (path === '/_control/health/live') return Response.json({ live: true })
    if (path === '/_control/health/ready') {
      return Response.json({ ready: false, reason: this.#closing ? 'closing' : 'loading' }, { status: 503 })
    }
    return unavailable(target)
  }

  async #load(): Promise<Loaded> {
    const options = this.#options
    const seed = await openSeed(options.seed)
    const opened = await openStore(options.persistence === undefined ? {} : { persistence: options.persistence })
    const setup: SandboxSetup = {
      id: 'main',
      seed,
      clock: this.clock,
      randomSeed: options.randomSeed ?? 1,
      lifecycle: options.lifecycle ?? { policy: 'manual' },
      settings: settingsFrom(options),
      urls: () => this.#urls,
      jwksFetch: options.jwksFetch,
      requestLog: options.requestLog,
      strict: options.strict,
      accessTokens: options.accessTokens,
    }
    const main = await Sandbox.open(setup, opened)
    const sandboxes = new Sandboxes({
      main,
      max: options.sandboxes?.max ?? 2_000,
      idleTtlMs: options.sandboxes?.idleTtlMs ?? 30 * 60_000,
      newId: () => randomBytes(6).toString('hex'),
      defaults: setup,
      seed: options.seed ?? 'empty',
      urls: () => this.#urls,
    })
    const app = createApp({
      handlers: createHandlers(),
      pages: createPages(),
      document: ({ sandbox }) => openapiText(sandbox.urls),
      options: {
        bodyLimit: this.limits.restBody,
        check: options.strict === true ? await loadStrictCheck() : undefined,
      },
    })
    const core = new ServerCore({
      app,
      control: undefined,
      sandboxes,
      limits: this.limits,
      cors: options.cors ?? '*',
      guard: () => this.#guard(),
      log: (line) => options.log?.(line),
    })
    this.#loaded = { core, sandboxes, main, seedName: seed.name }
    return this.#loaded
  }

  #guard(): GuardOptions {
    const own = Object.values(this.#urls).map((url) => new URL(url).hostname)
    return { hosts: [...own, ...(this.#options.controlHosts ?? [])], remote: this.#options.remote === true }
  }
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

const urlsFrom = ({ baseUrl, authUrl, webUrl }: MockServerOptions, origin: string): Urls => ({
  baseUrl: withoutSlash(baseUrl ?? origin),
  authUrl: withoutSlash(authUrl ?? origin),
  webUrl: withoutSlash(webUrl ?? origin),
})

/** The settings among the options; absent ones stay absent, so that a seed's own count. */
function settingsFrom(options: MockServerOptions): Partial<Settings> {
  const names = Object.keys(defaultSettings) as (keyof Settings)[]
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}
