import { expect } from 'vitest'
import { mockServerTest } from '../../mock-server/src/program/vitest.js'

const test = mockServerTest({ seed: 'demo' })

test('each test has a sandbox of its own, on a clock of its own', async ({
  sandbox,
  mockServer,
}) => {
  expect(sandbox.baseUrl).toContain(`${mockServer.baseUrl}/s/`)
  expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-03-02T09:00:00.000Z')
  const headers = { authorization: `Bearer ${sandbox.accessTokens['admin']}` }
  const answer = await sandbox.fetch(new Request(`${sandbox.baseUrl}/v2/user`, { headers }))
  expect(answer.status).toBe(200)
  await sandbox.clock.advance(60_000)
  expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-03-02T09:01:00.000Z')
})

test('the next one starts over', async ({ sandbox }) => {
  expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-03-02T09:00:00.000Z')
  expect(await sandbox.control.requests.list()).toEqual([])
})

test.concurrent('concurrent tests do not see the rules of one another: one has a rule', async ({
  sandbox,
}) => {
  await sandbox.control.rules.create({
    match: { path: '/oauth/token' },
    times: 1,
    actions: [{ preset: 'unavailable' }],
  })
  const ask = () => sandbox.fetch(new Request(`${sandbox.authUrl}/oauth/token`, { method: 'POST' }))
  expect((await ask()).status).toBe(503)
  await sandbox.control.requests.verify({ match: { path: '/oauth/token' }, count: 1 })
})

test.concurrent('concurrent tests do not see the rules of one another: one has none', async ({
  sandbox,
}) => {
  const body = new URLSearchParams({ grant_type: 'none' })
  const answer = await sandbox.fetch(
    new Request(`${sandbox.authUrl}/oauth/token`, { method: 'POST', body }),
  )
  expect(answer.status).toBe(400)
})

test.fails('a request that no route takes fails the test', async ({ sandbox }) => {
  await sandbox.fetch(new Request(`${sandbox.baseUrl}/v2/tpyo`))
})

test.fails('a rule that was never used up fails the test', async ({ sandbox }) => {
  await sandbox.control.rules.create({
    match: { path: '/never' },
    times: 1,
    actions: [{ preset: 'unavailable' }],
  })
})

const lenient = mockServerTest({ seed: 'empty', allowUnexpected: true })

lenient('allowUnexpected lets both pass', async ({ sandbox }) => {
  await sandbox.fetch(new Request(`${sandbox.baseUrl}/v2/tpyo`))
  await sandbox.control.rules.create({
    match: { path: '/never' },
    times: 1,
    actions: [{ preset: 'unavailable' }],
  })
})
