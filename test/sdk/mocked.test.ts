import { fetchTransport } from '@buildwire/sdk'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { MockAgent } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildPath, canary, client, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { build } from './support/server.js'

const origin = 'https://api.ci.example'
const url = '/v2/organizations/acme/pipelines/web/builds/42'

describe("undici's MockAgent as dispatcher", () => {
  function agent(): MockAgent {
    const mock = new MockAgent()
    mock.disableNetConnect()
    onTestFinished(async () => {
      mock.assertNoPendingInterceptors()
      await mock.close()
    })
    return mock
  }

  test('answers everything, unsafe operations too, and is left open when the client closes', async () => {
    const dispatcher = agent()
    const headers = { 'content-type': 'application/json' }
    const pool = dispatcher.get(origin)
    pool
      .intercept({ path: url, headers: { authorization: `Bearer ${canary}` } })
      .reply(200, build(42), { headers })
    pool.intercept({ path: `${url}/rebuild`, method: 'PUT' }).reply(200, build(43), { headers })
    const ci = client(origin, { dispatcher })
    expect(await ci.builds.get(buildPath)).toMatchObject({ number: 42 })
    expect(await ci.builds.rebuild(buildPath)).toMatchObject({ number: 43 })
    await ci.close()
    pool.intercept({ path: url }).reply(404, { message: 'No build found' })
    expect(await rejection(client(origin, { dispatcher }).builds.get(buildPath))).toMatchObject({
      code: 'not_found',
    })
  })

  test('a request that nothing intercepts is a ConnectionError', async () => {
    const ci = client(origin, { dispatcher: agent(), clock: new SleeplessClock() })
    expect(await rejection(ci.builds.get(buildPath))).toMatchObject({ code: 'connection' })
  })
})

test('MSW sees the requests of fetchTransport, also when it starts after the client was made', async () => {
  const ci = client(origin, { transport: fetchTransport(), clock: new SleeplessClock() })
  const seen: string[] = []
  const server = setupServer(
    http.get(`${origin}${url}`, ({ request }) => {
      seen.push(request.headers.get('authorization') ?? '')
      return HttpResponse.json(build(42))
    }),
    http.put(`${origin}${url}/cancel`, () => HttpResponse.error()),
  )
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  expect(await ci.builds.get(buildPath)).toMatchObject({ number: 42 })
  expect(seen).toEqual([`Bearer ${canary}`])
  expect(await rejection(ci.builds.cancel(buildPath))).toMatchObject({
    code: 'connection',
    attempts: 3,
  })
})
