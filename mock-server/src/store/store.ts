export type { Store, Transaction } from './memory-store.js'
export type { Change } from './persistence.js'
export type { ReadonlyState } from './state.js'
