import type { MemoryStore, StateTransaction } from './memory-store.js'
import type { Collection, Records } from './records.js'
import type { State } from './state.js'

/** Look-ups that the indexes answer; each is O(1) or O(page). */
export type ReadonlyState = Pick<State, 'get' | 'values' | 'count' | 'find' | 'builds' | 'list'>

/** One record put (or, with null, deleted). */
export type Change = {
  readonly [C in Collection]: { readonly collection: C; readonly id: string; readonly record: Records[C] | null }
}[Collection]

export type NotPromise<T> = T extends PromiseLike<unknown> ? never : T

/** What one turn reads and writes. */
export type Transaction = Pick<StateTransaction, 'state' | 'put' | 'delete' | 'nextNumber' | 'startNumbers'>

export type Store = Pick<MemoryStore, 'state' | 'generation' | 'update' | 'onChange' | 'onRefusal' | 'close'>
