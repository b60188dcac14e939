import { setTimeout } from 'node:timers/promises'

/** Wall and monotonic milliseconds, and a wait that a signal can end. */
export interface Clock {
  now(): number
  monotonic(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Node fires a timer with a longer delay at once. */
const longestTimerMs = 2_147_483_647

/**
 * A promise that resolves when `begin` calls `done`, or rejects when the signal aborts. Then the
 * function that `begin` returned is called, to clean up.
 */
export function abortable(
  signal: AbortSignal | undefined,
  begin: (done: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const leave = (): void => {
      stop()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    const stop = begin(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    })
  })
}

function hostSleep(ref: boolean): Clock['sleep'] {
  return async (ms, signal) => {
    let left = Math.max(ms, 0)
    do {
      const chunk = Math.min(left, longestTimerMs)
      await setTimeout(chunk, undefined, { ref, ...(signal && { signal }) }).catch(() =>
        signal?.throwIfAborted(),
      )
      left -= chunk
    } while (left > 0)
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: hostSleep(true),
}

/** The clock of the host for background work: its waits do not keep the process alive. */
export const backgroundClock: Clock = { ...systemClock, sleep: hostSleep(false) }
