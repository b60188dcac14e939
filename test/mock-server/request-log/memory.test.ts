import { setImmediate as nextTurn } from 'node:timers/promises'
import { createMockServer } from '@buildwire/mock-server'
import { expect, it } from 'vitest'
import { collect } from '../../support/memory.js'

it('keeps its share of a page, not the page', async () => {
  await using server = createMockServer({ seed: 'demo' })
  const { accessTokens } = await server.ready()
  const ask = async () => {
    const headers = { authorization: `Bearer ${accessTokens['admin']}` }
    const page = await server.fetch(new Request(`${server.baseUrl}/v2/builds?per_page=30`, { headers }))
    return (await page.arrayBuffer()).byteLength
  }
  const size = await ask()
  expect(size).toBeGreaterThan(300_000)
  // Streams let go of their last page in a later turn, and buffers are given back after the collection that found them.
  const held = async () => {
    for (let turn = 0; turn < 5; turn++) {
      await nextTurn()
      collect()
    }
    return process.memoryUsage().arrayBuffers
  }
  const before = await held()
  for (let n = 0; n < 100; n++) await ask()
  expect((await held()) - before).toBeLessThan(20 * size)
})
