import { performance } from 'node:perf_hooks'

/** One line of the table: a figure of ours beside that of somebody else, taken in the same run. */
export interface BenchmarkRow {
  readonly area: 'server' | 'sdk' | 'cli' | 'mcp'
  readonly what: string
  readonly against: string
  readonly unit: string
  readonly ours: number
  readonly theirs: number | null
  /**
   * How much better ours is (above 1 = better), or the plain figure where there is nobody to
   * compare with.
   */
  readonly ratio: number
  readonly target: { readonly atLeast: number } | { readonly atMost: number }
}

type Comparison = Pick<BenchmarkRow, 'area' | 'what' | 'against'>
type Durations = { readonly ours: number; readonly theirs: number }

/** What two sides took in ms, where ours may take so many times as long. */
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

/** How often two sides did the same in the ms that they took for `calls` of it. */
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

/** A figure with nobody beside it. */
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
  /** Interleaved rounds; the median counts. */
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

/** Milliseconds that one call of `work` takes. */
async function time(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Times several sides in interleaved rounds, so that a noisy machine is noisy for all of them, and
 * answers each side's median in ms. The order turns with every round; the first round warms up and
 * does not count.
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

/**
 * Calls until code that is long reaches its speed: as often as that takes, or for as long as one
 * can wait.
 */
export async function warmUp(
  concurrency: number,
  call: (index: number) => Promise<unknown>,
): Promise<void> {
  const end = performance.now() + 5000
  for (let wave = 0; wave < 20 && performance.now() < end; wave += 1)
    await inFlight(200, concurrency, (index) => call(wave * 200 + index))
}

/** Runs `total` calls with at most `concurrency` in flight. */
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
