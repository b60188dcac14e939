import type { PublicJwk } from './keys.js'

const freshAtMostMs = 3_600_000
const freshAtLeastMs = 60_000
const unknownKidPauseMs = 30_000
const failurePauseMs = 5_000

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** True for https URLs, and http on loopback, without user name, password and fragment. */
export function isJwksUri(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('#') || text.includes('\\')) return false
  if (!URL.canParse(text) || /^[a-z]+:\/\/[^/?]*@/i.test(text)) return false
  const { protocol, hostname } = new URL(text)
  return /^https?:\/\//i.test(text) && (protocol === 'https:' || isLoopback(hostname))
}

export interface JwksEntry {
  readonly keys: readonly PublicJwk[] | null
  readonly fetchedAt: number
  readonly freshMs: number
  readonly attemptedAt: number
  readonly failed: boolean
}

function usableKeys(entry: JwksEntry, now: number): JwksEntry['keys'] {
  return now >= entry.fetchedAt && now < entry.fetchedAt + freshAtMostMs ? entry.keys : null
}

/** How long an answer is fresh, in ms: max-age of `Cache-Control`, but 1 to 60 minutes. */
export function freshFor(cacheControl: string | null): number {
  const seconds = /(?:^|[,\s])max-age\s*=\s*"?(\d+)/i.exec(cacheControl ?? '')?.[1]
  const wanted = seconds === undefined ? freshAtMostMs : Number(seconds) * 1000
  return Math.min(freshAtMostMs, Math.max(freshAtLeastMs, wanted))
}

/**
 * True if the key set has to be fetched first. After a failure the next fetch waits 5 s; an unknown
 * kid causes at most one fetch in 30 s.
 */
export function needsFetch(
  entry: JwksEntry | undefined,
  kid: string | undefined,
  now: number,
): boolean {
  if (entry === undefined) return true
  const keys = usableKeys(entry, now)
  const isFresh = keys !== null && now < entry.fetchedAt + entry.freshMs
  const hasKid = kid === undefined || keys?.some((key) => key.kid === kid) === true
  if (isFresh && hasKid) return false
  const stalePauseMs = entry.failed ? failurePauseMs : 0
  return now >= entry.attemptedAt + (isFresh ? unknownKidPauseMs : stalePauseMs)
}

/** The entry after a fetch. A failed fetch keeps the old keys, for at most an hour in total. */
export function afterFetch(
  entry: JwksEntry | undefined,
  answer: { readonly keys: readonly PublicJwk[]; readonly freshMs: number } | null,
  startedAt: number,
  endedAt: number,
): JwksEntry {
  if (answer !== null)
    return { ...answer, fetchedAt: startedAt, attemptedAt: startedAt, failed: false }
  const before = entry ?? { keys: null, fetchedAt: startedAt, freshMs: 0 }
  return { ...before, attemptedAt: endedAt, failed: true }
}

/** The usable keys; none if the last successful fetch was an hour ago. */
export function keysOf(entry: JwksEntry | undefined, now: number): readonly PublicJwk[] {
  return (entry === undefined ? null : usableKeys(entry, now)) ?? []
}
