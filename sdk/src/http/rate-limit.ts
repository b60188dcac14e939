import type { Clock } from '../base/clock.js'
import type { RateLimitError } from '../errors/errors.js'
import { resetWait, retryAfter } from './retry.js'

export type RateLimitWindow = 'organization' | 'user'

export interface ClosedWindow {
  readonly window: RateLimitWindow
  readonly waitMs: number
}

/** What the headers and the parsed body of an answer say about waiting. */
export interface RateLimitAnswer {
  readonly status: number
  header(name: string): string | undefined
  readonly body?: unknown
}

/**
 * Milliseconds the server wants us to wait before the next request, 0 when it does not say: the
 * largest of all it says.
 */
export function serverWait(answer: RateLimitAnswer, now: number): number {
  const used = windows.filter((window) => isExhausted(answer, window))
  return Math.max(askedWait(answer, now), ...used.map((window) => windowWait(answer, window, now)))
}

/** What a 429 names: its scope and limit. */
export function rateLimitDetails(answer: RateLimitAnswer): Pick<RateLimitError, 'scope' | 'limit'> {
  const body = record(answer.body)
  const scope = typeof body['scope'] === 'string' ? body['scope'] : undefined
  const window = windowOf(scope)
  const header = window === undefined ? undefined : limitHeader(answer, window, 'limit')
  const limit = Number(body['limit'] ?? header ?? Number.NaN)
  return { scope, limit: Number.isFinite(limit) ? limit : undefined }
}

/**
 * A window that was used up: until when, and how many requests may leave once it opens, where the
 * server says so.
 */
interface UsedWindow {
  until: number
  left: number
  readonly limit: number
}

/**
 * A window counts for this long after it opened. If its whole limit is sent before the first answer
 * arrives, the next request waits this long.
 */
const noNewsMs = 1_000

/**
 * The request windows that the server has declared used up. No request is sent before their reset,
 * and after it not more than the limit. Clients that `withAuth` made share the windows of
 * organizations; the user's window belongs to one client.
 */
export class RateGate {
  readonly #clock: Clock
  readonly #organizations: Map<string, UsedWindow>
  #user: UsedWindow | undefined

  constructor(clock: Clock, organizations: Map<string, UsedWindow> = new Map()) {
    this.#clock = clock
    this.#organizations = organizations
  }

  /** A gate for another user of the same organizations. */
  sibling(): RateGate {
    return new RateGate(this.#clock, this.#organizations)
  }

  /**
   * The window that is closed longest for this organization's requests, and for how long; undefined
   * when one may leave now.
   */
  closed(organization: string | undefined): ClosedWindow | undefined {
    const now = this.#clock.monotonic()
    const shared = organization === undefined ? undefined : this.#organizations.get(organization)
    const ofUser = waitFor(this.#user, now)
    const ofShared = waitFor(shared, now)
    if (ofUser <= 0 && ofShared <= 0) {
      for (const window of [this.#user, shared]) if (window !== undefined) window.left -= 1
      if (organization !== undefined && shared !== undefined && isOver(shared, now))
        this.#organizations.delete(organization)
      return undefined
    }
    return ofUser >= ofShared
      ? { window: 'user', waitMs: ofUser }
      : { window: 'organization', waitMs: ofShared }
  }

  /**
   * Takes in one answer. Without an organization in the path its window is the token's own, so the
   * user's is closed.
   */
  observe(answer: RateLimitAnswer, organization: string | undefined): void {
    for (const window of windows) {
      if (!isExhausted(answer, window)) continue
      const waitMs = windowWait(answer, window, this.#clock.now())
      if (waitMs <= 0 || waitMs >= longestBelievedMs) continue
      const limit = Number(limitHeader(answer, window, 'limit')) || Number.POSITIVE_INFINITY
      this.#close(window, organization, {
        until: this.#clock.monotonic() + waitMs,
        left: limit,
        limit,
      })
    }
  }

  #close(window: RateLimitWindow, organization: string | undefined, used: UsedWindow): void {
    const known =
      window === 'user' || organization === undefined
        ? this.#user
        : this.#organizations.get(organization)
    if (known !== undefined && known.until > used.until) return
    if (window === 'user' || organization === undefined) this.#user = used
    else this.#organizations.set(organization, used)
  }
}

/** Whether less than a fifth of a request window is left. */
export function isScarce(headers: Headers): boolean {
  const answer = { status: 200, header: (name: string) => headers.get(name) ?? undefined }
  const count = (window: RateLimitWindow, field: 'limit' | 'remaining'): number =>
    Number(limitHeader(answer, window, field) ?? Number.NaN)
  return windows.some((window) => count(window, 'remaining') < count(window, 'limit') / 5)
}

function waitFor(window: UsedWindow | undefined, now: number): number {
  if (window === undefined || isOver(window, now)) return 0
  if (window.until <= now && window.left <= 0)
    Object.assign(window, { until: now + noNewsMs, left: window.limit })
  return window.until - now
}

function isOver({ until }: UsedWindow, now: number): boolean {
  return until + noNewsMs < now
}

/** A window of a year is a broken header, and must not close a client for good. */
const longestBelievedMs = 365 * 86_400_000

const windows: readonly RateLimitWindow[] = ['organization', 'user']

/**
 * A 429 closes the window its body names, both when it names none; any answer closes a window that
 * has nothing left.
 */
function isExhausted(answer: RateLimitAnswer, window: RateLimitWindow): boolean {
  return isRefusedBy(answer, window) || isUsedUp(limitHeader(answer, window, 'remaining'))
}

function isRefusedBy(answer: RateLimitAnswer, window: RateLimitWindow): boolean {
  if (answer.status !== 429) return false
  const named = windowOf(record(answer.body)['scope'])
  return named === undefined || named === window
}

/** Nothing left; a header that stands twice reads `0, 0`. */
function isUsedUp(remaining: string | undefined): boolean {
  return remaining !== undefined && /^\s*0+\s*(?:,|$)/.test(remaining)
}

/**
 * What a 429 asks for is about the window it names; the other one, used up as well, has its own
 * reset.
 */
function windowWait(answer: RateLimitAnswer, window: RateLimitWindow, now: number): number {
  const reset = resetWait(limitHeader(answer, window, 'reset'), answer.header('date'), now)
  return isRefusedBy(answer, window) ? Math.max(reset, askedWait(answer, now)) : reset
}

/** What an answer asks for whatever its windows say: by `Retry-After`, and a 429 by its body. */
function askedWait(answer: RateLimitAnswer, now: number): number {
  const date = answer.header('date')
  const reset = answer.status === 429 ? resetWait(record(answer.body)['reset'], date, now) : 0
  return Math.max(retryAfter(answer.header('retry-after'), date, now), reset)
}

function limitHeader(
  answer: RateLimitAnswer,
  window: RateLimitWindow,
  field: keyof typeof names.user,
): string | undefined {
  const [name, older] = names[window][field]
  return answer.header(name) ?? answer.header(older)
}

/**
 * The headers of a window, in both spellings; made once, because every answer is asked for them.
 */
function headersOf(window: '' | '-user') {
  const both = (field: string) =>
    [`ratelimit${window}-${field}`, `rate-limit${window}-${field}`] as const
  return { limit: both('limit'), remaining: both('remaining'), reset: both('reset') }
}

const names = { organization: headersOf(''), user: headersOf('-user') }

function windowOf(scope: unknown): RateLimitWindow | undefined {
  if (scope === 'rest_user' || scope === 'user') return 'user'
  return scope === 'rest' || scope === 'organization' ? 'organization' : undefined
}

/** The value as a record to read fields from; empty when it is not an object. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
