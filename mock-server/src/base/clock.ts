/** Wall and monotonic milliseconds, and a wait that a signal can end. */
export interface Clock {
  now(): number
  monotonic(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Node fires a timer above this at once. */
const longestTimerMs = 2_147_483_647

const hostSleep =
  (keepsProcessAlive: boolean) =>
  (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      let left = Math.max(ms, 0)
      let timer: ReturnType<typeof setTimeout>
      const next = (): void => {
        const chunk = Math.min(left, longestTimerMs)
        left -= chunk
        timer = setTimeout(left > 0 ? next : finish, chunk)
        if (!keepsProcessAlive) timer.unref()
      }
      const finish = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      next()
    })

/** The host's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: hostSleep(true),
}

/** The host's time for housekeeping: its waits do not keep a process alive. */
export const backgroundClock: Clock = { ...systemClock, sleep: hostSleep(false) }
