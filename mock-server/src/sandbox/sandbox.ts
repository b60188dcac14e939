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

/** A generation as a request has it: with the URLs of the name that it came to. */
export type Seen = Omit<Generation, 'seenAt' | 'start' | 'stop'>

export type LiveExchange = Exchange<Seen>

/** What is known of a seed once it is loaded: token values by name, shown once. */
type Seeded = Pick<LoadResult, 'accessTokens' | 'rules' | 'notices'>

/** What a sandbox is between two resets; a request keeps the one that it began in. */
export class Generation implements SandboxContext {
  readonly id: string
  readonly store: MemoryStore
  readonly clock: VirtualClock
  readonly ids: Ids
  readonly oauth: OAuthState
  readonly linkKey: string
  /** Of the rate limit. */
  readonly windows = new FixedWindows()
  readonly printed = { listed: new PrintedBuilds(), alone: new PrintedBuilds() }
  readonly seeded: Seeded
  readonly rules: Rules
  readonly requestLog: RequestLog
  readonly overlay: Overlay
  /** The server's URLs that a request came to; undefined: it came to none of its other names. */
  readonly askedAt: Urls | undefined = undefined
  // Not by `#`: what `seenAt` makes inherits from this.
  private readonly own: { readonly setup: SandboxSetup; settings: Settings | undefined }
  #detach: (() => void)[] = []

  constructor(setup: SandboxSetup, store: MemoryStore, ids: Ids, seeded: Seeded) {
    this.own = { setup, settings: undefined }
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
    return this.own.setup.strict === true
  }

  get urls(): Urls {
    return urlsOfSandbox(this.askedAt ?? this.own.setup.authority().urls, this.id)
  }

  get allUrls(): readonly Urls[] {
    return this.own.setup.authority().all.map((urls) => urlsOfSandbox(urls, this.id))
  }

  /** The same generation for a request to this URL. */
  seenAt(url: string): Seen {
    const authority = this.own.setup.authority()
    const askedAt = authority.at(url)
    return askedAt === authority.urls ? this : Object.create(this, { askedAt: { value: askedAt } })
  }

  get settings(): Settings {
    const stored = () => (this.store.state.get('meta', 'settings')?.value ?? {}) as SettingsInput
    this.own.settings ??= mergeSettings(this.own.setup.settings, stored())
    return this.own.settings
  }

  get lifecycle(): Lifecycle {
    const stored = this.store.state.get('meta', 'lifecycle')?.value
    return (stored as Lifecycle | undefined) ?? this.own.setup.lifecycle
  }

  start(): void {
    const lifecycle = driveLifecycle(this)
    this.#detach = [
      this.store.onChange((changes) => {
        if (changes.some(({ collection, id }) => collection === 'meta' && id === 'settings'))
          this.own.settings = undefined
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

const nothingSeeded: Seeded = { accessTokens: {}, rules: [], notices: [] }

/**
 * One store, clock, ids, rules, log and set of URLs. Nothing of one sandbox is known in another.
 */
export class Sandbox {
  readonly setup: SandboxSetup
  /** Whether the seed was applied at the start, or the data was there already. */
  readonly seeded: boolean
  /** What holds at present: a reset makes another one. */
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
   * Opens a sandbox over a store that is new, or that holds what an earlier process left. @throws
   * SeedError
   */
  static async open(given: SandboxSetup, { store, state, loaded }: OpenedStore): Promise<Sandbox> {
    const setup = { ...given }
    const ids = idsOf(setup, state)
    // A restart is no time travel: mode and offset are kept with the data.
    const kept = loaded ? state.get('meta', 'clock')?.value : undefined
    if (kept !== undefined) setup.clock.set(kept as ClockSetting)
    const seeded = loaded ? nothingSeeded : await store.update((tx) => fillSeed(tx, setup, ids))
    return new Sandbox(setup, new Generation(setup, store, ids, seeded), !loaded)
  }

  /**
   * Opens a sandbox that shares a seed's records until it writes; tokens that were drawn are drawn
   * anew.
   */
  static over(given: SandboxSetup, base: SeededState): Sandbox {
    const setup = { ...given }
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
   * Starts over from a seed, with the clock where it began; tokens that were drawn keep their
   * values. @throws SeedError
   */
  async reset(seed: Seed = this.setup.seed): Promise<Generation> {
    const state = new State()
    const ids = idsOf(this.setup, state)
    const clock = new VirtualClock(this.#began)
    const known = new Map(Object.entries(this.current.seeded.accessTokens))
    const tokenOf = (name: string, draw: () => string) => known.get(name) ?? draw()
    const seeded = await memoryStore(state).update((tx) =>
      fillSeed(tx, { ...this.setup, seed, clock }, ids, tokenOf),
    )
    this.seedName = seed.name
    return this.replace(state, { seeded, clock: this.#began })
  }

  /**
   * Puts another state in the place of the present one, in one turn; requests begun before are
   * refused their updates.
   */
  async replace(
    state: State,
    more: { seeded?: Seeded; clock?: ClockSetting } = {},
  ): Promise<Generation> {
    const before = this.current
    const { store, committed } = before.store.replace(state)
    before.stop(true)
    if (more.clock) this.setup.clock.set(more.clock)
    const seeded = more.seeded ?? {
      ...nothingSeeded,
      accessTokens: stillKnown(state, before.seeded.accessTokens),
    }
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

function stillKnown(
  state: State,
  accessTokens: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(accessTokens).filter(([, value]) =>
      state.find('accessTokenByDigest', digest(value)),
    ),
  )
}
