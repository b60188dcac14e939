/**
 * A Map over an optional frozen parent: a fork costs nothing until it is written, and then only what it writes.
 * `undefined` is no value here; in the own layer it marks a parent's entry as deleted.
 */
export class LayeredMap<K, V extends object | string> {
  readonly #parent: LayeredMap<K, V> | undefined
  readonly #own = new Map<K, V | undefined>()
  #size: number

  constructor(parent?: LayeredMap<K, V>) {
    this.#parent = parent
    this.#size = parent?.size ?? 0
  }

  get size(): number {
    return this.#parent === undefined ? this.#own.size : this.#size
  }

  get(key: K): V | undefined {
    const own = this.#own.get(key)
    if (own !== undefined || this.#parent === undefined || this.#own.has(key)) return own
    return this.#parent.get(key)
  }

  /** True when the value lies in this layer, so that a mutable value may be changed in place. */
  owns(key: K): boolean {
    return this.#own.get(key) !== undefined
  }

  set(key: K, value: V): void {
    if (this.#parent !== undefined && this.get(key) === undefined) this.#size++
    this.#own.set(key, value)
  }

  delete(key: K): void {
    if (this.get(key) === undefined) return
    this.#size--
    if (this.#parent?.get(key) === undefined) this.#own.delete(key)
    else this.#own.set(key, undefined)
  }

  /** A new layer over this one, which must not be written any more. */
  fork(): LayeredMap<K, V> {
    return new LayeredMap(this)
  }

  *entries(): IterableIterator<readonly [K, V]> {
    if (this.#parent !== undefined) {
      for (const [key, value] of this.#parent.entries()) {
        if (!this.#own.has(key)) yield [key, value]
      }
    }
    for (const [key, value] of this.#own) if (value !== undefined) yield [key, value]
  }

  *keys(): IterableIterator<K> {
    for (const [key] of this.entries()) yield key
  }

  *values(): IterableIterator<V> {
    for (const [, value] of this.entries()) yield value
  }
}
