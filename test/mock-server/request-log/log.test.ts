import { type ControlError, createMockServer } from '@buildwire/mock-server'
import { describe, expect } from 'vitest'
import { it } from '../../support/acme-test.js'
import { acmeServer, adminToken, apiOver } from '../../support/control-client.js'
import { heldBuffers } from '../../support/memory.js'

describe('the request log', () => {
  it('verify tells one token call from two', async ({ server }) => {
    const token = () =>
      server.fetch(
        new Request(`${server.authUrl}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'x' }),
        }),
      )
    const match = { path: '/oauth/token' }
    await token()
    await expect(server.control.requests.verify({ match, count: 2 })).rejects.toMatchObject({
      status: 422,
      message: 'Expected 2 matching requests, found 1',
    })
    await token()
    await expect(server.control.requests.verify({ match, count: 2 })).resolves.toMatchObject({
      count: 2,
    })
    await expect(
      server.control.requests.verify({ match, atLeast: 1, atMost: 2 }),
    ).resolves.toMatchObject({ count: 2 })
    await expect(server.control.requests.verify({ match, atMost: 1 })).rejects.toMatchObject({
      status: 422,
    })
  })

  it('a miss lists the three nearest requests with their first difference', async ({
    server,
    api,
  }) => {
    await api('GET', '/v2/user')
    await api('GET', '/v2/builds?state=passed')
    await api('GET', '/v2/builds?state=failed&branch=dev')
    await api('POST', '/v2/organizations/acme/pipelines/web/builds', {
      commit: 'HEAD',
      branch: 'main',
    })
    const error = (await server.control.requests
      .verify({
        match: { operation: 'builds.list', query: { state: 'failed', branch: 'main' } },
        count: 1,
      })
      .catch((reason: unknown) => reason)) as ControlError
    expect(error.errors[0]).toEqual({
      path: 'match.query.branch',
      message: expect.stringMatching(/^expected "main", was "dev" in GET \/v2\/builds at 20/),
    })
    expect(error.errors.map(({ path }) => path)).toEqual([
      'match.query.branch',
      'match.query.state',
      'match.operation',
    ])
    expect(error.details).toMatchObject({
      count: 0,
      nearest: [
        {
          entry: { query: 'state=failed&branch=dev' },
          difference: { expected: 'main', actual: 'dev' },
        },
        {},
        {},
      ],
    })
  })

  it('wait is woken by the request', async ({ server, api }) => {
    const waiting = server.control.requests.wait({
      match: { operation: 'user.get' },
      count: 2,
      timeoutMs: 10_000,
    })
    await api('GET', '/v2/user')
    await api('GET', '/v2/builds')
    await api('GET', '/v2/user')
    expect(await waiting).toHaveLength(2)
    await expect(
      server.control.requests.wait({ match: { operation: 'user.get' }, count: 3, timeoutMs: 1 }),
    ).rejects.toMatchObject({ status: 408, code: 'timeout', details: { count: 2 } })
  })

  it('a wait ends when the server closes', async () => {
    const server = acmeServer()
    await server.ready()
    const waiting = server.control.requests.wait({ timeoutMs: 60_000 })
    await new Promise((resolve) => setImmediate(resolve))
    await server.close()
    await expect(waiting).rejects.toMatchObject({ status: 408 })
  })

  it('matches on what is known once a request is answered', async ({ server, api }) => {
    await api('GET', '/v2/builds')
    await api('GET', '/v2/organizations/acme/pipelines/web/builds/77')
    const { requests } = server.control
    const match = { status: 404, user: 'robin@acme.example', number: 77, org_slug: 'acme' }
    expect(await requests.find({ match })).toHaveLength(1)
    expect(await requests.find({ match: { status: 200 } })).toHaveLength(1)
    await expect(requests.find({ match: { stauts: 200 } as never })).rejects.toMatchObject({
      status: 422,
    })
    // "never" must not be true of a name with a typing error
    const never = requests.verify({ match: { operation: 'builds.creat' }, count: 0 })
    await expect(never).rejects.toMatchObject({ status: 422 })
  })

  it('unexpected: no route, wrong method, refused by a reader of query or body; a missing build is not', async ({
    server,
    api,
  }) => {
    await api('GET', '/v2/nowhere')
    await api('DELETE', '/v2/builds')
    await api('GET', '/v2/builds?state=brokn')
    await api('POST', '/v2/organizations/acme/pipelines/web/builds', { commit: 3 })
    await api('GET', '/v2/organizations/acme/pipelines/web/builds/77')
    await api('GET', '/v2/builds')
    expect((await server.control.requests.unexpected()).map(({ status }) => status)).toEqual([
      404, 405, 400, 422,
    ])
  })

  it('is a ring by entries and by bytes, and cuts bodies', async () => {
    await using server = createMockServer({
      requestLog: { maxEntries: 3, maxBytes: 1_000_000, maxBodyBytes: 100 },
    })
    const ask = (n: number, body = 'x') =>
      server.fetch(
        new Request(`${server.authUrl}/oauth/token?n=${n}`, {
          method: 'POST',
          body: new URLSearchParams({ body }),
        }),
      )
    for (let n = 1; n <= 5; n++) await ask(n, 'y'.repeat(400))
    const entries = await server.control.requests.list()
    expect(entries.map(({ query }) => query.at(-1))).toEqual(['3', '4', '5'])
    expect(entries[0]?.request.body?.length).toBeLessThan(140)
    await using small = createMockServer({ requestLog: { maxEntries: 1000, maxBytes: 20_000 } })
    for (let n = 0; n < 100; n++)
      await small.fetch(
        new Request(`${small.authUrl}/oauth/token?n=${n}`, {
          method: 'POST',
          body: new URLSearchParams({ body: 'z'.repeat(1000) }),
        }),
      )
    const kept = await small.control.requests.list()
    expect(kept.length).toBeGreaterThan(3)
    expect(kept.length).toBeLessThan(20)
    expect(kept.at(-1)?.query).toBe('n=99')
  })

  it('keeps so many bytes of an answer, up to a whole character, and all of a shorter one', async () => {
    await using server = acmeServer({ requestLog: { maxBodyBytes: 200 } })
    const api = apiOver(server, await adminToken(server))
    const message = '🚀'.repeat(300)
    await api('POST', '/v2/organizations/acme/pipelines/web/builds', {
      commit: 'HEAD',
      branch: 'main',
      message,
    })
    await api('GET', '/v2/nowhere')
    const [made, missing] = await server.control.requests.list()
    expect(made?.request.body).toMatch(
      /^\{"commit":"HEAD","branch":"main","message":"🚀+… \(cut at 200 bytes\)$/u,
    )
    expect(made?.response?.body).toMatch(/^\{"id":".{150,200}… \(cut at 200 bytes\)$/)
    expect(missing?.response?.body).toBe('{"message":"No route matches v2/nowhere"}')
  })

  it('holds no more of a long answer than it keeps', async ({ server, api }) => {
    const build = await server.control.builds.create({ org_slug: 'acme', pipeline_slug: 'api' })
    const job_id = build.jobs?.[0]?.id ?? ''
    await server.control.jobLogs.set({ job_id, content: 'x'.repeat(1_000_000) })
    const before = await heldBuffers()
    for (let n = 0; n < 40; n++) {
      const path = `/v2/organizations/acme/pipelines/api/builds/${build.number}/jobs/${job_id}/log`
      expect((await api('GET', path)).body.size).toBe(1_000_000)
    }
    expect((await heldBuffers()) - before).toBeLessThan(10_000_000)
  })

  it('keeps nothing when it is off', async () => {
    await using server = createMockServer({ requestLog: false })
    await server.fetch(new Request(`${server.baseUrl}/v2/builds`))
    expect(await server.control.requests.list()).toEqual([])
  })
})

describe('what ends a delay', () => {
  it('closing the server: the caller meets a reset connection, and nothing of it is a bug', async () => {
    const server = acmeServer()
    const token = await adminToken(server)
    await server.control.rules.create({ actions: [{ delayMs: 600_000 }] })
    const asked = server.fetch(
      new Request(`${server.baseUrl}/v2/builds`, { headers: { authorization: `Bearer ${token}` } }),
    )
    const settled = expect(asked).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    await new Promise((resolve) => setImmediate(resolve))
    expect(await server.control.info.get()).toMatchObject({ internalErrors: 0 })
    await server.close()
    await settled
  })

  it('a request counts from its arrival; a client that leaves is no internal error', async ({
    server,
    token,
  }) => {
    const { url } = await server.listen()
    await server.control.rules.create({ actions: [{ delayMs: 600_000 }] })
    const leaving = new AbortController()
    const asked = fetch(`${url}/v2/builds`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    const settled = expect(asked).rejects.toThrow()
    const { requests } = server.control
    const match = { operation: 'builds.list' } as const
    expect(await requests.wait({ match })).toMatchObject([
      { outcome: 'pending', status: null, response: null },
    ])
    expect([...(await requests.find({ match })), ...(await requests.list())]).toHaveLength(2)
    expect(await requests.verify({ match, count: 1 })).toMatchObject({ count: 1 })
    await expect(
      requests.verify({ match: { ...match, status: 200 }, count: 1 }),
    ).rejects.toMatchObject({
      details: {
        nearest: [{ entry: { outcome: 'pending' }, difference: { path: 'status', actual: null } }],
      },
    })
    const both = expect(requests.wait({ match, count: 2, timeoutMs: 1 })).rejects.toMatchObject({
      code: 'timeout',
      details: { count: 1 },
    })
    leaving.abort()
    await settled
    expect(await requests.wait({ match: { outcome: 'aborted' } })).toMatchObject([
      { ...match, outcome: 'aborted' },
    ])
    await both
    expect(await server.control.info.get()).toMatchObject({ internalErrors: 0 })
  })

  it('a reset: 409 at once', async ({ server, token }) => {
    await server.control.rules.create({
      match: { method: 'POST' },
      actions: [{ delayMs: 600_000 }],
    })
    const late = server.fetch(
      new Request(`${server.baseUrl}/v2/organizations/acme/pipelines/web/builds`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: '{"commit":"HEAD","branch":"main"}',
      }),
    )
    await new Promise((resolve) => setImmediate(resolve))
    await server.control.reset()
    expect((await late).status).toBe(409)
    expect(await server.control.records.list({ collection: 'builds' })).toEqual([])
  })
})
