/** Wall and monotonic milliseconds, and a wait that a signal can end. */
export interface Clock {
  now(): number
  monotonic(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
