import type { BuildRecord } from '../records/records.js'
import { byText, Heap } from './order.js'

/** Builds in ascending order of (created_at, number, id): the newest is the last. */
export type SortedBuilds = readonly BuildRecord[]

export function compareBuilds(a: BuildRecord, b: BuildRecord): number {
  return byText(a.created_at, b.created_at) || a.number - b.number || byText(a.id, b.id)
}

export function metaDataPair(key: string, value: string | boolean): string {
  return `${key}\0${value}`
}

export interface BuildSlice {
  readonly run: SortedBuilds
  readonly from: number
  readonly to: number
}

/**
 * Yields the builds of several slices that pass all tests, newest first. No build may be in two
 * slices.
 */
export function* newestFirst(
  slices: readonly BuildSlice[],
  tests: readonly ((build: BuildRecord) => boolean)[] = [],
): Iterable<BuildRecord> {
  const [only] = slices
  if (only !== undefined && slices.length === 1) {
    for (let at = only.to - 1; at >= only.from; at--) {
      const build = only.run[at]
      if (build !== undefined && tests.every((test) => test(build))) yield build
    }
    return
  }
  const filled = slices.flatMap((slice) => {
    const build = slice.to > slice.from ? slice.run[slice.to - 1] : undefined
    return build === undefined ? [] : [{ slice, at: slice.to - 1, build }]
  })
  const heap = new Heap((a, b) => compareBuilds(a.build, b.build) > 0, filled)
  for (let top = heap.first; top !== undefined; top = heap.first) {
    const { build, slice } = top
    if (tests.every((test) => test(build))) yield build
    const older = top.at > slice.from ? slice.run[top.at - 1] : undefined
    if (older === undefined) heap.pop()
    else {
      top.at--
      top.build = older
      heap.settle()
    }
  }
}
