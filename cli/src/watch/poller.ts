import { isCiError } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import type { Clock } from '../clock.js'
import { isActive, isScarce, pauseMs } from './interval.js'
import type { Snapshot, Trouble } from './model.js'

/** One successful look at a build. */
export interface Reading {
  readonly build: Build
  readonly headers: Headers
}

/** How a build is polled. */
export interface PollOptions {
  /** One look; at most one is under way. */
  readonly read: () => Promise<Reading>
  readonly clock: Clock
  readonly random: () => number
  /** Ends pauses at once. */
  readonly signal: AbortSignal
  /** The interval a person fixed. */
  readonly intervalMs: number | undefined
  /** The record that a create, rebuild or retry has just answered: shown before the first look. */
  readonly first: Build | null
}

const MAX_PAUSE_MS = 60_000
/** A build that was made a moment ago may not be readable everywhere yet. */
const NEW_BUILD_MS = 10_000

/**
 * Looks at a build again and again: a snapshot per answer, trouble per failed look. It ends only by a refusal that will
 * not change (400, 401, 403, 404), by an error before anything was ever read, or when its consumer stops.
 */
export async function* pollBuild(options: PollOptions): AsyncGenerator<Snapshot | Trouble, never> {
  const { clock, random, signal, intervalMs: fixedMs } = options
  const started = clock.monotonic()
  let activeAt = started
  let pause = 0
  let streak = 0
  let known = options.first !== null

  if (options.first !== null) {
    pause = pauseMs({ watchedMs: 0, idleMs: 0, scarce: false, fixedMs, random: random() })
    yield { kind: 'snapshot', at: clock.now(), build: options.first, delayMs: pause }
    await clock.sleep(pause, signal)
  }
  for (;;) {
    const looked = clock.monotonic()
    try {
      const { build, headers } = await options.read()
      const now = clock.monotonic()
      if (isActive(build)) activeAt = now
      const scarce = isScarce(headers)
      pause = pauseMs({ watchedMs: now - started, idleMs: now - activeAt, scarce, fixedMs, random: random() })
      streak = 0
      known = true
      yield { kind: 'snapshot', at: serverTime(headers) ?? clock.now(), build, delayMs: pause }
    } catch (error) {
      signal.throwIfAborted()
      const isNew = options.first !== null && looked - started < NEW_BUILD_MS
      if (!known || !(isPassing(error) || (isNew && isCiError(error, 'not_found')))) throw error
      streak += 1
      pause = troublePauseMs(error, streak, fixedMs ?? 5000)
      yield { kind: 'trouble', at: clock.now(), ...describe(error), delayMs: pause }
    }
    await clock.sleep(pause, signal)
  }
}

/** Whether a failure may be over at the next look. */
function isPassing(error: unknown): boolean {
  if (!isCiError(error)) return false
  if (error.code === 'http_error') return error.status === 408 || error.status === 425
  return ['connection', 'timeout', 'server_error', 'rate_limited', 'invalid_response'].includes(error.code)
}

function troublePauseMs(error: unknown, streak: number, base: number): number {
  const doubled = Math.min(base * 2 ** streak, Math.max(MAX_PAUSE_MS, base))
  const asked = isCiError(error) && 'retryAfterMs' in error ? (error.retryAfterMs ?? 0) : 0
  return Math.max(doubled, asked)
}

function describe(error: unknown): { code: string; message: string } {
  if (isCiError(error)) return { code: error.code, message: error.message }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
}

/** The server's time by its `Date` header, epoch ms. */
function serverTime(headers: Headers): number | null {
  const time = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? null : time
}
