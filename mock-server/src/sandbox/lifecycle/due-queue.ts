import { Heap } from '../../domain/order.js'

interface Entry {
  readonly at: number
  readonly order: number
  readonly id: string
}

/** Ids by their due time, the earliest first, equal times in the order in which they came; one time per id. */
export class DueQueue {
  readonly #heap = new Heap<Entry>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order))
  readonly #current = new Map<string, Entry>()
  #order = 0

  set(id: string, at: number | null): void {
    if (at === null) {
      this.#current.delete(id)
      return
    }
    if (this.#current.get(id)?.at === at) return
    this.#order += 1
    const entry = { at, order: this.#order, id }
    this.#current.set(id, entry)
    this.#heap.push(entry)
  }

  first(): { readonly id: string; readonly at: number } | undefined {
    for (let top = this.#heap.first; top !== undefined; top = this.#heap.first) {
      if (this.#current.get(top.id) === top) return top
      this.#heap.pop()
    }
    return undefined
  }
}
