import { ageOf, type Clock, instant, startTimer, within } from '../base/clock.js'
import type { CiEventListener, StoreErrorEvent } from '../base/events.js'
import { tried } from '../base/tried.js'
import { codeOrName } from '../errors/redact.js'
import { record } from '../http/rate-limit.js'
import { isBearerToken, SecretAccessToken, type TokenStore } from '../http/token-provider.js'
import { type FreshToken, usableMs } from './token-cache.js'

const lockTtlMs = 10_000
/** If the store does not answer in this time, the exchange goes on without it. */
const longestMs = 5_000
const errorsInARow = 3
const skipMs = 5_000

export type SharedTokens = ReturnType<typeof sharedTokens>

/**
 * A token store whose failures are misses and events. After three failures in a row it is not used
 * for five seconds.
 */
export function sharedTokens(
  store: TokenStore,
  clock: Clock,
  onEvent: CiEventListener | undefined,
) {
  let errors = 0
  let skippedAt = Number.NEGATIVE_INFINITY

  const failed = (action: StoreErrorEvent['action'], code: string): undefined => {
    if (++errors >= errorsInARow) {
      errors = 0
      skippedAt = clock.monotonic()
    }
    onEvent?.({ type: 'store_error', action, code })
  }

  const guard = async <T>(
    action: StoreErrorEvent['action'],
    run: () => Promise<T>,
  ): Promise<T | undefined> => {
    if (clock.monotonic() - skippedAt < skipMs) return undefined
    try {
      const value = await run()
      errors = 0
      return value
    } catch (error) {
      return failed(action, codeOrName(error))
    }
  }

  const ask = <T>(action: 'get' | 'set', run: () => Promise<T>): Promise<T | undefined> =>
    guard(action, () => within(longestMs, Promise.resolve(run()), silent))

  return {
    /** The stored token, if it is usable and not one of `known`, which we hold or a server refused. */
    async read(key: string, known: readonly string[]): Promise<FreshToken | undefined> {
      const text = await ask('get', () => store.get(key))
      if (text === undefined || text === null) return undefined
      const stored = parse(text)
      if (stored === undefined) return failed('get', 'invalid_value')
      const { value, expiresAt, scope } = stored
      const started = instant(clock)
      const ttlMs = expiresAt - started.wall
      if (!(ttlMs > 0) || known.includes(value)) return undefined
      return { token: new SecretAccessToken(value, expiresAt, scope), started, ttlMs }
    },

    /** Stores a token for as long as it is usable. */
    async write(key: string, { token, started, ttlMs }: FreshToken): Promise<void> {
      const { value, expiresAt, scope } = token
      if (expiresAt === null) return
      const forMs = Math.floor(usableMs(ttlMs) - ageOf(started, clock))
      const text = JSON.stringify({ value, expiresAt, scope })
      if (forMs > 0) await ask('set', () => store.set(key, text, forMs))
    },

    /** Removes the token if it is stored; a successor stays. */
    async drop(key: string, value: string): Promise<void> {
      const text = await ask('get', () => store.get(key))
      if (typeof text !== 'string' || parse(text)?.value !== value) return
      await ask('set', () => store.delete(key))
    },

    /**
     * Runs under the store's lock, if it has one. If the lock fails, `run` runs without it; if `run`
     * fails, that is not a failure of the store.
     */
    async locked<T>(key: string, run: () => Promise<T>): Promise<T> {
      let running: Promise<T> | undefined
      const once = (): Promise<T> => {
        running ??= run()
        return running
      }
      const { withLock } = store
      if (withLock !== undefined) {
        await guard('lock', () => {
          return new Promise((resolve, reject) => {
            const stop = startTimer(lockTtlMs + longestMs, () => reject(silent()))
            const locked = async (): Promise<void> => {
              stop()
              // The failure of the run is thrown below; it is not one of the lock.
              await once().catch(() => {})
            }
            // An async function, so that the timer is stopped if the lock throws synchronously.
            const lock = async (): Promise<unknown> => withLock.call(store, key, lockTtlMs, locked)
            lock().then(resolve, reject).finally(stop)
          })
        })
      }
      return once()
    },
  }
}

function silent(): Error {
  return Object.assign(new Error('The store did not answer'), { code: 'timeout' })
}

function parse(
  text: string,
): { value: string; expiresAt: number; scope: string | undefined } | undefined {
  const { value, expiresAt, scope } = record(tried(() => JSON.parse(text)))
  if (!isBearerToken(value) || typeof expiresAt !== 'number' || !Number.isFinite(expiresAt))
    return undefined
  return { value, expiresAt, scope: typeof scope === 'string' ? scope : undefined }
}
