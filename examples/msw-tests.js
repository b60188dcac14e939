/** The reference server behind MSW, for code that calls the global `fetch`. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { createMockServer } from '@buildwire/mock-server'
import { mswHandlers } from '@buildwire/mock-server/msw'
import { CiClient, fetchTransport } from '@buildwire/sdk'
import { setupServer } from 'msw/node'

/** The code under test: plain `fetch`, as a page would do it. */
async function failedOnMain(baseUrl, token) {
  const response = await fetch(`${baseUrl}/v2/builds?branch=main&state=failed&per_page=3`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw new Error(`${response.status} ${(await response.json()).message}`)
  return (await response.json()).map(({ pipeline, number }) => `${pipeline.slug} #${number}`)
}

describe('code on top of fetch', () => {
  const ci = createMockServer({ baseUrl: 'https://ci.example', seed: 'demo' })
  const worker = setupServer(...mswHandlers(ci))
  let token

  before(async () => {
    token = (await ci.ready()).accessTokens.admin
    worker.listen({ onUnhandledRequest: 'error' })
  })
  afterEach(() => ci.control.rules.delete())
  after(async () => {
    worker.close()
    await ci.close()
  })

  it('gets builds from a URL without a server', async () => {
    const builds = await failedOnMain('https://ci.example', token)
    assert.equal(builds.length, 3)
    assert.match(builds[0], /^[a-z]+ #\d+$/)
  })

  it('gets an outage that a rule scripts', async () => {
    await ci.control.rules.create({
      match: { operation: 'builds.list' },
      actions: [{ preset: 'unavailable' }],
    })
    await assert.rejects(failedOnMain('https://ci.example', token), /503 Service unavailable/)
    await ci.control.rules.create({ priority: 1, actions: [{ networkError: 'beforeCommit' }] })
    await assert.rejects(failedOnMain('https://ci.example', token), TypeError)
  })

  it('shares the handlers with the SDK over fetchTransport', async () => {
    const client = new CiClient({
      baseUrl: 'https://ci.example',
      auth: token,
      transport: fetchTransport(),
    })
    const page = await client.builds.list({ per_page: 2 })
    assert.equal(page.items.length, 2)
  })
})
