import type { BuildRecord } from '../store/records.js'

/** Builds in ascending order of (created_at, number, id): the newest stands at the end. */
export type Run = readonly BuildRecord[]

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The one order of build lists, ascending. */
export const compareBuilds = (a: BuildRecord, b: BuildRecord): number =>
  byText(a.created_at, b.created_at) || a.number - b.number || byText(a.id, b.id)

/** First position whose build is not below, in a run where those below stand first. */
export function lowerBound(run: Run, isBelow: (build: BuildRecord) => boolean): number {
  let low = 0
  let high = run.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const build = run[middle]
    if (build !== undefined && isBelow(build)) low = middle + 1
    else high = middle
  }
  return low
}

/** How a `meta_data` pair is spelt where builds are found by it. */
export const metaDataPair = (key: string, value: string | boolean): string => `${key}\0${value}`

/** Part of a run: positions from `from` up to, not including, `to`. */
export interface Slice {
  readonly run: Run
  readonly from: number
  readonly to: number
}

/** Walks several slices as one list, newest first, past what fails a test; no build may stand in two of them. */
export function* newestFirst(
  slices: readonly Slice[],
  tests: readonly ((build: BuildRecord) => boolean)[] = [],
): Iterable<BuildRecord> {
  const passes = allOf(tests)
  const [only] = slices
  if (only !== undefined && slices.length === 1) {
    const { run, from, to } = only
    for (let at = to - 1; at >= from; at--) {
      const build = run[at]
      if (build !== undefined && passes(build)) yield build
    }
    return
  }
  const heap = new CursorHeap(slices)
  for (let build = heap.take(); build !== undefined; build = heap.take()) if (passes(build)) yield build
}

type Test = (build: BuildRecord) => boolean

function allOf(tests: readonly Test[]): Test {
  const [first, ...others] = tests
  if (first === undefined) return () => true
  return others.length === 0 ? first : (build) => first(build) && others.every((test) => test(build))
}

/** The cursor with the newest build is on top: a step costs the logarithm of the number of slices. */
class CursorHeap {
  readonly #cursors: { slice: Slice; at: number; build: BuildRecord }[] = []

  constructor(slices: readonly Slice[]) {
    for (const slice of slices) {
      const build = slice.run[slice.to - 1]
      if (build !== undefined && slice.to > slice.from) this.#cursors.push({ slice, at: slice.to - 1, build })
    }
    for (let at = (this.#cursors.length >> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  take(): BuildRecord | undefined {
    const top = this.#cursors[0]
    if (top === undefined) return undefined
    const { build } = top
    const older = top.at > top.slice.from ? top.slice.run[top.at - 1] : undefined
    if (older !== undefined) {
      top.at--
      top.build = older
    } else {
      const last = this.#cursors.pop()
      if (last !== undefined && last !== top) this.#cursors[0] = last
    }
    this.#sink(0)
    return build
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const here = this.#cursors[at]
      const left = this.#cursors[2 * at + 1]
      const right = this.#cursors[2 * at + 2]
      if (here === undefined || left === undefined) return
      const rightIsNewer = right !== undefined && compareBuilds(right.build, left.build) > 0
      const newer = rightIsNewer ? right : left
      if (compareBuilds(newer.build, here.build) <= 0) return
      const below = 2 * at + (rightIsNewer ? 2 : 1)
      this.#cursors[at] = newer
      this.#cursors[below] = here
      at = below
    }
  }
}
