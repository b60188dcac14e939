import { describe, expect } from 'vitest'
import { it } from '../../support/acme-test.js'
import { apiOver, controlOver, invalid, missing } from '../../support/control-client.js'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

describe('each route of the control API', () => {
  it('shows health, info and schema', async ({ server, call }) => {
    const open = controlOver(server, null)
    expect(await open('GET', '/health/live')).toMatchObject({ status: 200, body: { live: true } })
    expect(await open('GET', '/health/ready')).toMatchObject({ status: 200, body: { ready: true } })
    expect((await call('GET', '/info')).body).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      formatVersion: 2,
      seed: 'document',
      clock: { mode: 'frozen', now: '2026-03-01T09:00:00.000Z' },
      store: { durable: false, readOnly: false, reason: null, records: { users: 2, pipelines: 2 } },
      internalErrors: 0,
      droppedLogLines: 0,
      doors: ['fetch', 'dispatcher', 'msw'],
      limits: { restBody: 1_048_576 },
    })
    const schema = (await call('GET', '/schema.json')).body
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(Object.keys(schema.properties)).toEqual(
      'version users organizations applications accessTokens grants settings lifecycle rules'.split(
        ' ',
      ),
    )
  })

  it('creates, lists, shows and deletes sandboxes', async ({ server, call }) => {
    const made = await call('POST', '/sandboxes', {
      id: 'one',
      seed: { users: [{ email: 'a@acme.example' }] },
      clock: { mode: 'frozen', now: '2026-01-01' },
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: 'one',
        baseUrl: `${server.baseUrl}/s/one`,
        controlUrl: `${server.baseUrl}/s/one/_control`,
        accessTokens: {},
      },
    })
    expect((await call('GET', '/sandboxes')).body).toHaveLength(1)
    expect((await call('GET', '/sandboxes/one')).body).toMatchObject({ id: 'one' })
    expect(await call('POST', '/sandboxes', { id: 'one' })).toMatchObject({ status: 409 })
    expect(await call('DELETE', '/sandboxes')).toMatchObject({ status: 422 })
    expect(await call('DELETE', '/sandboxes/main')).toMatchObject({ status: 422 })
    expect(await call('DELETE', '/sandboxes/one')).toMatchObject({ status: 204, body: null })
    expect(await call('GET', '/sandboxes/one')).toMatchObject(missing('sandbox'))
    await call('POST', '/sandboxes', {})
    expect(await call('DELETE', '/sandboxes?all=true')).toMatchObject({ status: 204 })
    expect((await call('GET', '/sandboxes')).body).toEqual([])
    expect(await call('POST', '/sandboxes', { seed: { file: '/etc/passwd' } })).toMatchObject(
      invalid('seed.file', 'is not known here'),
    )
  })

  it('lists, filters and finds records, and deletes them with their dependents', async ({
    api,
    call,
    aBuild,
  }) => {
    expect((await call('GET', '/records/users')).body).toHaveLength(2)
    expect((await call('GET', '/records/users?name=Robin')).body).toMatchObject([
      { email: 'robin@acme.example' },
    ])
    const member = (await call('GET', '/records/members/acme:robin@acme.example')).body
    expect(member).toMatchObject({ role: 'admin', user: 'robin@acme.example' })
    expect((await call('GET', '/records/pipelines/acme:web')).body).toMatchObject({
      slug: 'web',
      organization: 'acme',
    })
    expect((await call('GET', '/records/tests/acme:web-unit:Cart:adds')).body).toMatchObject({
      name: 'adds',
    })
    const tokens = (await call('GET', '/records/accessTokens?live=true')).body
    expect(tokens).toMatchObject([
      { name: 'admin', user: 'robin@acme.example', organizations: ['acme'], live: true },
    ])
    expect(JSON.stringify(tokens)).not.toContain('digest')
    expect(await call('GET', '/records/pipelines/acme:nope')).toMatchObject(missing('pipeline'))
    expect(await call('GET', '/records/logins')).toMatchObject(invalid('collection'))
    expect(await call('GET', '/records/users?shoe_size=9')).toMatchObject(invalid('shoe_size'))
    await aBuild()
    expect(await call('DELETE', '/records/pipelines/acme:web')).toMatchObject({ status: 204 })
    expect((await call('GET', '/records/builds')).body).toEqual([])
    expect(await call('DELETE', '/records/organizations/acme')).toMatchObject({ status: 204 })
    for (const collection of ['members', 'pipelines', 'suites', 'tests', 'accessTokens']) {
      expect((await call('GET', `/records/${collection}`)).body, collection).toEqual([])
    }
    expect((await api('GET', '/v2/builds')).status).toBe(401)
  })

  it('creates access tokens', async ({ server, call }) => {
    const made = await call('POST', '/access-tokens', {
      user: 'sam@acme.example',
      scopes: ['read_builds'],
      expires_in: 60,
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(uuid),
        user: 'sam@acme.example',
        scopes: ['read_builds'],
        access_token: expect.stringMatching(/^bwua_/),
      },
    })
    const sam = apiOver(server, made.body.access_token)
    expect((await sam('GET', '/v2/builds')).status).toBe(200)
    await call('POST', '/clock/advance', { ms: 60_000 })
    expect((await sam('GET', '/v2/builds')).status).toBe(401)
    const wrong = { user: 'nobody@acme.example', scopes: ['read_bulids'] }
    expect(await call('POST', '/access-tokens', wrong)).toMatchObject(invalid('scopes[0]'))
  })

  it('approves and denies pending device authorizations only', async ({ server, call }) => {
    const start = async () => {
      const body = new URLSearchParams({ client_id: 'laptop', scope: 'read_builds' })
      const request = new Request(`${server.authUrl}/oauth/device_authorization`, {
        method: 'POST',
        body,
      })
      const { user_code } = (await (await server.fetch(request)).json()) as { user_code: string }
      return `/device-authorizations/${user_code}`
    }
    const user = 'robin@acme.example'
    const yes = await start()
    await server.control.apply({ organizations: [{ slug: 'orbit', name: 'Orbit' }] })
    expect(await call('POST', `${yes}/approve`, { user, org_slug: 'orbit' })).toMatchObject(
      invalid('org_slug', expect.stringContaining('is not an active member')),
    )
    const approved = await call('POST', `${yes}/approve`, { user, org_slug: 'acme' })
    expect(approved).toMatchObject({
      status: 200,
      body: { state: 'approved', user, organization: 'acme' },
    })
    expect(await call('POST', `${yes}/approve`, { user, org_slug: 'acme' })).toMatchObject({
      status: 409,
    })
    const no = await start()
    const denied = await call('POST', `${no.toLowerCase()}/deny`, { user })
    expect(denied).toMatchObject({ status: 200, body: { state: 'denied' } })
    expect(await call('POST', '/device-authorizations/BCDF-GHJK/deny', { user })).toMatchObject({
      status: 404,
    })
    expect(await call('GET', '/used-assertions')).toMatchObject({ status: 200, body: { count: 0 } })
    expect(await call('GET', '/jwks-fetches')).toMatchObject({ status: 200, body: [] })
  })

  it('sets and advances the clock', async ({ call, aBuild }) => {
    const clock = (await call('GET', '/clock')).body
    expect(clock).toMatchObject({
      mode: 'frozen',
      now: '2026-03-01T09:00:00.000Z',
      nextDueAt: null,
    })
    await call('POST', '/apply', { lifecycle: { policy: 'timed' } })
    await aBuild()
    expect((await call('GET', '/clock')).body.nextDueAt).toEqual(expect.any(String))
    const advanced = (await call('POST', '/clock/advance', { to: '2026-03-01T10:00:00Z' })).body
    expect(advanced).toMatchObject({
      now: '2026-03-01T10:00:00.000Z',
      firedCount: expect.any(Number),
    })
    expect(advanced.fired.length).toBeGreaterThan(3)
    expect(advanced.fired.map(({ at }: { at: string }) => at)).toEqual(
      advanced.fired.map(({ at }: { at: string }) => at).toSorted(),
    )
    expect(await call('POST', '/clock/advance', { to: '2026-03-01T09:00:00Z' })).toMatchObject({
      status: 422,
    })
    expect(await call('POST', '/clock/advance', {})).toMatchObject({ status: 422 })
    expect(await call('PUT', '/clock', { mode: 'frozen', now: '2026-02-01' })).toMatchObject(
      invalid('now', expect.stringContaining('reset')),
    )
    expect((await call('PUT', '/clock', { mode: 'frozen', now: '2026-04-01' })).body).toMatchObject(
      {
        now: '2026-04-01T00:00:00.000Z',
      },
    )
    await call('POST', '/reset')
    expect((await call('GET', '/clock')).body).toMatchObject({ now: '2026-03-01T09:00:00.000Z' })
  })

  it('creates, replaces and deletes rules', async ({ api, call }) => {
    const made = await call('POST', '/rules', {
      match: { operation: 'builds.list' },
      times: 2,
      actions: [{ preset: 'rateLimited' }],
    })
    expect(made).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(uuid), matched: 0, applied: 0, left: 2 },
    })
    expect((await api('GET', '/v2/builds')).status).toBe(429)
    expect((await call('GET', `/rules/${made.body.id}`)).body).toMatchObject({
      matched: 1,
      applied: 1,
      left: 1,
    })
    const named = (...ids: string[]) => ids.map((id) => ({ id, actions: [{ delayMs: 0 }] }))
    const two = await call('POST', '/rules', named('a', 'b'))
    expect(two).toMatchObject({ status: 201, body: [{ id: 'a' }, { id: 'b' }] })
    expect(await call('POST', '/rules', named('c', 'a'))).toMatchObject({ status: 409 })
    expect((await call('GET', '/rules')).body).toHaveLength(3)
    const replaced = (await call('PUT', '/rules/a', { actions: [{ respond: { status: 500 } }] }))
      .body
    expect(replaced).toMatchObject({ id: 'a', applied: 0, left: null })
    expect(await call('DELETE', '/rules/a')).toMatchObject({ status: 204 })
    expect(await call('DELETE', '/rules/a')).toMatchObject(missing('rule'))
    expect(await call('DELETE', '/rules')).toMatchObject({ status: 204 })
    expect((await call('GET', '/rules')).body).toEqual([])
    expect(await call('POST', '/rules', { actions: [{ delyMs: 3 }] })).toMatchObject(
      invalid('actions[0]'),
    )
    expect(await call('POST', '/rules', { actions: [{ socket: 'reset' }] })).toMatchObject(
      invalid('actions[0].socket', 'needs a port: nothing listens yet'),
    )
  })

  it('resets, and restores snapshots', async ({ api, call, aBuild }) => {
    await aBuild()
    const snapshot = (await call('GET', '/snapshot')).body
    const reset = await call('POST', '/reset', {})
    expect(reset).toMatchObject({
      status: 200,
      body: { generation: 2, accessTokens: { admin: expect.any(String) } },
    })
    expect((await call('GET', '/records/builds')).body).toEqual([])
    const put = await call('PUT', '/snapshot', { document: snapshot })
    expect(put).toMatchObject({ status: 200, body: { generation: 3 } })
    expect((await call('GET', '/records/builds')).body).toHaveLength(1)
    expect((await api('GET', '/v2/builds')).status).toBe(200)
    expect((await call('POST', '/reset', { seed: 'empty' })).body).toMatchObject({
      generation: 4,
      accessTokens: {},
    })
    expect(
      await call('PUT', '/snapshot', { document: { ...snapshot, records: {} } }),
    ).toMatchObject(invalid('document.digest'))
    expect(
      await call('PUT', '/snapshot', { document: { ...snapshot, formatVersion: 3 } }),
    ).toMatchObject({
      status: 422,
    })
  })

  it('applies a client fault to the sandbox, and judges the client', async ({ call }) => {
    expect(await call('POST', '/faults/verdict')).toMatchObject({ status: 409 })
    expect(await call('POST', '/faults', { id: 'unavailable/none' })).toMatchObject({ status: 422 })
    expect(await call('GET', '/faults')).toMatchObject({ status: 200, body: expect.any(Array) })
    expect(await call('DELETE', '/faults')).toMatchObject({ status: 204 })
  })

  it('answers 404 to an unknown route, and 405 with the methods of a route', async ({ call }) => {
    expect(await call('GET', '/nothing')).toMatchObject(missing('route'))
    const patched = await call('PATCH', '/rules')
    expect(patched).toMatchObject({ status: 405 })
    expect(patched.headers.get('allow')).toBe('GET, HEAD, POST, DELETE')
    expect(await call('POST', '/rules', '{')).toMatchObject({
      status: 400,
      body: { message: 'Problems parsing JSON' },
    })
  })
})
