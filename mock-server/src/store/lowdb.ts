import { type Adapter, Low, Memory } from 'lowdb'
import type { Persistence } from './persistence.js'
import type { Change } from './store.js'

/**
 * Changes in the order of their commit. The adapter reads the changes that made the live records,
 * and writes one batch.
 */
export type Batch = readonly Change[]

export function lowdb(
  adapter: Adapter<Batch>,
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
