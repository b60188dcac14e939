import type { Collection, Records } from '../records/records.js'

/** One record that was put, or (null) deleted. */
export type Change = {
  readonly [C in Collection]: {
    readonly collection: C
    readonly id: string
    readonly record: Records[C] | null
  }
}[Collection]

/** Stores committed changes, and loads them at the next start. Implement it for another engine. */
export interface Persistence {
  /** True if committed changes outlive the process. */
  readonly durable?: boolean
  /**
   * Opens the engine; called once, before `load`. @throws StoreError if it is in use or belongs to
   * another program
   */
  open?(): Promise<void>
  /** Yields every live record once; called once, before the first commit. */
  load(): AsyncIterable<readonly [Collection, Records[Collection]]>
  /**
   * Stores all changes or none. Each record occurs once, whole and in its last version. Calls never
   * overlap. An empty batch tests whether writing works again. @throws StoreError `unwritable` if
   * this batch can never be stored but others can; any other error means that nothing can be stored
   * now
   */
  commit(changes: readonly Change[]): Promise<void>
  close(): Promise<void>
}
