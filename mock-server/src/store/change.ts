import type { Collection, Records } from '../records/records.js'

/** One record put (or, with null, deleted). */
export type Change = {
  readonly [C in Collection]: { readonly collection: C; readonly id: string; readonly record: Records[C] | null }
}[Collection]
