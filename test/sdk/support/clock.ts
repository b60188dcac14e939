import { HandClock } from './hand-clock.js'

/** A clock whose waits are over at once: a sleep moves it and is written down. */
export class SleeplessClock extends HandClock {
  readonly slept: number[] = []

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (!signal?.aborted) this.slept.push(ms)
    return super.sleep(ms, signal)
  }
}
