import type { Collection, Records } from '../records/records.js'

/** One record put (or, with null, deleted). */
export type Change = {
  readonly [C in Collection]: {
    readonly collection: C
    readonly id: string
    readonly record: Records[C] | null
  }
}[Collection]

/**
 * Where committed changes go and where a start finds them again. Another engine is these three
 * methods.
 */
export interface Persistence {
  /** True when what was committed is there after the process ended. */
  readonly durable?: boolean
  /**
   * Takes hold of it, before anything is read; called once. @throws StoreError when it is in use or
   * not ours
   */
  open?(): Promise<void>
  /** Every live record, once; called once, before the first commit. */
  load(): AsyncIterable<readonly [Collection, Records[Collection]]>
  /**
   * All or nothing; each record once, whole and in its last version. Calls never overlap. An empty
   * batch asks whether writing works again. @throws StoreError `unwritable` when this batch can
   * never be stored and others can; any other error means that nothing can be stored now
   */
  commit(changes: readonly Change[]): Promise<void>
  close(): Promise<void>
}
