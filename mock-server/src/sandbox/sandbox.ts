import { digest } from '../base/digest.js'
import { type Ids, seededIds } from '../base/ids.js'
import { type ClockSetting, VirtualClock } from '../base/virtual-clock.js'
import { FixedWindows } from '../http/fixed-windows.js'
import { PrintedBuilds } from '../http/printed-builds.js'
import { createOAuthState, type OAuthState } from '../oauth/oauth-state.js'
import type { Lifecycle } from '../records/records.js'
import { urlsOfSandbox } from '../request/authority.js'
import type { Exchange, SandboxContext, Urls } from '../request/exchange.js'
import { createRequestLog, type RequestLog } from '../request/log/request-log.js'
import { createOverlay, type Examiner, type Overlay } from '../request/overlay.js'
import { createRules, type Rules } from '../rules/rules.js'
import type { LoadResult } from '../seed/load.js'
import type { Seed } from '../seed/seed.js'
import { mergeSettings, type Settings, type SettingsInput } from '../seed/settings.js'
import type { MemoryStore } from '../store/memory-store.js'
import { memoryStore, type OpenedStore } from '../store/open-store.js'
import { State } from '../store/state.js'
import { driveLifecycle } from './lifecycle/lifecycle.js'
import type { SandboxSetup } from './options.js'
import { fillSeed, forkSeeded, type SeededState } from './seeded-state.js'

/** The generation that a request uses, with the URLs of the host name in the request. */
export type GenerationAtUrl = Omit<Generation, 'seenAt' | 'start' | 'stop'>

export type LiveExchange = Exchange<GenerationAtUrl>

/** What is kept of a loaded seed: the values of its tokens by name, its rules and its notices. */
type SeedResult = Pick<LoadResult, 'accessTokens' | 'rules' | 'notices'>

/** The state of a sandbox between two resets. A request keeps the generation that it began in. */
export class Generation implements SandboxContext {
  readonly id: string
  readonly store: MemoryStore
  readonly clock: VirtualClock
  readonly ids: Ids
  readonly oauth: OAuthState
  readonly linkKey: string
  /** The windows of the rate limit. */
  readonly windows = new FixedWindows()
  readonly printed = { listed: new PrintedBuilds(), alone: new PrintedBuilds() }
  readonly seeded: SeedResult
  readonly rules: Rules
  readonly requestLog: RequestLog
  readonly overlay: Overlay
  /** The server's URLs at another of its host names; undefined at its canonical URLs. */
  readonly askedAt: Urls | undefined = undefined
  // `private` instead of `#`, because the objects that `seenAt` makes inherit from this one.
  private readonly shared: { readonly setup: SandboxSetup; settings: Settings | undefined }
  #detach: (() => void)[] = []

  constructor(setup: SandboxSetup, store: MemoryStore, ids: Ids, seeded: SeedResult) {
    this.shared = { setup, settings: undefined }
    this.id = setup.id
    this.store = store
    this.clock = setup.clock
    this.ids = ids
    this.seeded = seeded
    this.linkKey = ids.secret(32)
    this.oauth = createOAuthState(setup.clock, setup.jwksFetch)
    this.rules = createRules(ids, seeded.rules)
    this.requestLog = createRequestLog(setup.requestLog, setup.redactor)
    this.overlay = createOverlay({
      rules: this.rules,
      log: this.requestLog,
      clock: this.clock,
      examiner: () => setup.examiner,
    })
  }

  get strict(): boolean {
    return this.shared.setup.strict === true
  }

  get urls(): Urls {
    return urlsOfSandbox(this.askedAt ?? this.shared.setup.authority().urls, this.id)
  }

  get allUrls(): readonly Urls[] {
    return this.shared.setup.authority().all.map((urls) => urlsOfSandbox(urls, this.id))
  }

  /** This generation with the URLs of the host name that a request to `url` used. */
  seenAt(url: string): GenerationAtUrl {
    const authority = this.shared.setup.authority()
    const askedAt = authority.at(url)
    const isCanonical = askedAt === authority.urls
    return isCanonical ? this : Object.create(this, { askedAt: { value: askedAt } })
  }

  get settings(): Settings {
    const stored = () => (this.store.state.get('meta', 'settings')?.value ?? {}) as SettingsInput
    this.shared.settings ??= mergeSettings(this.shared.setup.settings, stored())
    return this.shared.settings
  }

  get lifecycle(): Lifecycle {
    const stored = this.store.state.get('meta', 'lifecycle')?.value
    return (stored as Lifecycle | undefined) ?? this.shared.setup.lifecycle
  }

