/** Converts only ASCII letters to lower case, to compare e-mail addresses. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The first index whose item is not below; the items below must come first. */
export function lowerBound<T>(run: readonly T[], isBelow: (item: T) => boolean): number {
  let low = 0
  let high = run.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = run[middle]
    if (item !== undefined && isBelow(item)) low = middle + 1
    else high = middle
  }
  return low
}

/** A binary heap: the first item is found in O(1), and changed in O(log n). */
export class Heap<T extends object> {
  readonly #items: T[]
  readonly #isBefore: (a: T, b: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean, items: T[] = []) {
    this.#items = items
    this.#isBefore = isBefore
    for (let at = (items.length >> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  get first(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    let at = this.#items.push(item) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const other = this.#items[above]
      if (other === undefined || !this.#isBefore(item, other)) return
      this.#items[at] = other
      this.#items[above] = item
      at = above
    }
  }

  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    this.#items[0] = last
    this.#sink(0)
  }

  /** Restores the order after the first item was changed so that it comes later. */
  settle(): void {
    this.#sink(0)
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const here = this.#items[at]
      const left = this.#items[2 * at + 1]
      const right = this.#items[2 * at + 2]
      if (here === undefined || left === undefined) return
      const goesRight = right !== undefined && this.#isBefore(right, left)
      const next = goesRight ? right : left
      if (!this.#isBefore(next, here)) return
      const below = 2 * at + (goesRight ? 2 : 1)
      this.#items[at] = next
      this.#items[below] = here
      at = below
    }
  }
}

interface DueEntry {
  readonly at: number
  readonly order: number
  readonly id: string
}

/** Ids by due time, the earliest first; equal times in order of insertion. One time per id. */
export class DueQueue {
  readonly #heap = new Heap<DueEntry>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order))
  readonly #current = new Map<string, DueEntry>()
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
