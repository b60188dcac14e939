import { createMockServer } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acmeServer, controlOver, controlToken } from '../../support/control-client.js'

describe('only the operator can use the control API', () => {
  const server = acmeServer({ allowHosts: ['mock.internal'] })
  const ask = (
    headers: Record<string, string>,
    info: { ip?: string } = {},
    url = `${server.baseUrl}/_control/clock`,
  ) => server.fetch(new Request(url, { headers }), info)
  const bearer = { authorization: `Bearer ${controlToken}` }

  beforeAll(() => server.ready())
  afterAll(() => server.close())

  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['another scheme', { authorization: `Basic ${controlToken}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['the token with more behind it', { authorization: `Bearer ${controlToken}x` }],
  ])('answers 401 to %s', async (_, headers) => {
    const response = await ask(headers as Record<string, string>)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('Bearer')
  })

  it('refuses an access token in the place of the control token', async () => {
    const { accessTokens } = await server.ready()
    expect((await ask({ authorization: `Bearer ${accessTokens['admin']}` })).status).toBe(401)
  })

  it.each([
    ['a foreign peer', {}, { ip: '192.0.2.7' }],
    ['a foreign Host', { host: 'attacker.example' }, {}],
    ['a name that only starts as ours', { host: 'localhost.attacker.example' }, {}],
    ['a foreign Origin', { origin: 'https://attacker.example' }, {}],
    ['an opaque Origin', { origin: 'null' }, {}],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }, {}],
  ])('answers 403 to %s, before it looks at the token', async (_, headers, info) => {
    for (const token of [bearer, {}]) {
      const response = await ask({ ...token, ...headers } as Record<string, string>, info)
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it.each([['localhost'], ['127.0.0.1:4010'], ['[::1]:4010'], ['mock.internal:80']])(
    'admits the Host %s',
    async (host) => {
      expect((await ask({ ...bearer, host })).status).toBe(200)
    },
  )

  it('admits IPv4 inside IPv6 as a loopback peer', async () => {
    expect((await ask(bearer, { ip: '::ffff:127.0.0.1' })).status).toBe(200)
    expect((await ask(bearer, { ip: '::ffff:192.0.2.7' })).status).toBe(403)
  })

  it.each([
    ['/%5Fcontrol/clock'],
    ['//_control//clock'],
    ['/_control/clock/'],
    ['/s/../_control/clock'],
    ['/_contro%6C/clock'],
  ])('no spelling of the prefix goes around the checks: %s', async (path) => {
    const response = await ask({}, {}, `${server.baseUrl}${path}`)
    expect([401, 403]).toContain(response.status)
    expect((await ask(bearer, { ip: '192.0.2.7' }, `${server.baseUrl}${path}`)).status).toBe(403)
  })

  it('has no CORS headers, and refuses a preflight', async () => {
    const response = await server.fetch(
      new Request(`${server.baseUrl}/_control/apply`, {
        method: 'OPTIONS',
        headers: { origin: 'https://attacker.example', 'access-control-request-method': 'POST' },
      }),
    )
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('serves health without token, and root routes not under a sandbox', async () => {
    const open = controlOver(server, null)
    expect((await open('GET', '/health/live')).status).toBe(200)
    await server.control.sandboxes.create({ id: 'inner' })
    const inner = controlOver({
      baseUrl: `${server.baseUrl}/s/inner`,
      fetch: (request, info) => server.fetch(request, info),
    })
    for (const path of ['/health/live', '/info', '/schema.json', '/sandboxes'])
      expect((await inner('GET', path)).status, path).toBe(404)
    expect((await inner('GET', '/clock')).status).toBe(200)
    await expect(server.control.sandboxes.get({ id: 'main' })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('with `remote` admits other peers, if they have the token', async () => {
    await using remote = createMockServer({ remote: true, controlToken })
    const from = (headers: Record<string, string>) =>
      remote.fetch(new Request(`${remote.baseUrl}/_control/clock`, { headers }), {
        ip: '192.0.2.7',
      })
    expect((await from(bearer)).status).toBe(200)
    expect((await from({})).status).toBe(401)
  })

  it('refuses a body that is too large, encoded or not JSON', async () => {
    const call = controlOver(server)
    expect((await call('POST', '/apply', `{"users":"${'x'.repeat(8_388_609)}"}`)).status).toBe(413)
    expect((await call('POST', '/apply', '{}', { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await call('POST', '/apply', '[[')).status).toBe(400)
    expect((await call('POST', '/apply', `${'['.repeat(100)}${']'.repeat(100)}`)).status).toBe(400)
  })
})
