import { execFile } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lowdbDirectory } from '../../mock-server/src/index.js'
import { createCommitter } from '../../mock-server/src/store/committer.js'
import { MemoryStore } from '../../mock-server/src/store/memory-store.js'
import { State } from '../../mock-server/src/store/state.js'
import { dice } from '../stress/dice.js'
import { damageJournal, realJournal, startFrom } from '../support/journal-damage.js'
import { aBuild, aJob, aUser } from '../support/records.js'
import { put } from './persistence-conformance.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bw-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const data = () => join(directory, 'data')
const journal = () => join(data(), 'state.jsonl')

async function opened() {
  const persistence = lowdbDirectory(data())
  await persistence.open?.()
  for await (const _ of persistence.load());
  return persistence
}

describe('the journal', () => {
  it('after any damage, is refused with file and line or gives the same data', async () => {
    await realJournal(data(), 3)
    const { tried, refused, failure } = await damageJournal(data(), dice(11), 60)
    expect(failure).toBeUndefined()
    expect(tried).toBe(60)
    expect(refused).toBeGreaterThan(40)
  }, 120_000)

  it('writes only the changes of a record, and restores the record', async () => {
    const jobs = Array.from({ length: 100 }, (_, n) => aJob({ id: `j${n}` }))
    const build = aBuild({ id: 'b1', number: 1, jobs })
    const persistence = await opened()
    await persistence.commit([put('builds', build)])
    const whole = (await stat(journal())).size
    const next = {
      ...build,
      state: 'running',
      jobs: jobs.with(40, { ...aJob({ id: 'j40' }), state: 'assigned' }),
    }
    await persistence.commit([put('builds', next)])
    const retried = {
      ...next,
      jobs: [...next.jobs.slice(0, 41), aJob({ id: 'again' }), ...next.jobs.slice(41)],
    }
    await persistence.commit([put('builds', retried)])
    expect((await stat(journal())).size - whole).toBeLessThan(2_000)
    await persistence.close()
    expect(await startFrom(data())).toEqual(
      new Map([['builds b1', JSON.parse(JSON.stringify(retried))]]),
    )
  })

  it('stays below three times the size of the live records, while batches are written', async () => {
    const persistence = await opened()
    const users = Array.from({ length: 200 }, (_, n) =>
      aUser({ id: `u${n}`, email: `${n}@acme.example` }),
    )
    await persistence.commit(users.map((user) => put('users', user)))
    const live = (await stat(journal())).size
    let largest = 0
    for (let round = 0; round < 2_000; round++) {
      await persistence.commit([
        put('users', aUser({ id: `u${round % 220}`, name: `Round ${round}` })),
      ])
      largest = Math.max(largest, (await stat(journal())).size)
    }
    await persistence.close()
    expect(largest).toBeLessThan(3 * live)
    const records = await startFrom(data())
    expect(records).toMatchObject({ size: 220 })
    for (let n = 0; n < 220; n++) {
      const round = n + 220 * Math.floor((1_999 - n) / 220)
      expect((records as Map<string, unknown>).get(`users u${n}`)).toMatchObject({
        name: `Round ${round}`,
      })
    }
  })

  it.each(
    '{"formatVersion":0} {"formatVersion":-1} {"formatVersion":1.5} {"formatVersion":"2"} null []'.split(
      ' ',
    ),
  )('is refused when it begins with %s', async (first) => {
    await mkdir(data())
    await writeFile(journal(), `${first}\n`)
    const message = expect.stringContaining('state.jsonl:1: ')
    expect(await startFrom(data())).toMatchObject({ code: 'damaged', message })
  })

  it('reports a failed compaction, and the old file stays in use', async () => {
    const told: unknown[] = []
    const persistence = lowdbDirectory(data(), {
      onCompactionFailed: (reason) => told.push(reason),
    })
    await persistence.open?.()
    await persistence.commit([put('users', aUser({ id: 'u1' }))])
    await mkdir(`${journal()}.new`)
    for (let n = 0; n < 400; n++)
      await persistence.commit([put('users', aUser({ id: 'u1', name: `${n}`.repeat(90) }))])
    expect(told[0]).toMatchObject({ code: 'ERR_FS_EISDIR' })
    // Tried again only once the file has grown by half.
    expect(told.length).toBeLessThan(6)
    await rm(`${journal()}.new`, { recursive: true })
    await persistence.close()
    expect(await startFrom(data())).toMatchObject({ size: 1 })
  })

  it('can be read only by its owner, and is not written through a link', async () => {
    await mkdir(data())
    await writeFile(join(directory, 'victim'), 'mine')
    await symlink(join(directory, 'victim'), `${journal()}.new`)
    const persistence = await opened()
    await persistence.commit([put('users', aUser({ id: 'u1' }))])
    await persistence.close()
    expect(await readFile(join(directory, 'victim'), 'utf8')).toBe('mine')
    expect((await lstat(journal())).mode & 0o777).toBe(0o600)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a directory', () => mkdir(journal())],
    ['a symbolic link', () => symlink('/dev/null', journal())],
    ['no plain file', () => promisify(execFile)('mkfifo', [journal()])],
  ])('is refused where %s lies', async (what, make) => {
    await mkdir(data())
    await make()
    expect(await startFrom(data())).toMatchObject({
      code: 'foreign',
      message: expect.stringContaining(what),
    })
  })

  it('refuses a change that cannot be written, keeps earlier changes, and accepts later ones', async () => {
    const persistence = await opened()
    const store = new MemoryStore(new State(), createCommitter(persistence))
    const told: unknown[] = []
    store.onRefusal(({ code }) => told.push(code))
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const results = await Promise.allSettled([
      store.update((tx) => tx.put('users', aUser({ id: 'u1' }))),
      store.update((tx) => tx.put('meta', { id: 'm', value: circular })),
      store.update((tx) => tx.put('users', aUser({ id: 'u2', email: 'two@acme.example' }))),
    ])
    expect(
      results.map((result) => (result.status === 'rejected' ? result.reason.code : 'stored')),
    ).toEqual(['stored', 'unwritable', 'unavailable'])
    await store.update((tx) => tx.put('users', aUser({ id: 'u3', email: 'three@acme.example' })))
    expect(told).toEqual(['unwritable'])
    expect([...store.state.values('users')].map(({ id }) => id)).toEqual(['u1', 'u3'])
    await store.close()
    const found = await startFrom(data())
    expect([...(found as Map<string, unknown>).keys()]).toEqual(['users u1', 'users u3'])
  })
})
