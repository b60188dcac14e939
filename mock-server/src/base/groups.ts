import { once } from './once.js'

/** Lists by key, keys in order of first occurrence (`Map.groupBy` is younger than Node 20). */
export function groups<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const byKey = new Map<string, T[]>()
  for (const item of items) once(byKey, keyOf(item), (): T[] => []).push(item)
  return byKey
}
