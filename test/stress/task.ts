import { performance } from 'node:perf_hooks'
import { dice } from './dice.js'

/**
 * One stress task. It is bounded in time and requests, its seed repeats it, and it reports what it
 * did.
 */
export interface StressOptions {
  /** The milliseconds that are left of its time. */
  leftMs(): number
  /** Whether this part of its time is not over yet; the default is all of it. */
  within(share?: number): boolean
  readonly seed: number
  /** The random numbers of the seed. */
  readonly roll: () => number
  /** The upper limit of requests, cycles or rounds; each task has its own default. */
  readonly requests?: number | undefined
  readonly log: (line: string) => void
}

export interface StressResult {
  readonly figures: Readonly<Record<string, number | string>>
  /** The first error, with the data that repeats it. */
  readonly failure?: string | undefined
}

export type StressTask = (options: StressOptions) => Promise<StressResult>

/** Runs a task for this many minutes from now on. */
export function press(
  task: StressTask,
  {
    minutes,
    seed,
    ...more
  }: Pick<StressOptions, 'seed' | 'requests' | 'log'> & { readonly minutes: number },
): Promise<StressResult> {
  const totalMs = minutes * 60_000
  const end = performance.now() + totalMs
  const leftMs = () => end - performance.now()
  const within = (share = 1) => leftMs() > totalMs * (1 - share)
  return task({ leftMs, within, seed, roll: dice(seed), ...more })
}
