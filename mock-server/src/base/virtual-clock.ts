import { abortable, backgroundClock, type Clock, systemClock } from './clock.js'

/** A move that was due and was made. */
export interface Fired {
  readonly at: number
  readonly kind: string
  readonly id: string
  readonly state: string
}

/**
 * Work that waits for the clock. `runDue` makes the first due move, at its own due time, and
 * returns what was moved: several entries if one move causes others.
 */
export interface DueSource {
  nextDueAt(): number | null
  runDue(): readonly Fired[]
}

export type ClockMode = 'real' | 'offset' | 'frozen'

export interface ClockSetting {
  readonly mode: ClockMode
  /** frozen: the time of the clock, epoch ms. */
  readonly now?: number | undefined
  /** offset: the difference to the clock of the host, in ms. */
  readonly offsetMs?: number | undefined
}

export interface AdvanceResult {
  /** The first 1 000 moves. */
  readonly fired: readonly Fired[]
  readonly firedCount: number
  /** Present if the limit of transitions ended the call early. */
  readonly stoppedAt?: number
}

const mostShown = 1_000
const mostTransitions = 1_000_000
/** After this number of moves, which take a few ms, the event loop handles other work. */
const movesPerTurn = 100
/** The longest time that due moves wait for held requests, in ms of the host clock. */
const longestRestMs = 20
/** Turns of the event loop after a wake-up, so that the woken client reaches its next wait. */
const turnsAfterWake = 8

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

interface Sleeper {
  readonly at: number
  wake(): void
}

/**
 * A clock that a test controls: frozen by default, or running with a host clock (`real`, `offset`).
 * `advance` runs everything that becomes due, in time order, before it resolves.
 *
 * @throws TypeError if `now` is not a time.
 * @example
 * const clock = new VirtualClock({ now: '2026-03-01T09:00:00Z' })
 * await clock.advance(600_000)
 */
export class VirtualClock implements Clock {
  readonly #host: Clock
  readonly #background: Clock
  readonly #waiters = new Set<Sleeper>()
  readonly #sources = new Set<DueSource>()
  #mode: ClockMode
  #frozenAt: number
  #offsetMs: number
  #monotonicMs = 0
  #busy = 0
  #whenFree: (() => void) | undefined
  /** True while overdue work runs, also during the rests in between. */
  #running = false
  /** `at` is a time of the host clock. */
  #alarm: { at: number; stop: AbortController } | undefined
  #advances: Promise<unknown> = Promise.resolve()

