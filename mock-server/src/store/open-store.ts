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
   * The state behind the store: its counters feed the ids, a seed writes it before the first
   * update.
   */
  readonly state: State
  /** Whether the persistence held anything: then it is never seeded again. */
  readonly loaded: boolean
}

/**
 * Puts a record into a state that no store serves yet: loading and seeding, without transaction.
 */
export function putInto<C extends Collection>(
  state: State,
  collection: C,
  record: Records[C],
): void {
  state.write({ collection, id: record.id, record } as Change)
}

/** A store over what its persistence holds. @throws StoreError when that cannot be read. */
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
