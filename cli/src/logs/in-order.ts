/** The number of items that are started ahead of the one in use. */
const AHEAD = 8

/**
 * Starts work on the items, up to eight ahead of the one in use, and yields the results in the
 * order of the items.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  start: (item: T, at: number) => Promise<R>,
): AsyncGenerator<[T, R], void> {
  const waiting: Promise<R>[] = []
  let next = 0
  for (const item of items) {
    for (const ahead of items.slice(next, next + 1 + AHEAD - waiting.length)) {
      const work = start(ahead, next)
      // The error is thrown when its item is yielded; if the caller stops before, it is ignored.
      work.catch(() => undefined)
      waiting.push(work)
      next += 1
    }
    const work = waiting.shift()
    if (work !== undefined) yield [item, await work]
  }
}
