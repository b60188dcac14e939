import type { BuildRecord, Collection } from '../records/records.js'
import type { Store } from '../store/store.js'

/** What is nested in a printed build, and so ends its text when it changes. */
const nested: ReadonlySet<Collection> = new Set<Collection>([
  'users',
  'organizations',
  'pipelines',
  'queues',
  'agents',
])

const mostBytes = 8_388_608
const mostJoins = 8

/**
 * Builds as they were printed, less their pipeline, whose counters live; the texts used last are
 * kept.
 */
export class PrintedBuilds {
  /** By build, then by the URLs that its text holds. */
  readonly #texts = new Map<BuildRecord, Map<string, Uint8Array>>()
  #bytes = 0
  readonly #joins = new Map<
    Uint8Array,
    { readonly parts: readonly Uint8Array[]; readonly whole: Uint8Array }
  >()

  follow(store: Pick<Store, 'onChange'>): () => void {
    return store.onChange((changes) => {
      const ends = changes.some(
        ({ collection, id, record }) =>
          nested.has(collection) ||
          id === 'settings' ||
          (collection === 'builds' && record === null),
      )
      if (!ends) return
      this.#texts.clear()
      this.#bytes = 0
    })
  }

  text(build: BuildRecord, urls: string, print: () => Uint8Array): Uint8Array {
    const texts = this.#texts.get(build) ?? new Map<string, Uint8Array>()
    const known = texts.get(urls)
    const text = known ?? print()
    if (known === undefined) this.#bytes += text.byteLength
    this.#texts.delete(build)
    this.#texts.set(build, texts.set(urls, text))
    for (const [oldest, its] of this.#texts) {
      if (this.#bytes <= mostBytes) break
      this.#texts.delete(oldest)
      for (const { byteLength } of its.values()) this.#bytes -= byteLength
    }
    return text
  }

  /**
   * The parts as one text, which is made once for those who poll; `first` is the first build's
   * part.
   */
  join(parts: readonly Uint8Array[], first: Uint8Array): Uint8Array {
    const known = this.#joins.get(first)
    if (known?.parts.length === parts.length && known.parts.every((part, n) => part === parts[n]))
      return known.whole
    const whole = Buffer.concat(parts)
    this.#joins.delete(first)
    this.#joins.set(first, { parts, whole })
    const [oldest] = this.#joins.keys()
    if (this.#joins.size > mostJoins && oldest !== undefined) this.#joins.delete(oldest)
    return whole
  }
}
