import type { PublicJwk } from './keys.js'

const freshAtMostMs = 3_600_000
const freshAtLeastMs = 60_000
const unknownKidPauseMs = 30_000
const failurePauseMs = 5_000

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/**
 * Where a key set may live: https anywhere, http on loopback; no user name, password or fragment.
 */
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

/**
 * Freshness of an answer from its `Cache-Control`: max-age shortens, never lengthens, and not below
 * a minute.
 */
export function freshFor(cacheControl: string | null): number {
  const seconds = /(?:^|[,\s])max-age\s*=\s*"?(\d+)/i.exec(cacheControl ?? '')?.[1]
  const wanted = seconds === undefined ? freshAtMostMs : Number(seconds) * 1000
  return Math.min(freshAtMostMs, Math.max(freshAtLeastMs, wanted))
}

/**
 * Whether to fetch before looking at the keys at hand: not for 5 s after a failure, for an unknown
 * kid once in 30 s.
 */
export function needsFetch(
  entry: JwksEntry | undefined,
  kid: string | undefined,
  now: number,
): boolean {
  if (entry === undefined) return true
  const keys = usableKeys(entry, now)
  const fresh = keys !== null && now < entry.fetchedAt + entry.freshMs
  const known = kid === undefined || keys?.some((key) => key.kid === kid) === true
  if (fresh && known) return false
  const pause = fresh ? unknownKidPauseMs : entry.failed ? failurePauseMs : 0
  return now >= entry.attemptedAt + pause
}

/**
 * The entry after a fetch; a failed one keeps the old keys, which serve until an hour after their
 * own fetch.
 */
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

/** The keys that serve now; none when the last good answer is an hour old. */
export function keysOf(entry: JwksEntry | undefined, now: number): readonly PublicJwk[] {
  return (entry === undefined ? null : usableKeys(entry, now)) ?? []
}
