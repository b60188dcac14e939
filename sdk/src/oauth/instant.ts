import type { Clock } from '../base/clock.js'

/** One moment on both clocks. */
export interface Instant {
  readonly monotonic: number
  readonly wall: number
}

export function instant(clock: Clock): Instant {
  return { monotonic: clock.monotonic(), wall: clock.now() }
}

/** How long ago, in milliseconds, by the clock that counted more: the monotonic one may sleep, the wall may be set back. */
export function ageOf(since: Instant, clock: Clock): number {
  return Math.max(clock.monotonic() - since.monotonic, clock.now() - since.wall)
}
