import { once } from '../base/once.js'
import { lowerBound } from '../domain/order.js'

/** Records in a fixed order. They are sorted when they are read, not when they are added. */
export class SortedList<R extends object> {
  readonly #compare: (a: R, b: R) => number
  readonly #items: R[]
  #isSorted = true

  /** @param items The first records, already in order. */
  constructor(compare: (a: R, b: R) => number, items: readonly R[] = []) {
    this.#compare = compare
    this.#items = [...items]
  }

  get items(): readonly R[] {
    return this.#sorted()
  }

  add(record: R): void {
    const last = this.#items.at(-1)
    if (last !== undefined && this.#compare(last, record) > 0) this.#isSorted = false
    this.#items.push(record)
  }

  replace(record: R): void {
    this.#sorted()[this.#position(record)] = record
  }

  remove(record: R): void {
    this.#sorted().splice(this.#position(record), 1)
  }

  #sorted(): R[] {
    if (!this.#isSorted) this.#items.sort(this.#compare)
    this.#isSorted = true
    return this.#items
  }

  #position(of: R): number {
    return lowerBound(this.#items, (record) => this.#compare(record, of) < 0)
  }
}

/** Records in groups, each in a fixed order: for lists that are read more often than written. */
export class SortedGroups<R extends object> {
  readonly #groups = new Map<string, SortedList<R>>()
  readonly #namesOf: (record: R) => readonly string[]
  readonly #compare: (a: R, b: R) => number

  /** @param namesOf The names of the groups of a record. */
  constructor(
    namesOf: (record: R) => readonly string[],
    compare: (a: R, b: R) => number,
    records: Iterable<R>,
  ) {
    this.#namesOf = namesOf
    this.#compare = compare
    for (const record of records) this.change(null, record)
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
    const isInPlace =
      before !== null && after !== null && this.#compare(before, after) === 0 && isSame(gone, come)
    if (isInPlace) {
      for (const name of come) this.#groups.get(name)?.replace(after)
      return
    }
    for (const name of gone) {
      const group = this.#groups.get(name)
      if (before !== null) group?.remove(before)
      if (group?.items.length === 0) this.#groups.delete(name)
    }
    for (const name of come) {
      if (after !== null) once(this.#groups, name, () => new SortedList(this.#compare)).add(after)
    }
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, n) => name === b[n])
}
