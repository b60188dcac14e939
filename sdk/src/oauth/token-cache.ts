import { backoff } from '../base/backoff.js'
import { ageOf, type Clock, type Instant, instant, within } from '../base/clock.js'
import type { CiEventListener, TokenEvent } from '../base/events.js'
import { oauthOperations } from '../contract/operations.gen.js'
import { RateLimitError, TimeoutError } from '../errors/errors.js'
import type { AccessToken } from '../http/token-provider.js'
import { follow, race, SignalHub } from '../transport/cancellation.js'

/**
 * A token that was just obtained or read: `started` is when its request started, `ttlMs` counts
 * from there.
 */
export interface FreshToken {
  readonly token: AccessToken
  readonly started: Instant
  readonly ttlMs: number
}

/**
 * Obtains a token; `known` are the values that are no news: the one that is to be renewed, and one
 * that a server has refused.
 */
export type Mint = (known: readonly string[]) => Promise<FreshToken>

/** What a failed flight means for the calls after it. */
export interface FailureVerdict {
  /** At least this long no refresh of a usable token starts. */
  readonly holdMs?: number | undefined
  /** Set when the hold also binds callers without a usable token: they get this error. */
  readonly refuse?: ((restMs: number) => unknown) | undefined
  /** Asking again with the same words is pointless: the error itself is remembered for a while. */
  readonly terminal?: boolean | undefined
}

export interface TokenCacheOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly timeoutMs: number
  readonly maxEntries: number
  readonly judge: (error: unknown) => FailureVerdict
  readonly onEvent?: CiEventListener | undefined
}

interface Period {
  readonly since: Instant
  readonly ms: number
}

interface Held extends FreshToken {
  /** The token as a resolved promise, so that a hit allocates nothing. */
  readonly answer: Promise<AccessToken>
  readonly refreshAtMs: number
  readonly usableUntilMs: number
  /**
   * The moments of the wall clock, from and until, for which both clocks have said that the token
   * is fresh.
   */
  sureFrom: number
  sureUntil: number
}

interface Entry {
  held?: Held | undefined
  flight?: Promise<AccessToken> | undefined
  failures: number
  hold?: (Period & Pick<FailureVerdict, 'refuse'>) | undefined
  terminal?: (Period & { readonly error: unknown }) | undefined
  rejected?: string | undefined
}

/**
 * An entry in flight is not evicted and not counted, so a burst of cold keys is no scan per key.
 */
interface Shelf {
  readonly entries: Map<string, Entry>
  inFlight: number
}

/**
 * Clocks are most of what a hit costs: for this long after both were read, one is, and a step of it
 * ends that.
 */
const sureMs = 1000
const longestLeadMs = 5 * 60_000
const longestGuardMs = 10_000
const longestLifeMs = 24 * 3_600_000

/**
 * How long a token is used: a day of what the server says; one without a known end until it is
 * refused.
 */
function lifeMs(ttlMs: number): number {
  return ttlMs === Number.POSITIVE_INFINITY ? ttlMs : Math.min(ttlMs, longestLifeMs)
}

/**
 * When a token is no longer handed out: proportionally before its end, so that a life of ten
 * seconds works.
 */
export function usableMs(ttlMs: number): number {
  const life = lifeMs(ttlMs)
  return life - Math.min(longestGuardMs, 0.1 * life)
}

/**
 * When a token is renewed in the background; the jitter keeps a fleet from renewing in one moment.
 */
function refreshAtMs(ttlMs: number, random: number): number {
  const life = lifeMs(ttlMs)
  return life - Math.min(longestLeadMs, 0.2 * life) * (1 - 0.1 * random)
}

/**
 * Tokens by identity. One flight per key that no caller's abort reaches; a token is served while
 * usable and renewed behind the caller's back; the least recently used entries go first. It starts
 * no timer of its own beside a flight's limit.
 */
export class TokenCache {
  readonly #options: TokenCacheOptions
  readonly #signals = new SignalHub()
  #shelf: Shelf = { entries: new Map(), inFlight: 0 }
  #newest: Entry | undefined

  constructor(options: TokenCacheOptions) {
    this.#options = options
  }

