interface Window {
  readonly endsAt: number
  count: number
}

const mostWindows = 10_000

/**
 * Counts per key in fixed windows from the first request. Bounded: the window that began first
 * makes room.
 */
export class FixedWindows {
  readonly #windows = new Map<string, Window>()

  /** Counts one more; `resetSeconds`: whole seconds until the window ends, at least 1. */
  count(
    key: string,
    windowMs: number,
    now: number,
  ): { readonly current: number; readonly resetSeconds: number } {
    let window = this.#windows.get(key)
    if (window === undefined || now >= window.endsAt) {
      this.#windows.delete(key)
      for (const [oldest, { endsAt }] of this.#windows) {
        if (now < endsAt && this.#windows.size < mostWindows) break
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
