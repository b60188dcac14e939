import type { Clock } from '../../base/clock.js'
import { choice, object, optional } from '../../fields/composites.js'
import { type Accepted, isPlainObject } from '../../fields/field.js'
import { exactly, integer } from '../../fields/scalars.js'
import {
  differences,
  firstDifference,
  type MatchableEntry,
  type MatchDifference,
  type SameText,
} from '../../rules/match.js'
import type { LoggedMatch } from '../../rules/rule.js'
import type { Logged, RequestEntry } from './log-exchange.js'
import { createRedactor, type LogRedactor } from './redact.js'

const size = optional(integer(0))
const limitsTable = { maxEntries: size, maxBytes: size, maxBodyBytes: size }

export const requestLogField = choice(
  'false, or an object with maxEntries, maxBytes and maxBodyBytes',
  () => [
    { when: (value) => value === false, field: exactly(false) },
    { when: isPlainObject, field: object(limitsTable) },
  ],
)
export type RequestLogOptions = Accepted<typeof requestLogField>

export interface NearMiss {
  readonly entry: RequestEntry
  readonly difference: MatchDifference
}

export interface Expectation {
  readonly count?: number | undefined
  readonly atLeast?: number | undefined
  readonly atMost?: number | undefined
}

interface KeptEntry extends Logged {
  readonly bytes: number
}

/** A wait for matching requests. It forgets a request when the log drops it. */
interface EntryWaiter {
  see(logged: Logged): void
  /** By id: a request is reported when it arrives and when it ends. */
  readonly found: Map<string, RequestEntry>
  leave(): void
}

function subjectOf({ entry, facts }: Logged): MatchableEntry {
  const { operation, method, path, status, outcome, user, client_id, accessTokenId, request } =
    entry
  const headers = Object.entries(request.headers)
  return {
    ...facts,
    headers,
    operation,
    method,
    path,
    status,
    outcome,
    user,
    client_id,
    accessTokenId,
  }
}

const entryOverhead = 600

function sizeOf({ path, query, request, response }: RequestEntry, bodyBytes: number): number {
  let size = entryOverhead + path.length + query.length + bodyBytes
  for (const message of [request, response]) {
    for (const [name, value] of Object.entries(message?.headers ?? {}))
      size += name.length + value.length
  }
  return size
}

/** The limits of a log that keeps nothing, for servers that run for a long time. */
const nothingKept = { maxEntries: 0, maxBytes: 0, maxBodyBytes: 0 }

export type RequestLog = ReturnType<typeof createRequestLog>

/**
 * The requests and answers of a sandbox, limited in number and bytes: the oldest are dropped first.
 * Pending requests follow at the end.
 */
export function createRequestLog(
  options: RequestLogOptions = {},
  redactor: LogRedactor = createRedactor(),
) {
  const limits = options === false ? nothingKept : options
  const maxEntries = limits.maxEntries ?? 1000
  const maxBytes = limits.maxBytes ?? 8 * 1_048_576
  // By serial number: removing the first element of an array would move all others.
  const ring = new Map<number, KeptEntry>()
  let first = 0
  let next = 0
  const pending = new Set<() => Logged>()
  const waiting = new Set<EntryWaiter>()
  let bytes = 0

  const all = (): readonly Logged[] => [...ring.values(), ...[...pending].map((now) => now())]

  const same: SameText = (actual, expected) =>
    actual === expected ||
    (actual.includes('[redacted:') &&
      (actual === redactor.standIn(expected) ||
        actual === redactor.header('authorization', expected)))

  const isMatch = (match: LoggedMatch, logged: Logged): boolean =>
    firstDifference(match, subjectOf(logged), same) === null

  const matching = (match: LoggedMatch): readonly RequestEntry[] =>
    all()
      .filter((logged) => isMatch(match, logged))
      .map(({ entry }) => entry)

  const nearest = (match: LoggedMatch): NearMiss[] =>
    all()
      .toReversed()
      .flatMap((logged) => {
        const found = [...differences(match, subjectOf(logged), same)]
        return found[0] ? [{ entry: logged.entry, difference: found[0], misses: found.length }] : []
      })
      .sort((a, b) => a.misses - b.misses)
      .slice(0, 3)
      .map(({ entry, difference }) => ({ entry, difference }))

  const met = (count: number, { count: exactly, atLeast, atMost }: Expectation): boolean =>
    (exactly === undefined || count === exactly) &&
    (atLeast === undefined || count >= atLeast) &&
    (atMost === undefined || count <= atMost)

  const record = ({ entry, facts }: Logged): void => {
    const kept: KeptEntry = { entry, facts, bytes: sizeOf(entry, facts.bodyBytes) }
    ring.set(next++, kept)
    bytes += kept.bytes
    while (ring.size > maxEntries || bytes > maxBytes) {
      const gone = ring.get(first)
      bytes -= gone?.bytes ?? 0
      ring.delete(first++)
      if (gone !== undefined) for (const { found } of waiting) found.delete(gone.entry.id)
    }
    if (ring.has(next - 1)) for (const waiter of waiting) waiter.see(kept)
  }

  return {
    redactor,
    maxBodyBytes: limits.maxBodyBytes ?? 16_384,
    /**
     * Adds a pending request; `now` returns its present entry. The returned function is called with
     * its final entry.
     */
    arrive(now: () => Logged): (end: Logged) => void {
      if (maxEntries === 0) return () => undefined
      pending.add(now)
      if (waiting.size > 0) {
        const logged = now()
        for (const waiter of waiting) waiter.see(logged)
      }
      return (end) => {
        pending.delete(now)
        record(end)
      }
    },
    list: (): readonly RequestEntry[] => all().map(({ entry }) => entry),
    unexpected: (): readonly RequestEntry[] =>
      all().flatMap(({ entry }) => (entry.unexpected ? [entry] : [])),
    find: matching,
    /** `nearest`: the three requests with the fewest differences; empty if the result is ok. */
    verify(match: LoggedMatch, expectation: Expectation) {
      const count = matching(match).length
      const ok = met(count, expectation)
      return { ok, count, nearest: ok ? [] : nearest(match) }
    },
    /** Waits in host time until `count` requests match; null after the time limit. */
    wait(
      match: LoggedMatch,
      count: number,
      timeoutMs: number,
      host: Clock,
    ): Promise<readonly RequestEntry[] | null> {
      const found = new Map(matching(match).map((entry) => [entry.id, entry]))
      if (found.size >= count) return Promise.resolve([...found.values()])
      return new Promise((resolve) => {
        const timer = new AbortController()
        const end = (entries: readonly RequestEntry[] | null) => {
          waiting.delete(waiter)
          timer.abort()
          resolve(entries)
        }
        const waiter: EntryWaiter = {
          found,
          see(logged) {
            if (!isMatch(match, logged)) return
            found.set(logged.entry.id, logged.entry)
            if (found.size >= count) end([...found.values()])
          },
          leave: () => end(null),
        }
        waiting.add(waiter)
        host.sleep(timeoutMs, timer.signal).then(waiter.leave, () => undefined)
      })
    },
    clear(): void {
      ring.clear()
      first = next
      bytes = 0
      for (const { found } of waiting) found.clear()
    },
    close(): void {
      for (const waiter of waiting) waiter.leave()
    },
  }
}
