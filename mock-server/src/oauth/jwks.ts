import { type Clock, systemClock } from '../base/clock.js'
import { budget } from '../domain/budget.js'
import { decodeUtf8, parseJson } from '../domain/json.js'
import { afterFetch, freshFor, type JwksEntry, keysOf, needsFetch } from '../domain/jwks-cache.js'
import { acceptKey, type PublicJwk } from '../domain/keys.js'
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

const readBody = async (body: AsyncIterable<Uint8Array>): Promise<string | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > budget.jwksBytes) return undefined
    chunks.push(chunk)
  }
  return decodeUtf8(Buffer.concat(chunks))
}

/** Usable keys of a JWK set (RFC 7517 §5); undefined when it is none. A key that breaks a rule is skipped. */
const readKeySet = (text: string): readonly PublicJwk[] | undefined => {
  const set = parseJson(text)?.value
  const keys =
    typeof set === 'object' && set !== null && Object.hasOwn(set, 'keys') ? Reflect.get(set, 'keys') : undefined
  if (!Array.isArray(keys) || keys.length > budget.jwksKeys) return undefined
  return keys.flatMap((jwk: unknown) => {
    const decision = acceptKey(jwk)
    return decision.ok ? [decision.value] : []
  })
}

/** Key sets by URI, cached on the sandbox clock. */
export const createJwks = (clock: Clock, get: GetJwks) => {
  const slots = new Map<string, Slot>()
  const fetches: JwksFetchRecord[] = []
  const closing = new AbortController()

  const fetchKeys = async (uri: string, signal: AbortSignal) => {
    const answer = await get(uri, signal)
    const encoding = answer.header('content-encoding') ?? 'identity'
    if (answer.status !== 200 || encoding.toLowerCase() !== 'identity') return null
    const text = await readBody(answer.body)
    const keys = text === undefined ? undefined : readKeySet(text)
    return keys === undefined ? null : { keys, freshMs: freshFor(answer.header('cache-control')) }
  }

  /** One fetch within the time limit of the host's clock; whatever goes wrong is a failed fetch. */
  const attempt = async (uri: string, timeoutMs: number) => {
    if (closing.signal.aborted) return null
    const ended = new AbortController()
    const abort = () => ended.abort()
    closing.signal.addEventListener('abort', abort, { once: true })
    const work = fetchKeys(uri, ended.signal).catch(() => null)
    const timeout = systemClock.sleep(timeoutMs, ended.signal).then(
      () => null,
      () => null,
    )
    try {
      return await Promise.race([work, timeout])
    } finally {
      // Ends the timer, and the connection that a refused or late answer would keep.
      ended.abort()
      closing.signal.removeEventListener('abort', abort)
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
    /** The keys that serve this application now, after at most one fetch; none when there are none to be had. */
    async keys(client_id: string, uri: string, kid: string | undefined, timeoutMs: number) {
      const known = slots.get(client_id)
      // Another URI is another key set: a late answer for the old one lands in a slot that nobody reads.
      const slot = known?.uri === uri ? known : { uri, entry: undefined, flight: undefined }
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
