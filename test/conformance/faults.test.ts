import { createMockServer, VirtualClock } from '@buildwire/mock-server'
import { afterAll, describe, expect, it } from 'vitest'
import { knownTarget } from './adapters.js'
import { faults, type ServerFault } from './faults.js'
import { probe } from './probe.js'
import { rows } from './rows/index.js'
import { needsOf, runRows } from './run.js'
import { now, seed } from './seed.js'
import type { ConformanceRow } from './target.js'

const isPortable = (row: ConformanceRow): boolean => !needsOf(row).includes('seed')
/** Rows without needs come first: they can test every server. */
const order = [...rows.filter(isPortable), ...rows.filter((row) => !isPortable(row))]
const enough = 4

/**
 * Runs rows in process against a server with one fault, until enough of them fail. The probes see
 * the correct server.
 */
async function failing(fault?: ServerFault): Promise<readonly ConformanceRow[]> {
  const server = createMockServer({ seed, clock: new VirtualClock({ now }) })
  const { accessTokens: tokens } = await server.ready()
  const { baseUrl, authUrl, webUrl, control } = server
  const send = (url: string, init: RequestInit) => server.fetch(new Request(url, init))
  const own = { name: fault?.id ?? 'none', baseUrl, authUrl, webUrl, control, tokens }
  const lacks = await probe(knownTarget({ ...own, send }))
  const target = knownTarget({ ...own, send: fault?.around(send, server) ?? send })
  const failed: ConformanceRow[] = []
  for (const row of order) {
    if (failed.length === enough) break
    const [result] = await runRows(target, [row], lacks)
    if (result?.outcome === 'failed') failed.push(row)
  }
  await server.close()
  return failed
}

const found = new Map<string, readonly ConformanceRow[]>()

describe('forty-four faults', () => {
  it('are forty-four, with unique ids', () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(44)
  })

  it('are not found in a correct server', { timeout: 120_000 }, async () => {
    expect((await failing()).map(({ id }) => id)).toEqual([])
  })

  it.each(faults.map((fault) => [fault.title, fault] as const))('%s', async (_title, fault) => {
    found.set(fault.id, await failing(fault))
  })

  it('are found: at least thirty of them, most of them without the control API', () => {
    const caught = [...found.values()].filter((some) => some.length > 0)
    expect(caught.length).toBeGreaterThanOrEqual(30)
    expect(caught.filter((some) => some.some(isPortable)).length).toBeGreaterThanOrEqual(30)
  })

  afterAll(() => {
    const caught = [...found].filter(([, some]) => some.length > 0)
    for (const [id, some] of found) {
      console.log(`${id}: ${some.length === 0 ? 'not found' : some.map((row) => row.id).join(' ')}`)
    }
    const anywhere = caught.filter(([, some]) => some.some(isPortable)).length
    console.log(
      `${caught.length} of ${found.size} faults found, ${anywhere} of them by rows for every server`,
    )
  })
})
