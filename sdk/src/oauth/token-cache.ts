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
 * Obtains a token other than the `known` ones: the one that is to be renewed, and one that a server
 * has refused.
 */
export type Mint = (known: readonly string[]) => Promise<FreshToken>

/** What a failed renewal means for the calls after it. */
export interface FailureVerdict {
  /** For at least this long no renewal of a usable token starts, in milliseconds. */
  readonly holdMs?: number | undefined
  /** The error for callers without a usable token during the hold; without it they may renew. */
  readonly refuse?: ((restMs: number) => unknown) | undefined
  /** True: the same request would fail again, so callers get the same error for a while. */
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

interface TimeSpan {
  readonly since: Instant
  readonly ms: number
}

interface CachedToken extends FreshToken {
  /** The token as a resolved promise, so that a hit allocates nothing. */
  readonly answer: Promise<AccessToken>
  readonly refreshAtMs: number
  readonly usableUntilMs: number
  /** Between these moments of the wall clock the token is known to be fresh, by both clocks. */
  sureFrom: number
  sureUntil: number
}

interface CacheEntry {
  held?: CachedToken | undefined
  flight?: Promise<AccessToken> | undefined
  failures: number
  hold?: (TimeSpan & Pick<FailureVerdict, 'refuse'>) | undefined
  terminal?: (TimeSpan & { readonly error: unknown }) | undefined
  rejected?: string | undefined
}

/**
 * The entries by key. One whose token is being obtained is neither evicted nor counted, so that many
 * new keys at once do not cause a scan for each.
 */
interface CacheEntries {
  readonly byKey: Map<string, CacheEntry>
  inFlight: number
}

/**
 * Reading both clocks is most of the cost of a cache hit. For this long after both agreed, only the
 * wall clock is read; if it jumps, both are read again.
 */
const sureMs = 1000
const longestLeadMs = 5 * 60_000
const longestGuardMs = 10_000
const longestLifeMs = 24 * 3_600_000

/** How long a token is used: as the server says, but at most a day; without a known end always. */
function lifeMs(ttlMs: number): number {
  return ttlMs === Number.POSITIVE_INFINITY ? ttlMs : Math.min(ttlMs, longestLifeMs)
}

/** How long a token is given to callers: a tenth less than its life, and at most 10 s less. */
export function usableMs(ttlMs: number): number {
  const life = lifeMs(ttlMs)
  return life - Math.min(longestGuardMs, 0.1 * life)
}

/** When a token is renewed in the background. The jitter spreads the renewals of many processes. */
function refreshAtMs(ttlMs: number, random: number): number {
  const life = lifeMs(ttlMs)
  return life - Math.min(longestLeadMs, 0.2 * life) * (1 - 0.1 * random)
}

/**
 * Tokens by identity. Per key only one renewal runs (a flight), and a caller that aborts does not
 * end it. A usable token is returned at once and renewed in the background. The least recently used
 * entries are removed first. The only timer is the time limit of a flight.
 */
export class TokenCache {
  readonly #options: TokenCacheOptions
  readonly #signals = new SignalHub()
  #entries: CacheEntries = { byKey: new Map(), inFlight: 0 }
  #newest: CacheEntry | undefined

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

  /** Adds a token that the caller already has. */
  seed(key: string, fresh: FreshToken): void {
    this.#publish(this.#touch(key), fresh)
  }

  /** Removes the cached token if it has this value: a late 401 must not remove its successor. */
  invalidate(key: string, value: string): boolean {
    const entry = this.#entries.byKey.get(key)
    if (entry?.held?.token.value !== value) return false
    entry.held = undefined
    entry.rejected = value
    this.#emit('invalidate')
    return true
  }

  /** Removes everything. A flight that still runs writes to its old entry, which is not read again. */
  clear(): void {
    this.#entries = { byKey: new Map(), inFlight: 0 }
    this.#newest = undefined
  }

  /** If the caller aborts, its promise rejects with its reason; the flight continues. */
  #wait(flight: Promise<AccessToken>, signal: AbortSignal | undefined): Promise<AccessToken> {
    if (signal === undefined) return flight
    const { cancellation, leave } = follow(this.#signals, signal)
    return race(flight, cancellation).finally(leave)
  }

  #touch(key: string): CacheEntry {
    const { byKey: entries } = this.#entries
    const known = entries.get(key)
    if (known !== undefined) {
      if (known === this.#newest) return known
      entries.delete(key)
    }
    const entry = known ?? { failures: 0 }
    entries.set(key, entry)
    this.#newest = entry
    this.#evict(this.#entries)
    return entry
  }

  #evict({ byKey: entries, inFlight }: CacheEntries): void {
    let excess = entries.size - inFlight - this.#options.maxEntries
    for (const [key, entry] of entries) {
      if (excess <= 0) return
      if (entry.flight !== undefined) continue
      entries.delete(key)
      excess--
    }
  }

  #takeOff(entry: CacheEntry, mint: Mint): Promise<AccessToken> {
    this.#emit('refresh')
    const entries = this.#entries
    const known = [entry.held?.token.value, entry.rejected].filter((value) => value !== undefined)
    entries.inFlight++
    const land = (): void => {
      entry.flight = undefined
      entries.inFlight--
      this.#evict(entries)
    }
    // In a microtask, so that a mint that throws synchronously rejects the flight, too.
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
    // The callers get the rejection. Without callers it must not end the process.
    flight.catch(() => {})
    entry.flight = flight
    return flight
  }

  #publish(entry: CacheEntry, fresh: FreshToken): void {
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

  #fail(entry: CacheEntry, error: unknown): void {
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

  #rest(span: TimeSpan | undefined): number {
    return span === undefined ? 0 : span.ms - ageOf(span.since, this.#options.clock)
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

/** No caller sends a request until the server's wait is over; each gets an error with the rest. */
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
