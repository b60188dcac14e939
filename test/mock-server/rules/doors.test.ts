import {
  createMockServer,
  FaultError,
  type MockServer,
  type Rule,
  VirtualClock,
} from '@buildwire/mock-server'
import { afterEach, describe, expect, it } from 'vitest'
import { adapterNames, senderOf } from '../../conformance/adapters.js'
import { acmeServer, adminToken, controlOver } from '../../support/control-client.js'

interface Seen {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}
type Send = (method: string, path: string, body?: string) => Promise<Seen>

const builds = '/v2/organizations/acme/pipelines/web/builds'
const create = JSON.stringify({ commit: 'HEAD', branch: 'main' })
const limits = ['rateLimited', 'rateLimitedSeconds', 'rateLimitedHttpDate'] as const
const presets = [
  ...limits,
  'unavailable',
  'badGatewayHtml',
  'truncatedJson',
  'wrongContentType',
  'emptyBody',
] as const

describe.each(adapterNames)('rules through the door %s', (name) => {
  let door: ReturnType<typeof senderOf> | undefined
  let server: MockServer
  afterEach(async () => {
    door?.close()
    door = undefined
    await server.close()
  })

  const open = async (...rules: Rule[]) => {
    server = acmeServer({ clock: new VirtualClock({ now: '2026-03-01T09:00:00.500Z' }) })
    const token = await adminToken(server)
    if (name === 'listen') await server.listen()
    door = senderOf(name, server)
    const { send } = door
    await server.control.rules.create(rules)
    const asked: Send = async (method, path, body) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await send(`${server.baseUrl}${path}`, {
        method,
        headers,
        ...(body && { body }),
      })
      return {
        status: answer.status,
        text: await answer.text(),
        headers: Object.fromEntries(answer.headers),
      }
    }
    return asked
  }
  const stored = async () => (await server.control.records.list({ collection: 'builds' })).length

  it('answers instead of the server, before the token is checked', async () => {
    const send = await open({
      match: { path: '/v2/nowhere' },
      actions: [{ respond: { status: 418, headers: { 'X-Tea': 'pot' }, json: { short: true } } }],
    })
    expect(await send('GET', '/v2/nowhere')).toMatchObject({
      status: 418,
      text: '{"short":true}',
      headers: { 'x-tea': 'pot', 'content-type': 'application/json; charset=utf-8' },
    })
    expect((await send('GET', '/v2/elsewhere')).status).toBe(404)
  })

  it('patches the answer of the server by RFC 7396, each record of a list', async () => {
    const send = await open(
      {
        match: { operation: 'builds.create' },
        actions: [
          {
            patchResponse: {
              status: 200,
              headers: { location: null, 'X-New': 'yes' },
              json: { state: 'quantum', message: null, creator: { nickname: 'R' } },
            },
          },
        ],
      },
      {
        match: { operation: 'builds.listForPipeline' },
        actions: [{ patchResponse: { json: { tag: 'v1' } } }],
      },
    )
    const made = await send('POST', builds, create)
    expect(made.status).toBe(200)
    expect(made.headers['x-new']).toBe('yes')
    expect(made.headers['location']).toBeUndefined()
    const build = JSON.parse(made.text)
    expect(build).toMatchObject({
      state: 'quantum',
      number: 1,
      creator: { name: 'Robin', nickname: 'R' },
    })
    expect(build).not.toHaveProperty('message')
    expect(JSON.parse((await send('GET', builds)).text)).toMatchObject([
      { tag: 'v1', state: 'scheduled' },
    ])
    expect(await stored()).toBe(1)
  })

  it.each(['beforeCommit', 'afterCommit'] as const)(
    'breaks the connection %s',
    async (networkError) => {
      const send = await open({ match: { method: 'POST' }, times: 1, actions: [{ networkError }] })
      await expect(send('POST', builds, create)).rejects.toThrow()
      expect(await stored()).toBe(networkError === 'afterCommit' ? 1 : 0)
      expect((await send('POST', builds, create)).status).toBe(201)
      expect(await server.control.requests.list()).toMatchObject([
        { outcome: 'faulted', status: null },
        { outcome: 'answered', status: 201 },
      ])
    },
  )

  it('plays each preset', async () => {
    const send = await open(
      ...presets.map((preset): Rule => ({ match: { query: { preset } }, actions: [{ preset }] })),
    )
    const get = (preset: string) => send('GET', `/v2/organizations/acme/pipelines?preset=${preset}`)
    const limited = await get('rateLimited')
    expect(limited).toMatchObject({
      status: 429,
      headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': '1' },
    })
    expect(limited.headers['retry-after']).toBeUndefined()
    expect(JSON.parse(limited.text)).toMatchObject({
      scope: 'rest',
      limit: 200,
      current: 201,
      reset: 1,
    })
    expect((await get('rateLimitedSeconds')).headers['retry-after']).toBe('1')
    expect((await get('rateLimitedHttpDate')).headers['retry-after']).toBe(
      'Sun, 01 Mar 2026 09:00:02 GMT',
    )
    expect(await get('unavailable')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      text: '{"message":"Service unavailable"}',
    })
    expect(await get('badGatewayHtml')).toMatchObject({
      status: 502,
      headers: { 'content-type': 'text/html' },
      text: expect.stringContaining('502 Bad Gateway'),
    })
    const truncated = await get('truncatedJson')
    expect(truncated.headers['content-type']).toContain('application/json')
    expect(() => JSON.parse(truncated.text)).toThrow(SyntaxError)
    const wrong = await get('wrongContentType')
    expect(wrong.headers['content-type']).toContain('text/html')
    expect(JSON.parse(wrong.text)).toBeInstanceOf(Object)
    expect((await get('emptyBody')).text).toBe('')
  })

  it('answers in the format of OAuth at OAuth endpoints', async () => {
    const send = await open(
      { match: { path: '/oauth/token' }, times: 1, actions: [{ preset: 'unavailable' }] },
      { match: { path: '/oauth/token' }, actions: [{ preset: 'rateLimited' }] },
    )
    expect(JSON.parse((await send('POST', '/oauth/token', 'a=b')).text)).toMatchObject({
      error: 'server_error',
    })
    const limited = await send('POST', '/oauth/token', 'a=b')
    expect(limited).toMatchObject({ status: 429, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(limited.text)).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many token requests',
    })
  })

  it('matches on bodies, and the handler still reads them', async () => {
    const send = await open({
      match: { operation: 'builds.create', json: { branch: 'main' } },
      actions: [{ patchResponse: { headers: { 'X-Matched': 'body' } } }],
    })
    const made = await send('POST', builds, create)
    expect(made).toMatchObject({ status: 201, headers: { 'x-matched': 'body' } })
    const other = await send('POST', builds, JSON.stringify({ commit: 'HEAD', branch: 'x' }))
    expect(other.headers['x-matched']).toBeUndefined()
  })

  it('delays on host time and advances the sandbox clock', async () => {
    const send = await open({
      times: 1,
      actions: [{ delayMs: { min: 1, max: 3 } }, { advanceClockMs: 60_000 }],
    })
    expect((await send('GET', '/v2/builds')).headers['date']).toBe('Sun, 01 Mar 2026 09:01:00 GMT')
  })

  it('applies to exactly one of many parallel requests if times is 1', async () => {
    const send = await open({
      when: { seen: '' },
      // biome-ignore lint/suspicious/noThenProperty: the rule's own word; a map of texts is no thenable
      then: { seen: 'yes' },
      actions: [{ delayMs: 2 }, { respond: { status: 409 } }],
    })
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await send('GET', '/v2/builds')).status),
    )
    expect(statuses.filter((status) => status === 409)).toHaveLength(1)
    expect(statuses.filter((status) => status === 200)).toHaveLength(11)
  })

  it('never applies to the control API', async () => {
    await open({ actions: [{ respond: { status: 500 } }] })
    expect(await server.control.clock.get()).toMatchObject({ mode: 'frozen' })
    expect((await controlOver(server)('GET', '/clock')).status).toBe(200)
  })
})

