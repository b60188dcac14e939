interface Window {
  readonly endsAt: number
  count: number
}

const maxWindows = 10_000

/**
 * Counts requests per key in fixed windows that start with the first request. If there are too many
 * windows, the oldest is dropped.
 */
export class FixedWindows {
  readonly #windows = new Map<string, Window>()

  /** Counts a request. `resetSeconds`: whole seconds until the window ends, at least 1. */
  count(
    key: string,
    windowMs: number,
    now: number,
  ): { readonly current: number; readonly resetSeconds: number } {
    let window = this.#windows.get(key)
    if (window === undefined || now >= window.endsAt) {
      this.#windows.delete(key)
      for (const [oldest, { endsAt }] of this.#windows) {
        if (now < endsAt && this.#windows.size < maxWindows) break
        this.#windows.delete(oldest)
      }
      window = { endsAt: now + windowMs, count: 0 }
      this.#windows.set(key, window)
    }
    window.count++
    return {
      current: window.count,
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
    }
  }
}
