import type { Clock } from '@buildwire/sdk'

/** A clock whose waits are over at once: a sleep moves it and is written down. */
export class SleeplessClock implements Clock {
  readonly slept: number[] = []
  readonly #start: number
  #elapsed = 0

  constructor(start = Date.UTC(2026, 2, 1, 9)) {
    this.#start = start
  }

  now(): number {
    return this.#start + this.#elapsed
  }

  monotonic(): number {
    return this.#elapsed
  }

  advance(ms: number): void {
    this.#elapsed += ms
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.slept.push(ms)
    this.#elapsed += ms
  }
}

/** A clock whose waits end only when somebody leaves. */
export class FrozenClock implements Clock {
  /** Waits that are going on. */
  waiting = 0

  now(): number {
    return Date.UTC(2026, 2, 1, 9)
  }

  monotonic(): number {
    return 0
  }

  sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    this.waiting++
    return new Promise((_resolve, reject) => {
      const leave = (): void => {
        this.waiting--
        reject(signal?.reason)
      }
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
