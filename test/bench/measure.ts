import { performance } from 'node:perf_hooks'

/** One line of the table: our figure and that of another program, measured in the same run. */
export interface BenchmarkRow {
  readonly area: 'server' | 'sdk' | 'cli' | 'mcp' | 'start'
  readonly what: string
  readonly against: string
  readonly unit: string
  readonly ours: number
  readonly theirs: number | null
  /** How much better ours is (above 1 = better), or our figure if there is no other program. */
  readonly ratio: number
  readonly target: { readonly atLeast: number } | { readonly atMost: number }
}

type Comparison = Pick<BenchmarkRow, 'area' | 'what' | 'against'>
type Durations = { readonly ours: number; readonly theirs: number }

/** Durations of two sides in ms; ours may take at most this many times as long. */
export const atMost = (
  comparison: Comparison,
  { ours, theirs }: Durations,
  most: number,
): BenchmarkRow => ({
  ...comparison,
  unit: 'ms',
  ours,
  theirs,
  ratio: ours / theirs,
  target: { atMost: most },
})

/** Rates of two sides, from the ms that each took for `calls` calls. */
export const atLeast = (
  comparison: Comparison,
  unit: string,
  calls: number,
  { ours, theirs }: Durations,
  least: number,
): BenchmarkRow => ({
  ...comparison,
  unit,
  ours: (calls / ours) * 1000,
  theirs: (calls / theirs) * 1000,
  ratio: theirs / ours,
  target: { atLeast: least },
})

/** A figure without a comparison. */
export const alone = (
  area: BenchmarkRow['area'],
  what: string,
  unit: string,
  ours: number,
  most: number,
): BenchmarkRow => ({
  area,
  what,
  against: '',
  unit,
  ours,
  theirs: null,
  ratio: ours,
  target: { atMost: most },
})

export interface BenchContext {
  /** Interleaved rounds; the median is reported. */
  readonly rounds: number
  readonly log: (line: string) => void
}

export type Benchmark = (context: BenchContext) => Promise<readonly BenchmarkRow[]>

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The duration of one call of `work` in ms. */
async function time(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Times several sides in interleaved rounds, so that noise of the machine reaches all sides.
 * Returns each side's median in ms. The order rotates with every round; the first round warms up
 * and does not count.
 */
export async function interleave<Name extends string>(
  rounds: number,
  sides: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(sides) as Name[]
  const times = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length]
      if (name === undefined) continue
      const taken = await time(sides[name])
      if (round > 0) times.get(name)?.push(taken)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >
}

/** Repeats calls until long code is optimized: 4000 calls, or fewer if they take 5 s. */
export async function warmUp(
  concurrency: number,
  call: (index: number) => Promise<unknown>,
): Promise<void> {
  const end = performance.now() + 5000
  for (let wave = 0; wave < 20 && performance.now() < end; wave += 1)
    await inFlight(200, concurrency, (index) => call(wave * 200 + index))
}

/** Runs `total` calls with at most `concurrency` at the same time. */
export async function inFlight(
  total: number,
  concurrency: number,
  call: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < total) {
      const index = next
      next += 1
      await call(index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, worker))
}