const ask = (server: MockServer) => server.fetch(new Request(`${server.baseUrl}/v2/builds`))

describe('faults without socket', () => {
  it('rejects like a reset connection: TypeError with cause.code ECONNRESET', async () => {
    await using server = createMockServer()
    await server.control.rules.create({ actions: [{ networkError: 'beforeCommit' }] })
    const error: unknown = await ask(server).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ cause: { code: 'ECONNRESET' } })
  })

  it('says that a socket fault needs a port, where it meets another door', async () => {
    await using server = createMockServer()
    await server.listen()
    await server.control.rules.create({
      match: { path: '/v2/builds' },
      actions: [{ socket: 'reset' }],
    })
    const error: unknown = await ask(server).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(FaultError)
    expect(error).toMatchObject({ code: 'fault_needs_port' })
  })
})

describe('rules and the clock', () => {
  it('a request that advances the clock wakes who waits on the way, and ends', async () => {
    const clock = new VirtualClock({ now: '2026-03-01T09:00:00Z' })
    await using server = createMockServer({ clock })
    await server.control.rules.create({
      actions: [{ advanceClockMs: 5000 }, { respond: { status: 200 } }],
    })
    const woken: number[] = []
    const waiting = clock.sleep(1000).then(() => woken.push(clock.now()))
    expect((await ask(server)).status).toBe(200)
    await waiting
    expect(woken).toEqual([Date.parse('2026-03-01T09:00:01Z')])
    expect(clock.now()).toBe(Date.parse('2026-03-01T09:00:05Z'))
  })

  it('a request that is delayed on purpose keeps nobody from advancing the clock', async () => {
    const clock = new VirtualClock({ now: '2026-03-01T09:00:00Z' })
    const server = createMockServer({ clock })
    await server.control.rules.create({ actions: [{ delayMs: 600_000 }] })
    const asked = expect(ask(server)).rejects.toThrow()
    const gaveUp = clock.sleep(30_000)
    while ((await server.control.rules.list())[0]?.applied !== 1)
      await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(30_000)
    await gaveUp
    await server.close()
    await asked
  })
})
