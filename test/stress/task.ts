import { performance } from 'node:perf_hooks'
import { dice } from './dice.js'

/**
 * One kind of pressure: bounded in time and requests, repeatable by its seed, honest about what it
 * saw.
 */
export interface StressOptions {
  /** Milliseconds of its time that are left. */
  leftMs(): number
  /** Whether this part of its time is not over yet; all of it unless told. */
  within(share?: number): boolean
  readonly seed: number
  /** Dice of that seed. */
  readonly roll: () => number
  /** Upper limit of requests, cycles or rounds; each task has a default of its own. */
  readonly requests?: number | undefined
  readonly log: (line: string) => void
}

export interface StressResult {
  readonly figures: Readonly<Record<string, number | string>>
  /** What went wrong first, with what reproduces it. */
  readonly failure?: string | undefined
}

export type StressTask = (options: StressOptions) => Promise<StressResult>

/** Puts a task under pressure for so many minutes, from now on. */
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
