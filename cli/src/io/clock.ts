/** Wall time, monotonic time and waiting; the only way to any of them in this program. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number
  /** Milliseconds that never step back; only differences mean something. */
  monotonic(): number
  /** Resolves after `ms`; rejects with `signal.reason` when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The longest delay Node's timers take; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; ; left -= MAX_TIMER_MS) {
    await timer(Math.min(Math.max(left, 0), MAX_TIMER_MS), signal)
    if (left <= MAX_TIMER_MS) return
  }
}

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(handle)
      reject(signal?.reason)
    }
    const handle = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Calls `run` every `ms` without keeping the process alive; the answer stops it. */
export function every(ms: number, run: () => void): () => void {
  const handle = setInterval(run, ms)
  handle.unref()
  return () => clearInterval(handle)
}

/** Calls `run` once after `ms` without keeping the process alive; the answer cancels it. */
export function after(ms: number, run: () => void): () => void {
  const handle = setTimeout(run, ms)
  handle.unref()
  return () => clearTimeout(handle)
}
