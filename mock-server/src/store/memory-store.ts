import { type Collection, collections, type Records } from '../records/records.js'
import type { Committer } from './committer.js'
import { StoreError } from './errors.js'
import type { Change } from './persistence.js'
import type { ReadonlyState, State } from './state.js'

type NotPromise<T> = T extends PromiseLike<unknown> ? never : T

export type Store = Pick<
  MemoryStore,
  'state' | 'generation' | 'update' | 'onChange' | 'onRefusal' | 'close'
>

/** Applies the writes of one turn at once, so that the turn reads them, and can undo them. */
function beginTurn(state: State) {
  const changes: Change[] = []
  const undoing: Change[] = []
  let isOpen = true
  const write = (change: Change): void => {
    if (!isOpen) throw new Error('A transaction was written after its turn')
    changes.push(change)
    undoing.push(state.write(change))
  }
  const tx = {
    state: state as ReadonlyState,
    put: <C extends Collection>(collection: C, record: Records[C]): void =>
      write({ collection, id: record.id, record } as Change),
    delete(collection: Collection, id: string): void {
      if (state.get(collection, id) !== undefined) write({ collection, id, record: null })
    },
    nextNumber: (pipelineId: string): number => state.counters.next(`number:${pipelineId}`) + 1,
    /** Makes sure that a counter of ids or build numbers is at least `count`. */
    raiseCounter: (name: string, count: number): void => state.counters.raise(name, count),
    /** Makes sure that the next build number of a pipeline is at least `next`. */
    startNumbers: (pipelineId: string, next: number): void =>
      state.counters.raise(`number:${pipelineId}`, next - 1),
  }
  const undo = (): void => {
    for (const change of undoing.toReversed()) state.write(change)
  }
  const close = (): void => {
    isOpen = false
  }
  return { tx, changes, undo, close }
}

export type Transaction = ReturnType<typeof beginTurn>['tx']

/** State in memory. Each update is one synchronous turn, and resolves once it is committed. */
export class MemoryStore {
  readonly state: ReadonlyState
  readonly generation: number
  readonly #state: State
  readonly #committer: Committer
  #superseded = false

  constructor(state: State, committer: Committer, generation = 1) {
    this.state = state
    this.#state = state
    this.#committer = committer
    this.generation = generation
  }

  get durable(): boolean {
    return this.#committer.durable
  }

  get readOnlyReason(): StoreError | undefined {
    return this.#committer.failure()
  }

  /**
   * Runs `change` at once; it must be synchronous. The promise resolves once the change is
   * committed.
   */
  async update<T>(change: (tx: Transaction) => NotPromise<T>): Promise<T> {
    const { changed, refused, commit, failure } = this.#committer
    if (this.#superseded) throw new StoreError('reset', 'Sandbox was reset')
    if (failure() !== undefined) throw failure()
    const { tx, changes, undo, close } = beginTurn(this.#state)
    const putBackCounters = this.#state.counters.mark()
    let value: T
    try {
      value = change(tx)
      if (isPromise(value))
        throw new TypeError('A change must not be asynchronous: decide and write in one turn')
    } catch (error) {
      undo()
      putBackCounters()
      throw error
    } finally {
      close()
    }
    if (changes.length === 0) return value
    changed.notify(changes)
    const takeBack = (refusal?: StoreError): void => {
      undo()
      if (refusal !== undefined) refused.notify(refusal, changes)
      changed.notify(changes)
    }
    await commit([...changes, ...this.#state.writeCounters()], takeBack)
    return value
  }

  /**
   * Calls listener with the reason when storing fails, and with null when it works again. The
   * subscription outlives a reset. Returns unsubscribe.
   */
  onReadOnly(listener: (reason: StoreError | null) => void): () => void {
    return this.#committer.onReadOnly(listener)
  }

  /**
   * Calls listener if a change can never be stored although others can, just before `onChange`
   * reports its rollback. Returns unsubscribe.
   */
  onRefusal(listener: (refusal: StoreError, changed: readonly Change[]) => void): () => void {
    return this.#committer.refused.add(listener)
  }

  /**
   * Calls listener synchronously after each update or rollback, with the changed records. Returns
   * unsubscribe.
   */
  onChange(listener: (changed: readonly Change[]) => void): () => void {
    return this.#committer.changed.add(listener)
  }

  /**
   * Makes the store of the next generation with another state, which is stored in one batch. This
   * store refuses updates from now on.
   */
  replace(state: State): { readonly store: MemoryStore; readonly committed: Promise<void> } {
    this.#superseded = true
    const store = new MemoryStore(state, this.#committer, this.generation + 1)
    state.writeCounters()
    const changes = replacementOf(this.#state, state)
    this.#committer.changed.notify(changes)
    return { store, committed: this.#committer.commit(changes, () => undefined) }
  }

  close(): Promise<void> {
    return this.#committer.close()
  }
}

function isPromise(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
  )
}

/** The changes that turn one state into another. */
function replacementOf(from: State, to: State): readonly Change[] {
  const changes: Change[] = []
  for (const collection of collections) {
    for (const { id } of from.values(collection)) {
      if (to.get(collection, id) === undefined) changes.push({ collection, id, record: null })
    }
    for (const record of to.values(collection))
      changes.push({ collection, id: record.id, record } as Change)
  }
  return changes
}
