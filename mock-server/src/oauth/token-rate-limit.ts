import type { Settings } from '../sandbox/settings.js'

interface RateLimited {
  readonly limit: number
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number
}

/** Counts a request for a key; a value means that it is one too many. */
export type CountTokenRequest = (
  key: string,
  limit: NonNullable<Settings['tokenRateLimit']>,
  now: number,
) => RateLimited | undefined

const sweepAbove = 10_000

/** Fixed windows from the first request; refused requests count too. */
export const createTokenRateLimit = (): CountTokenRequest => {
  const windows = new Map<string, { readonly endsAt: number; count: number }>()
  const sweep = (now: number): void => {
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key)
  }
  return (key, { limit, windowSeconds }, now) => {
    const known = windows.get(key)
    const window = known !== undefined && now < known.endsAt ? known : { endsAt: now + windowSeconds * 1000, count: 0 }
    if (window !== known) {
      if (windows.size >= sweepAbove) sweep(now)
      windows.set(key, window)
    }
    window.count += 1
    if (window.count <= limit) return undefined
    return { limit, resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)) }
  }
}
