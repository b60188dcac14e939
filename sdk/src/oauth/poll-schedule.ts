import { backoff } from '../base/backoff.js'
import { positiveNumber } from './token-response.js'

/** When a device authorization is polled; all times are milliseconds on the monotonic clock since its response arrived. */
export interface PollSchedule {
  readonly lifeMs: number
  /** How long before the end the last call is made. */
  readonly guardMs: number
  /** The longest interval that still leaves room for a call. */
  readonly longestMs: number
  /** The server's interval: grows with `slow_down`, never shrinks. */
  readonly intervalMs: number
  /** Added to the interval, for clocks that run at another rate and servers that count whole seconds. */
  readonly margin: number
  readonly lastMs: number
  /** Our own wait after a lost connection; the interval knows nothing of it. */
  readonly backoffMs: number
  /** The server's wait, for the next call only. */
  readonly serverWaitMs: number
}

/** The next call: when it is due, and whether it is the last. */
export interface NextPoll {
  readonly dueMs: number
  readonly final: boolean
}

const longestBackoffMs = 30_000
const slowDownMs = 5_000

/** The schedule of a fresh authorization; `interval` is whatever the wire said (default 5 s). */
export function startSchedule(lifeMs: number, interval: unknown): PollSchedule {
  const longestMs = 0.8 * lifeMs
  const asked = (positiveNumber(interval) ?? 5) * 1000
  return {
    lifeMs,
    guardMs: Math.min(2000, 0.1 * lifeMs),
    longestMs,
    intervalMs: Math.min(Math.max(asked, 1000), longestMs),
    margin: 0.05,
    lastMs: 0,
    backoffMs: 0,
    serverWaitMs: 0,
  }
}

/** The next call, or undefined when nothing is left of the life by then. */
export function nextPoll(schedule: PollSchedule): NextPoll | undefined {
  const { lifeMs, guardMs, intervalMs, margin, lastMs, backoffMs, serverWaitMs } = schedule
  const floor = intervalMs * (1 + margin)
  const left = lifeMs - lastMs
  const wait = Math.max(floor, serverWaitMs, backoffMs)
  const final = left - wait < floor + guardMs
  const chosen = final ? Math.max(floor, serverWaitMs, left - guardMs) : wait
  return chosen >= left ? undefined : { dueMs: lastMs + chosen, final }
}

/** The call is over, at `lastMs`; `serverWaitMs` is what its answer asked for. */
export function afterCall(schedule: PollSchedule, lastMs: number, serverWaitMs: number): PollSchedule {
  return { ...schedule, lastMs, serverWaitMs }
}

/** `authorization_pending`: the connection works, so the interval alone counts again. */
export function afterPending(schedule: PollSchedule): PollSchedule {
  return { ...schedule, backoffMs: 0 }
}

/** `slow_down`: five seconds more for good (RFC 8628 §3.5), or the interval the server names when that is longer. */
export function afterSlowDown(schedule: PollSchedule, interval: unknown): PollSchedule {
  const { intervalMs, longestMs } = schedule
  const named = Math.min((positiveNumber(interval) ?? 0) * 1000, longestMs)
  return { ...schedule, backoffMs: 0, margin: 0.2, intervalMs: Math.max(intervalMs + slowDownMs, named) }
}

/** No usable answer: doubles our own wait, up to half a minute or the interval. */
export function afterLoss(schedule: PollSchedule): PollSchedule {
  const { intervalMs, backoffMs } = schedule
  const rule = { firstMs: Math.max(intervalMs, backoffMs), longestMs: Math.max(longestBackoffMs, intervalMs) }
  return { ...schedule, backoffMs: backoff(rule, 1) }
}
