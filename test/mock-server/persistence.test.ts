import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMockServer, lowdbDirectory, SeedError } from '../../mock-server/src/index.js'
import { lowdbMemory } from '../../mock-server/src/store/lowdb.js'
import { aUser } from '../support/records.js'
import { everything, persistenceConformance, put } from './persistence-conformance.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bw-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const data = () => join(directory, 'data')
const journal = () => join(data(), 'state.jsonl')

persistenceConformance('memory', async () => ({ fresh: async () => lowdbMemory(), again: null }))
persistenceConformance('directory', async () => ({
  fresh: async () => lowdbDirectory(data()),
  again: async () => lowdbDirectory(data()),
}))

/** A directory with one user in it. */
async function filled(): Promise<void> {
  const persistence = lowdbDirectory(data())
  await persistence.open?.()
  await everything(persistence)
  await persistence.commit([put('users', aUser({ id: 'u1' }))])
  await persistence.close()
}

const opening = async (): Promise<unknown> => {
  const persistence = lowdbDirectory(data())
  await persistence.open?.()
  try {
    return await everything(persistence)
  } finally {
    await persistence.close()
  }
}

describe('a data directory', () => {
  it('has one writer at a time, and is free after its end', async () => {
    const first = lowdbDirectory(data())
    await first.open?.()
    await expect(opening()).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining(String(process.pid)),
    })
    await first.close()
    await expect(opening()).resolves.toBeDefined()
  })

  it('accepts no batch and no compaction from a former owner', async () => {
    const told: unknown[] = []
    const first = lowdbDirectory(data(), { onCompactionFailed: (reason) => told.push(reason) })
    await first.open?.()
    for (let n = 0; n < 20; n++)
      await first.commit([put('users', aUser({ id: 'u1', name: `Robin ${n}` }))])
    for (const name of await readdir(data()))
      if (name.startsWith('writer.')) await rm(join(data(), name))
    const second = lowdbDirectory(data())
    await second.open?.()
    await expect(first.commit([put('users', aUser({ id: 'u2' }))])).rejects.toMatchObject({
      code: 'in_use',
    })
    expect([...(await everything(second)).keys()]).toEqual(['users u1'])
    await second.commit([put('users', aUser({ id: 'u3', email: 'three@acme.example' }))])
    // The end of the first would write anew what it knows.
    await first.close()
    expect(told).toMatchObject([{ code: 'in_use' }])
    await second.close()
    expect(await opening()).toHaveProperty('size', 2)
  })

  it('cuts off an unfinished last line, which was never acknowledged, and reports it', async () => {
    await filled()
    const whole = await readFile(journal(), 'utf8')
    await appendFile(journal(), '[{"collection":"users","id":"u2","rec')
    let cut = 0
    const persistence = lowdbDirectory(data(), { onRecovered: (bytes) => (cut = bytes) })
    await persistence.open?.()
    expect([...(await everything(persistence)).keys()]).toEqual(['users u1'])
    expect(cut).toBe(37)
    expect(await readFile(journal(), 'utf8')).toBe(whole)
    await persistence.commit([put('users', aUser({ id: 'u3' }))])
    await persistence.close()
    expect(await opening()).toHaveProperty('size', 2)
  })

  it('prevents the start if its first line is missing or has another format', async () => {
    await filled()
    await writeFile(journal(), '')
    await expect(opening()).rejects.toMatchObject({ code: 'damaged' })
    for (const version of [1, 99]) {
      await writeFile(journal(), `{"formatVersion":${version}}\n`)
      await expect(opening()).rejects.toMatchObject({ code: 'other_format' })
    }
  })

  it('is refused and not touched if it contains files of other programs', async () => {
    await filled()
    await rm(journal())
    await writeFile(join(data(), 'thesis.txt'), 'mine')
    await expect(opening()).rejects.toMatchObject({ code: 'foreign' })
    expect(await readFile(join(data(), 'thesis.txt'), 'utf8')).toBe('mine')
  })

  it('is refused if it is not a directory', async () => {
    await writeFile(data(), 'a file')
    await expect(opening()).rejects.toMatchObject({
      code: 'foreign',
      message: expect.stringContaining('ENOTDIR'),
    })
  })

  it('is compacted at a clean stop if most of it is outdated', async () => {
    await filled()
    const persistence = lowdbDirectory(data())
    await persistence.open?.()
    await everything(persistence)
    for (let round = 0; round < 100; round++)
      await persistence.commit([put('users', aUser({ id: 'u1', name: `R${round}` }))])
    const before = (await stat(journal())).size
    await persistence.close()
    expect((await stat(journal())).size).toBeLessThan(before / 10)
  })

  it.skipIf(process.platform !== 'linux')(
    'is refused where the system makes no directories',
    async () => {
      await expect(lowdbDirectory('/proc/nope/data').open?.()).rejects.toMatchObject({
        code: 'foreign',
        message: '/proc/nope/data cannot be used as a data directory: ENOENT',
      })
    },
  )

  it('is created with its parent directories', async () => {
    const persistence = lowdbDirectory(join(directory, 'a/b/data'))
    await persistence.open?.()
    await persistence.close()
    expect((await stat(join(directory, 'a/b/data'))).isDirectory()).toBe(true)
  })
})

