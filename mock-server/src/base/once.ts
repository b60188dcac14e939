/** The cached value of a key; it is made at the first call. */
export function once<K, V>(
  cache: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const value = make()
  cache.set(key, value)
  return value
}
