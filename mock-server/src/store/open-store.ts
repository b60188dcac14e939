import type { Clock } from '../base/clock.js'
import type { Collection, Records } from '../records/records.js'
import { createCommitter } from './committer.js'
import { lowdbMemory } from './lowdb.js'
import { MemoryStore } from './memory-store.js'
import type { Persistence } from './persistence.js'
import { State } from './state.js'
import type { Change } from './store.js'

export interface OpenedStore {
  readonly store: MemoryStore
  /**
   * The state of the store. Its counters number the ids, and a seed is written to it before the
   * first update.
   */
  readonly state: State
  /** True if the persistence held any record. Then it is not seeded again. */
  readonly loaded: boolean
}

/** Puts a record without a transaction into a state that no store uses yet. */
export function putInto<C extends Collection>(
  state: State,
  collection: C,
  record: Records[C],
): void {
  state.write({ collection, id: record.id, record } as Change)
}

/** Opens a store with the records of its persistence. @throws StoreError if they cannot be read */
export async function openStore(
  options: { persistence?: Persistence; clock?: Clock } = {},
): Promise<OpenedStore> {
  const persistence = options.persistence ?? lowdbMemory()
  const state = new State()
  let loaded = false
  for await (const [collection, record] of persistence.load()) {
    putInto(state, collection, record)
    loaded = true
  }
  return {
    store: new MemoryStore(state, createCommitter(persistence, options.clock)),
    state,
    loaded,
  }
}

export function memoryStore(state: State): MemoryStore {
  return new MemoryStore(state, createCommitter(lowdbMemory()))
}
