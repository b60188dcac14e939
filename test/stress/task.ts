/** One kind of pressure: bounded in time and requests, repeatable by its seed, honest about what it saw. */
export interface StressOptions {
  /** Upper limit of its run time. */
  readonly minutes: number
  readonly seed: number
  /** Upper limit of requests, cycles or rounds; each task has a default of its own. */
  readonly requests?: number | undefined
  readonly log: (line: string) => void
}

export interface StressResult {
  readonly ok: boolean
  readonly figures: Readonly<Record<string, number | string>>
  /** What went wrong first, with what reproduces it. */
  readonly failure?: string | undefined
}

export type StressTask = (options: StressOptions) => Promise<StressResult>
