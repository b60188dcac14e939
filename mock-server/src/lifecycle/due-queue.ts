interface Entry {
  readonly at: number
  readonly order: number
  readonly id: string
}

/** Ids by their due time, the earliest first, equal times in the order in which they came; one time per id. */
export class DueQueue {
  readonly #heap: Entry[] = []
  readonly #current = new Map<string, Entry>()
  #order = 0

  /** Gives an id its due time, or takes it out. */
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
    this.#up(this.#heap.length - 1)
  }

  first(): { readonly id: string; readonly at: number } | undefined {
    let top = this.#heap[0]
    while (top !== undefined && this.#current.get(top.id) !== top) {
      this.#pop()
      top = this.#heap[0]
    }
    return top
  }

  #pop(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const least = [left, left + 1].reduce((best, child) => (this.#before(child, best) ? child : best), at)
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #up(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #before(one: number, other: number): boolean {
    const a = this.#heap[one]
    const b = this.#heap[other]
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order))
  }

  #swap(one: number, other: number): void {
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (a === undefined || b === undefined) return
    this.#heap[one] = b
    this.#heap[other] = a
  }
}
