import type { Clock } from '@buildwire/sdk'

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

/**
 * A clock that a test moves. `trueMs` is the world's time; the machine's monotonic clock runs at
 * `rate` of it and stands still while suspended, its wall clock can be set. With `jump`, a sleep
 * moves the world itself instead of waiting for `advance`.
 */
export class HandClock implements Clock {
  trueMs = 0
  rate: number
  jump: boolean
  /**
   * Called with each sleep's length before the world moves; returns how long the machine is
   * suspended meanwhile.
   */
  onSleep: (ms: number) => number = () => 0
  #suspendedMs = 0
  #wallStepMs = 0
  readonly #start: number
  readonly #sleepers = new Set<Sleeper>()

  constructor(options: { start?: number; rate?: number; jump?: boolean } = {}) {
    this.#start = options.start ?? Date.UTC(2026, 2, 1, 9)
    this.rate = options.rate ?? 1
    this.jump = options.jump ?? true
  }

  now(): number {
    return this.#start + this.trueMs + this.#wallStepMs
  }

  monotonic(): number {
    return (this.trueMs - this.#suspendedMs) * this.rate
  }

  get sleeping(): number {
    return this.#sleepers.size
  }

  stepWall(ms: number): void {
    this.#wallStepMs += ms
  }

  suspend(ms: number): void {
    this.trueMs += ms
    this.#suspendedMs += ms
  }

  /** Moves the world on and wakes the sleepers that are due, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.trueMs + ms
    for (;;) {
      await settle()
      const next = [...this.#sleepers].sort((a, b) => a.due - b.due)[0]
      if (next === undefined || next.due > end) break
      this.trueMs = Math.max(this.trueMs, next.due)
      next.wake()
    }
    this.trueMs = end
    await settle()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.jump) {
      const suspendedMs = this.onSleep(ms)
      this.trueMs += ms / this.rate
      if (suspendedMs > 0) this.suspend(suspendedMs)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason)
      }
      const wake = (): void => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const sleeper = { due: this.trueMs + ms / this.rate, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}

/** Lets everything run that waits for nothing but promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
