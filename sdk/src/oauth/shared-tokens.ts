import { type Clock, startTimer, within } from '../base/clock.js'
import type { CiEventListener, StoreErrorEvent } from '../base/events.js'
import { tried } from '../base/tried.js'
import { codeOrName } from '../errors/redact.js'
import { record } from '../http/rate-limit.js'
import { isBearerToken, SecretAccessToken, type TokenStore } from '../http/token-provider.js'
import { ageOf, instant } from './instant.js'
import type { FreshToken } from './token-cache.js'
import { usableMs } from './token-cache.js'

const lockTtlMs = 10_000
/** A store that does not answer is gone without, long before the flight that asks it ends. */
const longestMs = 5_000
const errorsInARow = 3
const skipMs = 5_000

/**
 * A {@link TokenStore} that cannot hurt: what it throws, never answers, or holds in a form that is no token, is a miss and an event. After three
 * errors in a row it is left alone for five seconds, so that a dead store costs nothing per call.
 */
export class SharedTokens {
  readonly #store: TokenStore
  readonly #clock: Clock
  readonly #onEvent: CiEventListener | undefined
  #errors = 0
  #skippedAt = Number.NEGATIVE_INFINITY

  constructor(store: TokenStore, clock: Clock, onEvent: CiEventListener | undefined) {
    this.#store = store
    this.#clock = clock
    this.#onEvent = onEvent
  }

  /** The stored token if it is usable and none of `known`: a token we hold, or that was refused, is no news. */
  async read(key: string, known: readonly string[]): Promise<FreshToken | undefined> {
    const text = await this.#ask('get', () => this.#store.get(key))
    if (text === undefined || text === null) return undefined
    const stored = parse(text)
    if (stored === undefined) {
      this.#failed('get', 'invalid_value')
      return undefined
    }
    const { value, expiresAt, scope } = stored
    const started = instant(this.#clock)
    const ttlMs = expiresAt - started.wall
    if (!(ttlMs > 0) || known.includes(value)) return undefined
    return { token: new SecretAccessToken(value, expiresAt, scope), started, ttlMs }
  }

  /** Stores a token for as long as it is usable. */
  async write(key: string, { token, started, ttlMs }: FreshToken): Promise<void> {
    const { value, expiresAt, scope } = token
    if (expiresAt === null) return
    const forMs = Math.floor(usableMs(ttlMs) - ageOf(started, this.#clock))
    const text = JSON.stringify({ value, expiresAt, scope })
    if (forMs > 0) await this.#ask('set', () => this.#store.set(key, text, forMs))
  }

  /** Removes that very token; a successor stays. */
  async drop(key: string, value: string): Promise<void> {
    const text = await this.#ask('get', () => this.#store.get(key))
    if (typeof text !== 'string' || parse(text)?.value !== value) return
    await this.#ask('set', () => this.#store.delete(key))
  }

  /** Runs under the store's lock where there is one; a lock that fails is gone without, a run that fails is the run's own. */
  async locked<T>(key: string, run: () => Promise<T>): Promise<T> {
    let running: Promise<T> | undefined
    const once = (): Promise<T> => {
      running ??= run()
      return running
    }
    const { withLock } = this.#store
    if (withLock !== undefined) {
      await this.#guard('lock', () => {
        return new Promise((resolve, reject) => {
          const stop = startTimer(lockTtlMs + longestMs, () => reject(silent()))
          const locked = async (): Promise<void> => {
            stop()
            await once().catch(() => {}) // its failure is told below, and is none of the lock
          }
          withLock.call(this.#store, key, lockTtlMs, locked).then(resolve, reject).finally(stop)
        })
      })
    }
    return once()
  }

  #ask<T>(action: 'get' | 'set', run: () => Promise<T>): Promise<T | undefined> {
    return this.#guard(action, () => within(longestMs, Promise.resolve(run()), silent))
  }

  async #guard<T>(action: StoreErrorEvent['action'], run: () => Promise<T>): Promise<T | undefined> {
    if (this.#clock.monotonic() - this.#skippedAt < skipMs) return undefined
    try {
      const value = await run()
      this.#errors = 0
      return value
    } catch (error) {
      this.#failed(action, codeOrName(error))
      return undefined
    }
  }

  #failed(action: StoreErrorEvent['action'], code: string): void {
    if (++this.#errors >= errorsInARow) {
      this.#errors = 0
      this.#skippedAt = this.#clock.monotonic()
    }
    this.#onEvent?.({ type: 'store_error', action, code })
  }
}

function silent(): Error {
  return Object.assign(new Error('The store did not answer'), { code: 'timeout' })
}

interface StoredToken {
  readonly value: string
  readonly expiresAt: number
  readonly scope?: string | undefined
}

function parse(text: string): StoredToken | undefined {
  const { value, expiresAt, scope } = record(tried(() => JSON.parse(text)))
  if (!isBearerToken(value) || typeof expiresAt !== 'number' || !Number.isFinite(expiresAt)) return undefined
  return { value, expiresAt, scope: typeof scope === 'string' ? scope : undefined }
}
