import { guessWindowMs, lookUpWaitMs } from '../domain/device-authorization.js'

export type Guesses = ReturnType<typeof createGuesses>

/** Failed look-ups of user codes per peer address and per user: never per code, so nobody can lock a victim's code. */
export function createGuesses() {
  const failures = new Map<string, readonly number[]>()
  const of = (key: string) => failures.get(key) ?? []
  return {
    /** Milliseconds to wait before another look-up; 0 when one may look now. */
    waitMs: (keys: readonly string[], now: number): number =>
      Math.max(0, ...keys.map((key) => lookUpWaitMs(of(key), now))),
    fail(keys: readonly string[], now: number): void {
      for (const [key, times] of failures) if (times.every((at) => now - at >= guessWindowMs)) failures.delete(key)
      for (const key of keys) failures.set(key, [...of(key).filter((at) => now - at < guessWindowMs), now])
    },
  }
}
