import { mayLookUp } from '../domain/device-authorization.js'

const windowMs = 600_000

export type Guesses = ReturnType<typeof createGuesses>

/** Failed look-ups of user codes per peer address and per user: never per code, so nobody can lock a victim's code. */
export function createGuesses() {
  const failures = new Map<string, number[]>()
  const recent = (key: string, now: number) => (failures.get(key) ?? []).filter((at) => now - at < windowMs)
  return {
    /** Milliseconds to wait before another look-up; 0 when one may look now. */
    waitMs: (keys: readonly string[], now: number): number =>
      Math.max(0, ...keys.map((key) => mayLookUp(recent(key, now), now).waitMs)),
    fail(keys: readonly string[], now: number): void {
      for (const [key, times] of failures) if (times.every((at) => now - at >= windowMs)) failures.delete(key)
      for (const key of keys) failures.set(key, [...recent(key, now), now])
    },
  }
}
