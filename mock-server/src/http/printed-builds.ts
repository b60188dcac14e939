import type { BuildRecord, Collection } from '../records/records.js'
import type { Store } from '../store/store.js'

/** Collections whose records are nested in printed builds. A change makes the texts outdated. */
const nested: ReadonlySet<Collection> = new Set<Collection>([
  'users',
  'organizations',
  'pipelines',
  'queues',
  'agents',
])

const maxBytes = 8_388_608
const maxJoins = 8

/**
 * A cache of printed builds, without their pipelines, whose counters change. The most recently used
 * texts are kept.
 */
export class PrintedBuilds {
  /** By build, then by the URLs in its text. */
  readonly #texts = new Map<BuildRecord, Map<string, Uint8Array>>()
  #bytes = 0
  readonly #joins = new Map<
    Uint8Array,
    { readonly parts: readonly Uint8Array[]; readonly whole: Uint8Array }
  >()

  follow(store: Pick<Store, 'onChange'>): () => void {
    return store.onChange((changes) => {
      const isOutdated = changes.some(
        ({ collection, id, record }) =>
          nested.has(collection) ||
          id === 'settings' ||
          (collection === 'builds' && record === null),
      )
      if (!isOutdated) return
      this.#texts.clear()
      this.#bytes = 0
    })
  }

  text(build: BuildRecord, urls: string, print: () => Uint8Array): Uint8Array {
    const texts = this.#texts.get(build) ?? new Map<string, Uint8Array>()
    const cached = texts.get(urls)
    const text = cached ?? print()
    if (cached === undefined) this.#bytes += text.byteLength
    this.#texts.delete(build)
    this.#texts.set(build, texts.set(urls, text))
    for (const [oldest, oldTexts] of this.#texts) {
      if (this.#bytes <= maxBytes) break
      this.#texts.delete(oldest)
      for (const { byteLength } of oldTexts.values()) this.#bytes -= byteLength
    }
    return text
  }

  /**
   * Joins the parts to one text, and keeps it for clients that poll. `first` is the part of the
   * first build.
   */
  join(parts: readonly Uint8Array[], first: Uint8Array): Uint8Array {
    const last = this.#joins.get(first)
    const isSame =
      last?.parts.length === parts.length && last.parts.every((part, n) => part === parts[n])
    if (last !== undefined && isSame) return last.whole
    const whole = Buffer.concat(parts)
    this.#joins.delete(first)
    this.#joins.set(first, { parts, whole })
    const [oldest] = this.#joins.keys()
    if (this.#joins.size > maxJoins && oldest !== undefined) this.#joins.delete(oldest)
    return whole
  }
}
