/** Counters that only grow: build numbers and id streams. They are stored as `meta` records. */
export class StateCounters {
  readonly #counts: Map<string, number>
  readonly #changed = new Set<string>()
  /** The old counts of the counters that changed since the last mark. */
  #moved = new Map<string, { readonly count: number | undefined; readonly changed: boolean }>()

  constructor(from?: StateCounters) {
    this.#counts = new Map(from?.entries())
  }

  next(name: string): number {
    const n = this.#counts.get(name) ?? 0
    this.raise(name, n + 1)
    return n
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  raise(name: string, count: number): void {
    if (count <= this.get(name)) return
    if (!this.#moved.has(name)) {
      this.#moved.set(name, { count: this.#counts.get(name), changed: this.#changed.has(name) })
    }
    this.#counts.set(name, count)
    this.#changed.add(name)
  }

  /** Marks the current counts; returns the function that restores them after a refused turn. */
  mark(): () => void {
    const moved = new Map<
      string,
      { readonly count: number | undefined; readonly changed: boolean }
    >()
    this.#moved = moved
    return () => {
      for (const [name, { count, changed }] of moved) {
        if (count === undefined) this.#counts.delete(name)
        else this.#counts.set(name, count)
        if (!changed) this.#changed.delete(name)
      }
    }
  }

  restore(name: string, count: number): void {
    if (count > this.get(name)) this.#counts.set(name, count)
  }

  entries(): Iterable<readonly [name: string, count: number]> {
    return this.#counts.entries()
  }

  takeChanged(): readonly (readonly [name: string, count: number])[] {
    const changed = [...this.#changed].map((name) => [name, this.get(name)] as const)
    this.#changed.clear()
    return changed
  }
}