  start(): void {
    const lifecycle = driveLifecycle(this)
    this.#detach = [
      this.store.onChange((changes) => {
        if (changes.some(({ collection, id }) => collection === 'meta' && id === 'settings'))
          this.shared.settings = undefined
      }),
      this.printed.listed.follow(this.store),
      this.printed.alone.follow(this.store),
      this.clock.attach(lifecycle),
      () => lifecycle.close(),
    ]
  }

  stop(reset: boolean): void {
    for (const detach of this.#detach) detach()
    this.#detach = []
    this.overlay.close(reset)
    this.oauth.close()
  }
}

const nothingSeeded: SeedResult = { accessTokens: {}, rules: [], notices: [] }

/** A server within the server: its own store, clock, ids, rules, request log and URLs. */
export class Sandbox {
  readonly setup: SandboxSetup
  /** False if the data directory held data at the start, so that the seed was not applied. */
  readonly seeded: boolean
  /** The present generation; a reset replaces it. */
  current: Generation
  seedName: string
  readonly #began: ClockSetting

  private constructor(setup: SandboxSetup, current: Generation, seeded: boolean) {
    this.setup = setup
    this.seeded = seeded
    this.current = current
    this.#began = setup.clock.setting
    this.seedName = setup.seed.name
    current.start()
  }

  /**
   * Opens a sandbox over a store that is new or holds the data of an earlier process.
   *
   * @throws SeedError
   */
  static async open(
    options: SandboxSetup,
    { store, state, loaded }: OpenedStore,
  ): Promise<Sandbox> {
    const setup = { ...options }
    const ids = idsOf(setup, state)
    // The clock's mode and offset are stored, so that a restart does not move the time.
    const stored = loaded ? state.get('meta', 'clock')?.value : undefined
    if (stored !== undefined) setup.clock.set(stored as ClockSetting)
    const seeded = loaded ? nothingSeeded : await store.update((tx) => fillSeed(tx, setup, ids))
    return new Sandbox(setup, new Generation(setup, store, ids, seeded), !loaded)
  }

  /** Opens a sandbox that shares a seed's records until it writes. It draws new token values. */
  static over(options: SandboxSetup, base: SeededState): Sandbox {
    const setup = { ...options }
    const { state, seeded } = forkSeeded(base, setup)
    return new Sandbox(
      setup,
      new Generation(setup, memoryStore(state), idsOf(setup, state), seeded),
      true,
    )
  }

  get id(): string {
    return this.setup.id
  }

  /**
   * Starts again from a seed, with the clock at its first time. Drawn tokens keep their values.
   *
   * @throws SeedError
   */
  async reset(seed: Seed = this.setup.seed): Promise<Generation> {
    const state = new State()
    const ids = idsOf(this.setup, state)
    const clock = new VirtualClock(this.#began)
    const tokens = new Map(Object.entries(this.current.seeded.accessTokens))
    const tokenOf = (name: string, draw: () => string) => tokens.get(name) ?? draw()
    const seeded = await memoryStore(state).update((tx) =>
      fillSeed(tx, { ...this.setup, seed, clock }, ids, tokenOf),
    )
    this.seedName = seed.name
    return this.replace(state, { seeded, clock: this.#began })
  }

  /** Replaces the state in one turn. Updates of requests that began before are refused. */
  async replace(
    state: State,
    more: { seeded?: SeedResult; clock?: ClockSetting } = {},
  ): Promise<Generation> {
    const before = this.current
    const { store, committed } = before.store.replace(state)
    before.stop(true)
    if (more.clock) this.setup.clock.set(more.clock)
    const accessTokens = tokensIn(state, before.seeded.accessTokens)
    const seeded = more.seeded ?? { ...nothingSeeded, accessTokens }
    this.current = new Generation(this.setup, store, idsOf(this.setup, state), seeded)
    this.current.start()
    await committed
    return this.current
  }

  examine(examiner: Examiner | undefined): void {
    this.setup.examiner = examiner
  }

  async close(): Promise<void> {
    this.current.stop(false)
    await this.current.store.close()
  }
}

function idsOf({ ids, randomSeed }: SandboxSetup, state: State): Ids {
  return ids ?? seededIds(randomSeed, state.counters)
}

/** The tokens whose records the state holds. */
function tokensIn(
  state: State,
  accessTokens: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(accessTokens).filter(([, value]) =>
      state.find('accessTokenByDigest', digest(value)),
    ),
  )
}
