import { describe, expect, it } from 'vitest'
import type { Collection, Records } from '../../mock-server/src/records/records.js'
import type { Persistence } from '../../mock-server/src/store/persistence.js'
import type { Change } from '../../mock-server/src/store/store.js'
import { aBuild, aUser } from '../support/records.js'

/** How a suite gets at the engine under test. */
export interface PersistenceUnderTest {
  /** An engine over nothing. */
  fresh(): Promise<Persistence>
  /**
   * What a restarted process would open: the same place, after the earlier engine was closed. Null
   * for memory.
   */
  again: (() => Promise<Persistence>) | null
}

export const put = <C extends Collection>(collection: C, record: Records[C]): Change =>
  ({ collection, id: record.id, record }) as Change

const gone = (collection: Collection, id: string): Change => ({ collection, id, record: null })

/** All that an engine holds, by collection and id. */
export async function everything(persistence: Persistence): Promise<ReadonlyMap<string, unknown>> {
  const records = new Map<string, unknown>()
  for await (const [collection, record] of persistence.load()) {
    const key = `${collection} ${record.id}`
    expect(records.has(key), `${key} comes once`).toBe(false)
    records.set(key, record)
  }
  return records
}

/** Says when an engine behind the Persistence port is right. */
export function persistenceConformance(
  name: string,
  make: () => Promise<PersistenceUnderTest>,
): void {
  const opened = async (open: () => Promise<Persistence>): Promise<Persistence> => {
    const persistence = await open()
    await persistence.open?.()
    return persistence
  }

  describe(`persistence: ${name}`, () => {
    it('is empty at first, and then loads what was committed: the last version of each record, any text intact', async () => {
      const { fresh, again } = await make()
      const first = await opened(fresh)
      expect((await everything(first)).size).toBe(0)
      await first.commit([])
      const odd = 'line\nbreak \u2028 \u{1f680} "quoted" \\ \u0000'
      await first.commit([
        put('users', aUser({ id: 'u1' })),
        put('users', aUser({ id: 'u2', name: odd })),
      ])
      await first.commit([
        put('users', aUser({ id: 'u1', name: 'Second' })),
        put('builds', aBuild({ id: 'b1', number: 1 })),
      ])
      await first.commit([gone('builds', 'b1'), put('builds', aBuild({ id: 'b2', number: 2 }))])
      await first.close()
      if (again === null) return
      const second = await opened(again)
      const records = await everything(second)
      expect([...records.keys()].sort()).toEqual(['builds b2', 'users u1', 'users u2'])
      expect(records.get('users u1')).toEqual(aUser({ id: 'u1', name: 'Second' }))
      expect(records.get('users u2')).toEqual(aUser({ id: 'u2', name: odd }))
      await second.commit([gone('users', 'u1')])
      await second.close()
      const third = await opened(again)
      expect([...(await everything(third)).keys()].sort()).toEqual(['builds b2', 'users u2'])
      await third.close()
    })
  })
}
