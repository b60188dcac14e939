import { LayeredMap } from './layered-map.js'

/** Records in groups, each group in one fixed order: lists that are read far more often than written. */
export class SortedGroups<R extends object> {
  readonly #groups: LayeredMap<string, R[]>
  readonly #groupOf: (record: R) => string
  readonly #compare: (a: R, b: R) => number

  constructor(groupOf: (record: R) => string, compare: (a: R, b: R) => number, parent?: SortedGroups<R>) {
    this.#groups = new LayeredMap(parent === undefined ? undefined : parent.#groups)
    this.#groupOf = groupOf
    this.#compare = compare
  }

  group(id: string): readonly R[] {
    return this.#groups.get(id) ?? []
  }

  change(before: R | null, after: R | null): void {
    if (before !== null) this.#splice(before, 1)
    if (after !== null) this.#splice(after, 0, after)
  }

  #splice(at: R, remove: 0 | 1, ...insert: R[]): void {
    const id = this.#groupOf(at)
    const group = this.#groups.get(id) ?? []
    const mine = this.#groups.owns(id) ? group : group.slice()
    let low = 0
    let high = mine.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const record = mine[middle]
      if (record !== undefined && this.#compare(record, at) < 0) low = middle + 1
      else high = middle
    }
    mine.splice(low, remove, ...insert)
    this.#groups.set(id, mine)
  }
}
