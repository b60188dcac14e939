import { Low, Memory } from 'lowdb'
import type { Persistence } from './persistence.js'
import type { Change } from './store.js'

/**
 * Changes in the order of their commit. The adapter reads the changes that made the live records,
 * and writes one batch.
 */
export type Batch = readonly Change[]

/** An adapter of lowdb by its shape, since declarations of CommonJS cannot import lowdb's. */
interface BatchAdapter {
  read(): Promise<Batch | null>
  write(batch: Batch): Promise<void>
}

export function lowdb(
  adapter: BatchAdapter,
  more: Partial<Pick<Persistence, 'durable' | 'open' | 'close'>> = {},
): Persistence {
  const database = new Low<Batch>(adapter, [])
  return {
    close: () => Promise.resolve(),
    ...more,
    async *load() {
      await database.read()
      const batch = database.data
      database.data = []
      for (const { collection, record } of batch) if (record !== null) yield [collection, record]
    },
    async commit(changes) {
      database.data = changes
      await database.write()
    },
  }
}

/** Keeps nothing beyond the process. */
export function lowdbMemory(): Persistence {
  return lowdb(new Memory<Batch>())
}
