import { backoff } from '../base/backoff.js'
import { positiveNumber } from './token-set.js'

/**
 * When a device authorization is polled; all times are milliseconds on the monotonic clock since
 * its response arrived.
 */
export interface PollSchedule {
  readonly lifeMs: number
  /** How long before the end the last call is made, in milliseconds. */
  readonly guardMs: number
  /** The longest interval that still allows a call before the end. */
  readonly longestMs: number
  /** The server's interval: grows with `slow_down`, never shrinks. */
  readonly intervalMs: number
  /**
   * Added to the interval, for clocks that run at another rate and servers that count whole
   * seconds.
   */
  readonly margin: number
  /** When the last call ended. */
  readonly lastMs: number
  /** Our own wait after a lost connection, apart from the interval. */
  readonly backoffMs: number
  /** The server's wait, for the next call only. */
  readonly serverWaitMs: number
}

/** The next call: when it is due, and whether it is the last. */
interface NextPoll {
  readonly dueMs: number
  readonly final: boolean
}

const longestBackoffMs = 30_000
const slowDownMs = 5_000

/** The schedule of a new authorization; `interval` is the field of the answer (default 5 s). */
export function startSchedule(lifeMs: number, interval: unknown): PollSchedule {
  const longestMs = 0.8 * lifeMs
  const askedMs = (positiveNumber(interval) ?? 5) * 1000
  return {
    lifeMs,
    guardMs: Math.min(2000, 0.1 * lifeMs),
    longestMs,
    intervalMs: Math.min(Math.max(askedMs, 1000), longestMs),
    margin: 0.05,
    lastMs: 0,
    backoffMs: 0,
    serverWaitMs: 0,
  }
}

/** The next call, or undefined when the code would have expired by then. */
export function nextPoll(schedule: PollSchedule): NextPoll | undefined {
  const { lifeMs, guardMs, intervalMs, margin, lastMs, backoffMs, serverWaitMs } = schedule
  const leastMs = intervalMs * (1 + margin)
  const leftMs = lifeMs - lastMs
  const waitMs = Math.max(leastMs, serverWaitMs, backoffMs)
  // After a wait that allows no second one, the last call is made as late as possible.
  const final = leftMs - waitMs < leastMs + guardMs
  const chosenMs = final ? Math.max(leastMs, serverWaitMs, leftMs - guardMs) : waitMs
  return chosenMs >= leftMs ? undefined : { dueMs: lastMs + chosenMs, final }
}

/** A call ended at `lastMs`; its answer asked for `serverWaitMs`. */
export function afterCall(
  schedule: PollSchedule,
  lastMs: number,
  serverWaitMs: number,
): PollSchedule {
  return { ...schedule, lastMs, serverWaitMs }
}

/** `authorization_pending`: the connection works, so the interval alone counts again. */
export function afterPending(schedule: PollSchedule): PollSchedule {
  return { ...schedule, backoffMs: 0 }
}

/**
 * `slow_down`: five seconds more for good (RFC 8628 §3.5), or the interval the server names when
 * that is longer.
 */
export function afterSlowDown(schedule: PollSchedule, interval: unknown): PollSchedule {
  const { intervalMs, longestMs } = schedule
  const namedMs = Math.min((positiveNumber(interval) ?? 0) * 1000, longestMs)
  return {
    ...schedule,
    backoffMs: 0,
    margin: 0.2,
    intervalMs: Math.max(intervalMs + slowDownMs, namedMs),
  }
}

/** No usable answer came: our own wait doubles, up to half a minute or the interval. */
export function afterLoss(schedule: PollSchedule): PollSchedule {
  const { intervalMs, backoffMs } = schedule
  const rule = {
    firstMs: Math.max(intervalMs, backoffMs),
    longestMs: Math.max(longestBackoffMs, intervalMs),
  }
  return { ...schedule, backoffMs: backoff(rule, 1) }
}