  constructor(
    options: Partial<Omit<ClockSetting, 'now'>> & {
      now?: number | string | Date | undefined
      host?: Clock
    } = {},
  ) {
    this.#host = options.host ?? systemClock
    this.#background = options.host ?? backgroundClock
    this.#mode = options.mode ?? 'frozen'
    this.#offsetMs = options.offsetMs ?? 0
    this.#frozenAt = options.now === undefined ? this.#host.now() : new Date(options.now).getTime()
    if (!Number.isFinite(this.#frozenAt)) throw new TypeError('VirtualClock: now must be a time')
  }

  get mode(): ClockMode {
    return this.#mode
  }

  /** The setting with which `set` brings another clock to the time of this one. */
  get setting(): ClockSetting {
    return this.#mode === 'frozen'
      ? { mode: 'frozen', now: this.now() }
      : { mode: this.#mode, offsetMs: this.offsetMs }
  }

  /** How far this clock is ahead of its host, in ms. */
  get offsetMs(): number {
    return Math.floor(this.#mode === 'frozen' ? this.#frozenAt - this.#host.now() : this.#offsetMs)
  }

  /** The due time of the next registered work, epoch ms; null if there is none. */
  get nextDueAt(): number | null {
    return this.#earliestSource()?.at ?? null
  }

  /** Whole epoch ms, even if the host clock has fractions: records store this time. */
  now(): number {
    return Math.floor(this.#time())
  }

  #time(): number {
    return this.#mode === 'frozen' ? this.#frozenAt : this.#host.now() + this.#offsetMs
  }

  monotonic(): number {
    return this.#mode === 'frozen' ? this.#monotonicMs : this.#host.monotonic() + this.#monotonicMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return abortable(signal, (done) => {
      const host = new AbortController()
      const end = (): void => {
        this.#waiters.delete(waiter)
        host.abort()
      }
      const wake = (): void => {
        end()
        done()
      }
      const waiter: Sleeper = { at: this.#time() + Math.max(ms, 0), wake }
      this.#waiters.add(waiter)
      if (this.#mode !== 'frozen') this.#host.sleep(ms, host.signal).then(wake, () => undefined)
      else if (ms <= 0) wake()
      return end
    })
  }

  /**
   * Registers work; call `reschedule` whenever its next due time may have changed. Returns the
   * function that unregisters it.
   */
  attach(source: DueSource): () => void {
    this.#sources.add(source)
    this.reschedule()
    return () => {
      this.#sources.delete(source)
      this.reschedule()
    }
  }

  /**
   * Sets the alarm of a running clock for the next work; a frozen clock has no alarm. A new alarm
   * takes about as long as a move, so none is set while overdue work runs, and an earlier one stays.
   */
  reschedule(): void {
    if (this.#running) return
    const next = this.#mode === 'frozen' ? undefined : this.#earliestSource()
    const at = next && next.at - this.#offsetMs
    if (at !== undefined && this.#alarm !== undefined && this.#alarm.at <= at) return
    this.#alarm?.stop.abort()
    this.#alarm = undefined
    if (at === undefined) return
    const stop = new AbortController()
    this.#alarm = { at, stop }
    this.#background.sleep(at - this.#host.now(), stop.signal).then(
      () => {
        this.#alarm = undefined
        this.runOverdue()
      },
      () => undefined,
    )
  }

  /**
   * Runs all registered work that is due, in time order. After `movesPerTurn` moves the event loop
   * and the held requests go first.
   */
  runOverdue(): void {
    if (this.#running) return
    this.#running = true
    let isDone = true
    try {
      isDone = this.#runGroup()
    } finally {
      if (isDone) this.#running = false
    }
    if (isDone) {
      this.reschedule()
      return
    }
    void this.#rest().then(() => {
      this.#running = false
      this.runOverdue()
    })
  }

  /** Runs overdue work, `movesPerTurn` moves at most. Returns true if none is left. */
  #runGroup(): boolean {
    for (let left = movesPerTurn; left > 0; left--) {
      const next = this.#earliestSource()
      if (next === undefined || next.at > this.now()) return true
      next.source.runDue()
    }
    return false
  }

  /** Resolves when no work is held, or after `longestRestMs`; never in this turn. */
  async #rest(): Promise<void> {
    await turn()
    if (this.#busy === 0) return
    const stop = new AbortController()
    await new Promise<void>((resolve) => {
      this.#whenFree = resolve
      this.#background.sleep(longestRestMs, stop.signal).then(resolve, () => undefined)
    })
    this.#whenFree = undefined
    stop.abort()
  }

  /**
   * Holds the work of a request: while it is pending, `advance` does not wake the next waiter, and
   * due moves wait for a short time.
   */
  async hold<T>(work: Promise<T>): Promise<T> {
    this.#busy++
    try {
      return await work
    } finally {
      this.#release()
    }
  }

  #release(): void {
    this.#busy--
    if (this.#busy === 0) this.#whenFree?.()
  }

  /**
   * Lets `advance` continue while `work` is pending, although its caller is held: for a delay of a
   * rule, or for an advance by a rule.
   */
  async unheld<T>(work: () => Promise<T>): Promise<T> {
    this.#release()
    try {
      return await work()
    } finally {
      this.#busy++
    }
  }

  /** Switches the mode. Pending sleeps still end at the same time of this clock. */
  set(setting: ClockSetting): void {
    const before = this.#time()
    this.#mode = setting.mode
    this.#offsetMs = setting.mode === 'offset' ? (setting.offsetMs ?? before - this.#host.now()) : 0
    this.#frozenAt = setting.now ?? before
    for (const waiter of this.#waiters) {
      if (waiter.at <= this.now()) waiter.wake()
      else if (setting.mode !== 'frozen') this.#host.sleep(waiter.at - this.now()).then(waiter.wake)
    }
    this.runOverdue()
  }

  /** Advances by `ms`; calls queue up. @throws RangeError for a negative or non-finite `ms` */
  advance(ms: number): Promise<AdvanceResult> {
    if (!(ms >= 0 && Number.isFinite(ms)))
      return Promise.reject(new RangeError('advance: ms must be 0 or more'))
    const result = this.#advances.then(() => this.#advanceTo(this.#time() + ms))
    this.#advances = result.catch(() => undefined)
    return result
  }

  async #advanceTo(target: number): Promise<AdvanceResult> {
    const fired: Fired[] = []
    let firedCount = 0
    for (let transitions = 0; ; transitions++) {
      const source = this.#earliestSource()
      const waiter = this.#earliestWaiter()
      const at = Math.min(
        source?.at ?? Number.POSITIVE_INFINITY,
        waiter?.at ?? Number.POSITIVE_INFINITY,
      )
      if (at > target) break
      this.#moveTo(at)
      if (transitions === mostTransitions) return { fired, firedCount, stoppedAt: this.now() }
      if (source !== undefined && source.at === at) {
        const moved = source.source.runDue()
        firedCount += moved.length
        if (fired.length < mostShown) fired.push(...moved.slice(0, mostShown - fired.length))
        if (transitions % movesPerTurn === movesPerTurn - 1) await turn()
      } else {
        waiter?.wake()
        await this.#settle()
      }
    }
    this.#moveTo(target)
    this.reschedule()
    return { fired, firedCount }
  }

  async #settle(): Promise<void> {
    for (let turns = 0; turns < turnsAfterWake; turns++) {
      await turn()
      while (this.#busy > 0) await turn()
    }
  }

  #moveTo(at: number): void {
    const by = at - this.#time()
    if (by <= 0) return
    this.#monotonicMs += by
    if (this.#mode === 'frozen') this.#frozenAt = at
    else {
      this.#mode = 'offset'
      this.#offsetMs += by
    }
  }

  #earliestSource(): { source: DueSource; at: number } | undefined {
    let earliest: { source: DueSource; at: number } | undefined
    for (const source of this.#sources) {
      const at = source.nextDueAt()
      if (at !== null && (earliest === undefined || at < earliest.at)) earliest = { source, at }
    }
    return earliest
  }

  #earliestWaiter(): Sleeper | undefined {
    let earliest: Sleeper | undefined
    for (const waiter of this.#waiters)
      if (earliest === undefined || waiter.at < earliest.at) earliest = waiter
    return earliest
  }
}
