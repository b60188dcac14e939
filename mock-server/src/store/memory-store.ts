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

/**
 * One turn's writes: applied at once, so that the turn reads what it wrote, with what undoes them.
 */
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
    /** The next number of a pipeline is at least this one. */
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

/** State in memory, one synchronous turn per update, answered when its batch is committed. */
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
   * `change` runs in this very turn and must not await; the promise resolves once its batch is
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
    changed.tell(changes)
    const takeBack = (refusal?: StoreError): void => {
      undo()
      if (refusal !== undefined) refused.tell(refusal, changes)
      changed.tell(changes)
    }
    await commit([...changes, ...this.#state.writeCounters()], takeBack)
    return value
  }

  /** Told when storing stops working, and (null) when it works again; across generations. */
  onReadOnly(listener: (reason: StoreError | null) => void): () => void {
    return this.#committer.onReadOnly(listener)
  }

  /**
   * `listener` hears, just before its undoing is told, of a change that can never be stored
   * although others can.
   */
  onRefusal(listener: (refusal: StoreError, changed: readonly Change[]) => void): () => void {
    return this.#committer.refused.add(listener)
  }

  /**
   * `listener` hears, in the same turn as each update (or its undoing), which records it touched.
   * Returns how to stop.
   */
  onChange(listener: (changed: readonly Change[]) => void): () => void {
    return this.#committer.changed.add(listener)
  }

  /**
   * The next generation, over another state that is stored in one batch: this one refuses updates
   * from now on.
   */
  replace(state: State): { readonly store: MemoryStore; readonly committed: Promise<void> } {
    this.#superseded = true
    const store = new MemoryStore(state, this.#committer, this.generation + 1)
    state.writeCounters()
    const changes = replacement(this.#state, state)
    this.#committer.changed.tell(changes)
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

/** What turns one state into another: every record of the new one, and no other. */
function replacement(from: State, to: State): readonly Change[] {
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