describe('a durable server', () => {
  it('restores its state, numbers and clock, and is not seeded again', async () => {
    const options = { seed: 'demo', accessTokens: { admin: 'local-token-for-tests' } } as const
    const authorization = 'Bearer local-token-for-tests'
    const builds = 'http://mock.localhost/v2/organizations/acme/pipelines/web/builds'
    const create = (server: ReturnType<typeof createMockServer>) =>
      server.fetch(
        new Request(builds, {
          method: 'POST',
          headers: { authorization },
          body: JSON.stringify({ commit: 'abc', branch: 'durable', meta_data: { flag: true } }),
        }),
      )
    const first = createMockServer({ ...options, persistence: lowdbDirectory(data()) })
    expect(await first.ready()).toMatchObject({ seeded: true, durable: true })
    const made = (await (await create(first)).json()) as { number: number; id: string }
    await first.control.clock.set({ mode: 'frozen', now: '2030-01-01T00:00:00Z' })
    await first.close()

    const second = createMockServer({ ...options, persistence: lowdbDirectory(data()) })
    expect(await second.ready()).toMatchObject({ seeded: false, durable: true })
    const found = await second.fetch(
      new Request(`${builds}/${made.number}`, { headers: { authorization } }),
    )
    expect(found.headers.get('date')).toBe('Tue, 01 Jan 2030 00:00:00 GMT')
    expect(await found.json()).toMatchObject({
      id: made.id,
      branch: 'durable',
      meta_data: { flag: true },
    })
    const next = (await (await create(second)).json()) as { number: number; id: string }
    expect(next.number).toBe(made.number + 1)
    expect(next.id).not.toBe(made.id)
    await second.close()
  })

  it('frees its directory when the seed is bad', async () => {
    const bad = createMockServer({
      seed: { version: 2 } as never,
      persistence: lowdbDirectory(data()),
    })
    await expect(bad.ready()).rejects.toThrow(SeedError)
    await expect(opening()).resolves.toBeDefined()
  })

  it('is read-only while it cannot store: reads work, writes and ready answer 503', async () => {
    let broken = false
    const memory = lowdbMemory()
    const server = createMockServer({
      seed: 'demo',
      accessTokens: { admin: 'local-token-for-tests' },
      persistence: {
        ...memory,
        commit: (changes) =>
          broken ? Promise.reject(new Error('ENOSPC')) : memory.commit(changes),
      },
    })
    await server.ready()
    broken = true
    const headers = { authorization: 'Bearer local-token-for-tests' }
    const url = 'http://mock.localhost/v2/organizations/acme/pipelines/web/builds'
    const body = JSON.stringify({ commit: 'abc', branch: 'lost' })
    const refused = await server.fetch(new Request(url, { method: 'POST', headers, body }))
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toEqual({ message: 'Service unavailable' })
    const read = await server.fetch(new Request(`${url}?branch=lost`, { headers }))
    expect(read.status).toBe(200)
    expect(await read.json()).toEqual([])
    expect(
      (await server.fetch(new Request('http://mock.localhost/_control/health/ready'))).status,
    ).toBe(503)
    await server.close()
  })
})
