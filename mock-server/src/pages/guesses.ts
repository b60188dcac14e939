import { mayLookUp } from '../domain/device-authorization.js'

/** Failed look-ups of user codes per peer address and per user: never per code, so nobody can lock a victim's code. */
export interface Guesses {
  /** Milliseconds to wait before another look-up; 0 when one may look now. */
  waitMs(keys: readonly string[], now: number): number
  fail(keys: readonly string[], now: number): void
}

const windowMs = 600_000

export function createGuesses(): Guesses {
  const failures = new Map<string, number[]>()
  const recent = (key: string, now: number) => (failures.get(key) ?? []).filter((at) => now - at < windowMs)
  return {
    waitMs: (keys, now) => Math.max(0, ...keys.map((key) => mayLookUp(recent(key, now), now).waitMs)),
    fail(keys, now) {
      for (const [key, times] of failures) if (times.every((at) => now - at >= windowMs)) failures.delete(key)
      for (const key of keys) failures.set(key, [...recent(key, now), now])
    },
  }
}
