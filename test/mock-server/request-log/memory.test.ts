import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMockServer } from '@buildwire/mock-server'
import { expect, it } from 'vitest'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

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
  const held = () => {
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const before = held()
  for (let n = 0; n < 100; n++) await ask()
  expect(held() - before).toBeLessThan(20 * size)
})
