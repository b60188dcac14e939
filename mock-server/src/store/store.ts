export type { Change } from './change.js'
export type { Store, Transaction } from './memory-store.js'
export type { ReadonlyState } from './state.js'
