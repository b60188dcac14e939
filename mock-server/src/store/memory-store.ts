import type { Committer } from './committer.js'
import { StoreError } from './errors.js'
import { type Collection, collections, type Records } from './records.js'
import type { State } from './state.js'
import type { Change, NotPromise, ReadonlyState, Store, Transaction } from './store.js'

type ChangeListener = Parameters<Store['onChange']>[0]
type RefusalListener = Parameters<Store['onRefusal']>[0]

/** Who follows a store, through all of its generations. */
interface Listeners {
  readonly changed: Set<ChangeListener>
  readonly refused: Set<RefusalListener>
}

/** One turn's writes: applied at once, so that the turn reads what it wrote, with what undoes them. */
class StateTransaction implements Transaction {
  readonly changes: Change[] = []
  readonly #undo: Change[] = []
  readonly #state: State
  #open = true

  constructor(state: State) {
    this.#state = state
  }

  get state(): ReadonlyState {
    return this.#state
  }

  put<C extends Collection>(collection: C, record: Records[C]): void {
    this.#write({ collection, id: record.id, record } as Change)
  }

  putIfAbsent<C extends Collection>(collection: C, record: Records[C]): boolean {
    if (this.#state.get(collection, record.id) !== undefined) return false
    this.put(collection, record)
    return true
  }

  delete(collection: Collection, id: string): void {
    if (this.#state.get(collection, id) !== undefined) this.#write({ collection, id, record: null })
  }

  nextNumber(pipelineId: string): number {
    return this.#state.counters.next(`number:${pipelineId}`) + 1
  }

  startNumbers(pipelineId: string, next: number): void {
    this.#state.counters.raise(`number:${pipelineId}`, next - 1)
  }

  close(): void {
    this.#open = false
  }

  undo(): void {
    for (const change of this.#undo.toReversed()) this.#state.write(change)
  }

  #write(change: Change): void {
    if (!this.#open) throw new Error('A transaction was written after its turn')
    this.changes.push(change)
    this.#undo.push(this.#state.write(change))
  }
}

/** State in memory, one synchronous turn per update, answered when its batch is committed. */
export class MemoryStore implements Store {
  readonly generation: number
  readonly #state: State
  readonly #committer: Committer
  readonly #listeners: Listeners
  #superseded = false

  constructor(
    state: State,
    committer: Committer,
    generation = 1,
    listeners: Listeners = { changed: new Set(), refused: new Set() },
  ) {
    this.#state = state
    this.#committer = committer
    this.generation = generation
    this.#listeners = listeners
  }

  get state(): ReadonlyState {
    return this.#state
  }

  get durable(): boolean {
    return this.#committer.durable
  }

  /** Why nothing can be stored at present; reads go on. */
  get readOnlyReason(): StoreError | undefined {
    return this.#committer.failure
  }

  async update<T>(change: (tx: Transaction) => NotPromise<T>): Promise<T> {
    if (this.#superseded) throw new StoreError('reset', 'Sandbox was reset')
    if (this.#committer.failure !== undefined) throw this.#committer.failure
    const tx = new StateTransaction(this.#state)
    const putBackCounters = this.#state.counters.mark()
    let value: T
    try {
      value = change(tx)
      if (isPromise(value)) throw new TypeError('A change must not be asynchronous: decide and write in one turn')
    } catch (error) {
      tx.undo()
      putBackCounters()
      throw error
    } finally {
      tx.close()
    }
    if (tx.changes.length === 0) return value
    this.#tell(tx.changes)
    const undo = (refusal?: StoreError): void => {
      tx.undo()
      if (refusal !== undefined) for (const listener of this.#listeners.refused) listener(refusal, tx.changes)
      this.#tell(tx.changes)
    }
    await this.#committer.commit([...tx.changes, ...this.#state.writeCounters()], undo)
    return value
  }

  /** Told when storing stops working, and (null) when it works again; across generations. */
  onReadOnly(listener: (reason: StoreError | null) => void): () => void {
    return this.#committer.onReadOnly(() => listener(this.#committer.failure ?? null))
  }

  onRefusal(listener: RefusalListener): () => void {
    this.#listeners.refused.add(listener)
    return () => this.#listeners.refused.delete(listener)
  }

  onChange(listener: ChangeListener): () => void {
    this.#listeners.changed.add(listener)
    return () => this.#listeners.changed.delete(listener)
  }

  /**
   * The next generation of this store over another state: this one refuses updates from now on, and what is stored
   * becomes the other state in one batch.
   */
  replace(state: State): { readonly store: MemoryStore; readonly committed: Promise<void> } {
    this.#superseded = true
    const store = new MemoryStore(state, this.#committer, this.generation + 1, this.#listeners)
    state.writeCounters()
    const changes = replacement(this.#state, state)
    store.#tell(changes)
    return { store, committed: this.#committer.commit(changes, () => undefined) }
  }

  close(): Promise<void> {
    return this.#committer.close()
  }

  #tell(changes: readonly Change[]): void {
    for (const listener of this.#listeners.changed) listener(changes)
  }
}

const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'

/** What turns one state into another: every record of the new one, and no other. */
function replacement(from: State, to: State): readonly Change[] {
  const changes: Change[] = []
  for (const collection of collections) {
    for (const { id } of from.values(collection)) {
      if (to.get(collection, id) === undefined) changes.push({ collection, id, record: null })
    }
    for (const record of to.values(collection)) changes.push({ collection, id: record.id, record } as Change)
  }
  return changes
}
