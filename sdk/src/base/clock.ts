/** The source of all waits and ages. With a clock of your own a test of ten minutes takes a millisecond. */
export interface Clock {
  /** Wall time, epoch milliseconds. May jump; used to compare with what a server says. */
  now(): number
  /** Milliseconds that only grow; used for ages and intervals. */
  monotonic(): number
  /**
   * Resolves after `ms`. Rejects with `signal.reason` as soon as the signal aborts, and then removes
   * its timer and its listener.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Node fires a timer above this at once, so a longer wait is several timers. */
const longestTimerMs = 2_147_483_647

/**
 * Starts a timer of real time, also with another clock injected, because it guards real sockets.
 * Returns a function that stops it.
 */
export function startTimer(ms: number, run: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {}
  if (ms <= longestTimerMs) {
    const only = setTimeout(run, ms)
    return () => clearTimeout(only)
  }
  let left = ms
  let timer: ReturnType<typeof setTimeout>
  const next = (): void => {
    const chunk = Math.min(left, longestTimerMs)
    left -= chunk
    timer = setTimeout(left > 0 ? next : run, chunk)
  }
  next()
  return () => clearTimeout(timer)
}

/** Rejects with `late()` after `ms` of real time, even if the promise never settles. */
export function within<T>(ms: number, promise: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = startTimer(ms, () => reject(late()))
    promise.then(resolve, reject).finally(stop)
  })
}

/**
 * The machine's own clock: `Date.now`, `performance.now` and `setTimeout`.
 *
 * @example
 * ```ts
 * const ahead: Clock = { ...systemClock, now: () => systemClock.now() + 60_000 }
 * ```
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const leave = (): void => {
        stop()
        reject(signal?.reason)
      }
      const stop = startTimer(ms, () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      })
      signal?.addEventListener('abort', leave, { once: true })
    }),
}

/** One moment on both clocks. */
export interface Instant {
  readonly monotonic: number
  readonly wall: number
}

export function instant(clock: Clock): Instant {
  return { monotonic: clock.monotonic(), wall: clock.now() }
}

/**
 * How long ago, in milliseconds, by the clock that counted more: the monotonic clock may stop while
 * the machine sleeps, the wall clock may be set back.
 */
export function ageOf(since: Instant, clock: Clock): number {
  return Math.max(clock.monotonic() - since.monotonic, clock.now() - since.wall)
}
