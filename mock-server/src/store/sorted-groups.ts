import { lowerBound } from '../domain/order.js'
import { LayeredMap } from './layered-map.js'

/** Records in one fixed order. What comes out of order is put right when somebody looks, all of it at once. */
export class SortedList<R extends object> {
  readonly #compare: (a: R, b: R) => number
  #items: R[]
  #isMine: boolean
  #isSorted = true

  constructor(compare: (a: R, b: R) => number, parent?: SortedList<R>) {
    this.#compare = compare
    this.#items = parent === undefined ? [] : parent.#sorted()
    this.#isMine = parent === undefined
  }

  get items(): readonly R[] {
    return this.#sorted()
  }

  /** A list that starts equal to this one; this one must not change any more. */
  fork(): SortedList<R> {
    return new SortedList(this.#compare, this)
  }

  add(record: R): void {
    const items = this.#mine()
    const last = items.at(-1)
    if (last !== undefined && this.#compare(last, record) > 0) this.#isSorted = false
    items.push(record)
  }

  replace(record: R): void {
    this.#sorted()
    this.#mine()[this.#position(record)] = record
  }

  remove(record: R): void {
    this.#sorted()
    this.#mine().splice(this.#position(record), 1)
  }

  #sorted(): R[] {
    if (!this.#isSorted) this.#items.sort(this.#compare)
    this.#isSorted = true
    return this.#items
  }

  #mine(): R[] {
    if (!this.#isMine) this.#items = this.#items.slice()
    this.#isMine = true
    return this.#items
  }

  #position(of: R): number {
    return lowerBound(this.#items, (record) => this.#compare(record, of) < 0)
  }
}

/** Records in groups, each group in one fixed order: lists that are read far more often than written. */
export class SortedGroups<R extends object> {
  readonly #groups: LayeredMap<string, SortedList<R>>
  readonly #namesOf: (record: R) => readonly string[]
  readonly #compare: (a: R, b: R) => number

  /** @param namesOf The groups that a record stands in. */
  constructor(
    namesOf: (record: R) => readonly string[],
    compare: (a: R, b: R) => number,
    groups: LayeredMap<string, SortedList<R>> = new LayeredMap(),
  ) {
    this.#groups = groups
    this.#namesOf = namesOf
    this.#compare = compare
  }

  fork(): SortedGroups<R> {
    return new SortedGroups(this.#namesOf, this.#compare, this.#groups.fork())
  }

  group(name: string): readonly R[] {
    return this.#groups.get(name)?.items ?? []
  }

  names(): Iterable<string> {
    return this.#groups.keys()
  }

  change(before: R | null, after: R | null): void {
    const gone = before === null ? [] : this.#namesOf(before)
    const come = after === null ? [] : this.#namesOf(after)
    if (before !== null && after !== null && this.#compare(before, after) === 0 && isSame(gone, come)) {
      for (const name of come) this.#own(name).replace(after)
      return
    }
    for (const name of gone) {
      const group = this.#own(name)
      if (before !== null) group.remove(before)
      if (group.items.length === 0) this.#groups.delete(name)
    }
    for (const name of come) if (after !== null) this.#own(name).add(after)
  }

  #own(name: string): SortedList<R> {
    const group = this.#groups.get(name)
    if (group !== undefined && this.#groups.owns(name)) return group
    const mine = group?.fork() ?? new SortedList(this.#compare)
    this.#groups.set(name, mine)
    return mine
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, n) => name === b[n])
