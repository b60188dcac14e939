import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createMockServer, lowdbDirectory } from '@buildwire/mock-server'
import { expect, it } from 'vitest'
import { collect, heldBuffers } from '../support/memory.js'
import { scratch } from '../support/scratch.js'
import { wideBuild } from '../support/wide-build.js'

const heapUsed = (): number => {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

it('a sandbox of `demo` that was written once costs less than 0.3 MiB', async () => {
  await using server = createMockServer({ seed: 'demo' })
  const make = async () => {
    const sandbox = await server.sandbox()
    const response = await sandbox.fetch(
      new Request(`${sandbox.baseUrl}/v2/organizations/acme/pipelines/api/builds`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.accessTokens['admin']}` },
        body: '{"commit":"HEAD","branch":"main"}',
      }),
    )
    expect(response.status).toBe(201)
  }
  await make()
  const before = heapUsed()
  const count = 150
  for (let n = 0; n < count; n++) await make()
  expect((heapUsed() - before) / 2 ** 20 / count).toBeLessThan(0.3)
})

it('the request log keeps the limited part of a page, not the whole page', async () => {
  await using server = createMockServer({ seed: 'demo' })
  const { accessTokens } = await server.ready()
  const ask = async () => {
    const headers = { authorization: `Bearer ${accessTokens['admin']}` }
    const page = await server.fetch(
      new Request(`${server.baseUrl}/v2/builds?per_page=30`, { headers }),
    )
    return (await page.arrayBuffer()).byteLength
  }
  const size = await ask()
  expect(size).toBeGreaterThan(300_000)
  const before = await heldBuffers()
  for (let n = 0; n < 100; n++) await ask()
  expect((await heldBuffers()) - before).toBeLessThan(20 * size)
})

it('apply accepts any document of 8 MiB, with any number of values', async () => {
  await using server = createMockServer({ seed: 'demo' })
  await server.ready()
  const meta_data = Object.fromEntries(
    Array.from({ length: 130_000 }, (_, n) => [`key-${n}`, String(n)]),
  )
  const pipelines = [{ slug: 'web', builds: [{ state: 'passed', branch: 'main', meta_data }] }]
  const headers = {
    authorization: `Bearer ${server.controlToken}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ organizations: [{ slug: 'acme', pipelines }] })
  const answer = await server.fetch(
    new Request(`${server.baseUrl}/_control/apply`, { method: 'POST', headers, body }),
  )
  expect([answer.status, (await answer.text()).slice(0, 200)]).toEqual([
    200,
    expect.stringContaining('created'),
  ])
})

it('a server runs a build of many jobs among others, with a small journal, and restores it', async () => {
  await using directory = await scratch()
  const { faults, others } = await wideBuild({
    jobs: 300,
    lifecycle: 'immediate',
    writers: 4,
    retries: 1,
    persistence: () => ({ persistence: lowdbDirectory(directory.path) }),
    journalSize: async () => (await stat(join(directory.path, 'state.jsonl'))).size,
  })
  expect(faults).toEqual([])
  expect(others).toBeGreaterThan(0)
}, 120_000)
