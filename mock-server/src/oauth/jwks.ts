import { type Clock, systemClock } from '../base/clock.js'
import { budget } from '../domain/budget.js'
import { afterFetch, freshFor, type JwksEntry, keysOf, needsFetch } from '../domain/jwks-cache.js'
import { acceptKey, type PublicJwk } from '../domain/keys.js'
import { isPlainObject } from '../fields/field.js'
import { readBytes, readJsonValue } from '../http/body.js'
import type { GetJwks } from './jwks-network.js'

export interface JwksFetchRecord {
  readonly uri: string
  /** ms of the sandbox clock. */
  readonly at: number
  readonly outcome: 'ok' | 'failed'
}

interface Slot {
  readonly uri: string
  entry: JwksEntry | undefined
  flight: Promise<void> | undefined
}

const fetchesKept = 1000

const headers = {
  Accept: 'application/jwk-set+json, application/json',
  'Accept-Encoding': 'identity',
}

/**
 * The usable keys of a JWK set (RFC 7517 §5); undefined if it is not a set. Bad keys are skipped.
 */
function readKeySet(bytes: Uint8Array): readonly PublicJwk[] | undefined {
  const set = readJsonValue(bytes)
  const keys =
    set.ok && isPlainObject(set.value) && Object.hasOwn(set.value, 'keys')
      ? set.value['keys']
      : undefined
  if (!Array.isArray(keys) || keys.length > budget.jwksKeys) return undefined
  return keys.flatMap((jwk: unknown) => {
    const decision = acceptKey(jwk)
    return decision.ok ? [decision.value] : []
  })
}

/** Caches key sets per application, by the clock of the sandbox. */
export function createJwks(clock: Clock, get: GetJwks) {
  const slots = new Map<string, Slot>()
  const fetches: JwksFetchRecord[] = []
  const closing = new AbortController()

  const fetchKeys = async (uri: string, signal: AbortSignal) => {
    const answer = await get(uri, { headers, signal, redirect: 'manual' })
    const encoding = answer.headers.get('content-encoding') ?? 'identity'
    if (answer.status !== 200 || answer.redirected || encoding.toLowerCase() !== 'identity')
      return null
    const read = await readBytes(answer.headers, answer.body, budget.jwksBytes)
    const keys = read.ok ? readKeySet(read.value) : undefined
    return keys === undefined
      ? null
      : { keys, freshMs: freshFor(answer.headers.get('cache-control')) }
  }

  /** Fetches once, within a time limit of the host clock; null if anything fails. */
  const attempt = async (uri: string, timeoutMs: number) => {
    const ended = new AbortController()
    const signal = AbortSignal.any([closing.signal, ended.signal])
    const timeout = systemClock.sleep(timeoutMs, signal).catch(() => undefined)
    try {
      return await Promise.race([
        fetchKeys(uri, signal).catch(() => null),
        timeout.then(() => null),
      ])
    } finally {
      // Stops the timer, and closes the connection of a refused or late answer.
      ended.abort()
    }
  }

  const refresh = async (slot: Slot, timeoutMs: number): Promise<void> => {
    const startedAt = clock.now()
    const answer = await attempt(slot.uri, timeoutMs)
    slot.entry = afterFetch(slot.entry, answer, startedAt, clock.now())
    slot.flight = undefined
    fetches.push({ uri: slot.uri, at: startedAt, outcome: answer === null ? 'failed' : 'ok' })
    if (fetches.length > fetchesKept) fetches.shift()
  }

  return {
    /** The newest fetches, oldest first. */
    fetches: fetches as readonly JwksFetchRecord[],
    /** The usable keys of an application, after at most one fetch; empty if there are none. */
    async keys(client_id: string, uri: string, kid: string | undefined, timeoutMs: number) {
      const current = slots.get(client_id)
      // A changed URI gets a new slot, so a late answer of the old URI is never used.
      const slot = current?.uri === uri ? current : { uri, entry: undefined, flight: undefined }
      slots.set(client_id, slot)
      if (needsFetch(slot.entry, kid, clock.now())) {
        slot.flight ??= refresh(slot, timeoutMs)
        await slot.flight
      }
      return keysOf(slot.entry, clock.now())
    },
    held(client_id: string, uri: string): readonly PublicJwk[] {
      const slot = slots.get(client_id)
      return slot?.uri === uri ? keysOf(slot.entry, clock.now()) : []
    },
    close: () => closing.abort(),
  }
}
