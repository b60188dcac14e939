/** So many wait beside the one that is in use. */
const AHEAD = 8

/**
 * Starts work on the items, eight ahead of the one that is in use, and hands out what it brings in
 * their order.
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
      // It is told when its turn comes, or no longer of interest.
      work.catch(() => undefined)
      waiting.push(work)
      next += 1
    }
    const work = waiting.shift()
    if (work !== undefined) yield [item, await work]
  }
}
