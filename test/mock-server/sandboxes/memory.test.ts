import { createMockServer } from '@buildwire/mock-server'
import { expect, it } from 'vitest'
import { collect } from '../../support/memory.js'

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
