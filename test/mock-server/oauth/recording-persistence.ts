import type { Change, Collection, Persistence, Records } from '@buildwire/mock-server'

/** Keeps what was committed, and fails or waits on demand. */
export class RecordingPersistence implements Persistence {
  readonly committed = new Map<Collection, Map<string, Records[Collection]>>()
  /** What the newest commit held. */
  last: readonly Change[] = []
  failures = 0
  delay: Promise<void> | undefined

  async *load(): AsyncIterable<never> {}

  async commit(changes: readonly Change[]): Promise<void> {
    await this.delay
    if (this.failures > 0) {
      this.failures -= 1
      throw new Error('no space left on the test device')
    }
    this.last = changes
    for (const { collection, id, record } of changes) {
      const records = this.committed.get(collection) ?? new Map()
      this.committed.set(collection, records)
      if (record === null) records.delete(id)
      else records.set(id, record)
    }
  }

  async close(): Promise<void> {}

  values<C extends Collection>(collection: C): readonly Records[C][] {
    return [...(this.committed.get(collection)?.values() ?? [])] as Records[C][]
  }
}