  get(key: string, mint: Mint, signal?: AbortSignal | undefined): Promise<AccessToken> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const entry = this.#touch(key)
    const { held } = entry
    if (held !== undefined) {
      const { clock } = this.#options
      const wall = clock.now()
      if (wall >= held.sureFrom && wall < held.sureUntil) return this.#tell('hit', held.answer)
      const age = ageOf(held.started, clock)
      if (age < held.refreshAtMs) {
        held.sureFrom = wall
        held.sureUntil = wall + Math.min(sureMs, held.refreshAtMs - age)
        return this.#tell('hit', held.answer)
      }
      if (age < held.usableUntilMs) {
        if (entry.flight === undefined && this.#rest(entry.hold) <= 0) this.#takeOff(entry, mint)
        return this.#tell('stale', held.answer)
      }
    }
    if (entry.flight !== undefined) {
      return this.#tell('join', this.#wait(entry.flight, signal))
    }
    const { terminal, hold } = entry
    if (terminal !== undefined && this.#rest(terminal) > 0)
      return this.#tell('negative', Promise.reject(terminal.error))
    const restMs = this.#rest(hold)
    if (hold?.refuse !== undefined && restMs > 0)
      return this.#tell('negative', Promise.reject(hold.refuse(restMs)))
    return this.#wait(this.#takeOff(entry, mint), signal)
  }

  /** Puts a token in that the caller already has. */
  seed(key: string, fresh: FreshToken): void {
    this.#publish(this.#touch(key), fresh)
  }

  /** Drops the cached token only if it is that very one: a late 401 must not drop its successor. */
  invalidate(key: string, value: string): boolean {
    const entry = this.#shelf.entries.get(key)
    if (entry?.held?.token.value !== value) return false
    entry.held = undefined
    entry.rejected = value
    this.#emit('invalidate')
    return true
  }

  /**
   * Forgets everything; a flight that still runs publishes into its old entry, which no later call
   * sees.
   */
  clear(): void {
    this.#shelf = { entries: new Map(), inFlight: 0 }
    this.#newest = undefined
  }

  /** A caller that leaves rejects with its own reason; the flight goes on without it. */
  #wait(flight: Promise<AccessToken>, signal: AbortSignal | undefined): Promise<AccessToken> {
    if (signal === undefined) return flight
    const { cancellation, leave } = follow(this.#signals, signal)
    return race(flight, cancellation).finally(leave)
  }

  #touch(key: string): Entry {
    const { entries } = this.#shelf
    const known = entries.get(key)
    if (known !== undefined) {
      if (known === this.#newest) return known
      entries.delete(key)
    }
    const entry = known ?? { failures: 0 }
    entries.set(key, entry)
    this.#newest = entry
    this.#evict(this.#shelf)
    return entry
  }

  #evict({ entries, inFlight }: Shelf): void {
    let excess = entries.size - inFlight - this.#options.maxEntries
    for (const [key, entry] of entries) {
      if (excess <= 0) return
      if (entry.flight !== undefined) continue
      entries.delete(key)
      excess--
    }
  }

  #takeOff(entry: Entry, mint: Mint): Promise<AccessToken> {
    this.#emit('refresh')
    const shelf = this.#shelf
    const known = [entry.held?.token.value, entry.rejected].filter((value) => value !== undefined)
    shelf.inFlight++
    const land = (): void => {
      entry.flight = undefined
      shelf.inFlight--
      this.#evict(shelf)
    }
    // In a microtask, so that a mint that throws at once is a rejection of the flight like any
    // other.
    const minting = Promise.resolve().then(() => mint(known))
    const { timeoutMs } = this.#options
    const flight = within(timeoutMs, minting, () => tooLate(timeoutMs)).then(
      (fresh) => {
        land()
        this.#publish(entry, fresh)
        return fresh.token
      },
      (error: unknown) => {
        land()
        this.#fail(entry, error)
        throw error
      },
    )
    flight.catch(() => {}) // the callers see it; a flight that all callers left must not end the process
    entry.flight = flight
    return flight
  }

  #publish(entry: Entry, fresh: FreshToken): void {
    const { token, ttlMs } = fresh
    entry.held = {
      ...fresh,
      answer: Promise.resolve(token),
      refreshAtMs: refreshAtMs(ttlMs, this.#options.random()),
      usableUntilMs: usableMs(ttlMs),
      sureFrom: 0,
      sureUntil: 0,
    }
    entry.failures = 0
    entry.hold = undefined
    entry.terminal = undefined
    entry.rejected = undefined
  }

  #fail(entry: Entry, error: unknown): void {
    this.#emit('refresh_failed')
    const since = instant(this.#options.clock)
    const failures = entry.failures++
    const { holdMs = 0, refuse, terminal } = this.#options.judge(error)
    entry.hold = {
      since,
      ms: Math.max(holdMs, backoff({ firstMs: 1000, longestMs: 30_000 }, failures)),
      refuse,
    }
    entry.terminal = terminal
      ? { since, ms: backoff({ firstMs: 5000, longestMs: 60_000 }, failures), error }
      : undefined
  }

  #rest(period: Period | undefined): number {
    return period === undefined ? 0 : period.ms - ageOf(period.since, this.#options.clock)
  }

  #tell<T>(kind: TokenEvent['kind'], answer: T): T {
    this.#emit(kind)
    return answer
  }

  #emit(kind: TokenEvent['kind']): void {
    this.#options.onEvent?.({ type: 'token', kind })
  }
}

function tooLate(timeoutMs: number): TimeoutError {
  const message = `Getting a token took longer than ${timeoutMs} ms`
  return new TimeoutError(message, {
    kind: 'total',
    timeoutMs,
    sent: 'unknown',
    attempts: 1,
    operationId: 'oauth.token',
  })
}

/** The wait that the server named in this error, in milliseconds; 0 when it named none. */
export function waitOf(error: unknown): number {
  const known =
    typeof error === 'object' && error !== null && 'retryAfterMs' in error
      ? error.retryAfterMs
      : undefined
  return typeof known === 'number' ? known : 0
}

/**
 * Holds every caller back until the server's wait is over: nothing is sent, and each is told the
 * rest.
 */
export function heldBack(holdMs: number): FailureVerdict {
  const { id: operationId, method, path } = oauthOperations['oauth.token']
  const refuse = (restMs: number): RateLimitError => {
    const summary = `${method} ${path} was not sent: the server asked to wait ${Math.ceil(restMs / 1000)} s more`
    const fields = {
      status: 429,
      operationId,
      method,
      path,
      attempts: 0,
      retryAfterMs: restMs,
      sent: 'no',
    } as const
    return new RateLimitError(summary, fields)
  }
  return { holdMs, refuse }
}
