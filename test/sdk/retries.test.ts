import { gzipSync } from 'node:zlib'
import { type CiEvent, RateLimitError } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { buildPath, client, path, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { build, closedPort, json, serve, serveSockets } from './support/server.js'

function answerBytes(body: unknown, status = '200 OK'): string {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

test('H1: when the server closes the idle socket as we write, a GET is retried; rebuild reaches the server exactly once and does not fail for this', async () => {
  let rebuilds = 0
  const server = await serveSockets((socket, index) => {
    let answered = 0
    socket.on('data', (bytes) => {
      if (String(bytes).startsWith('PUT')) rebuilds++
      // Each of the first connections answers once and hangs up on the second request without
      // reading it.
      if (answered++ > 0 && index < 2) return socket.destroy()
      socket.write(answerBytes(build(42)))
    })
  })
  const clock = new SleeplessClock()
  const ci = client(server.url, { clock })
  await ci.builds.get(buildPath)
  expect(await ci.builds.get(buildPath)).toMatchObject({ number: 42 })
  for (let n = 0; n < 3; n++)
    expect(await ci.builds.rebuild(buildPath)).toMatchObject({ number: 42 })
  expect(rebuilds).toBe(3)
})

test('H2: when the server creates the build and then resets, there is one hit, sent is unknown and the message says that the build may exist', async () => {
  let hits = 0
  const server = await serveSockets((socket) => {
    socket.on('data', () => {
      hits++
      socket.resetAndDestroy()
    })
  })
  const ci = client(server.url, { clock: new SleeplessClock() })
  const error = await rejection(ci.builds.create({ ...path, commit: 'HEAD', branch: 'main' }))
  expect(error).toMatchObject({ code: 'connection', sent: 'unknown', attempts: 1 })
  expect(error.message).toContain('may exist')
  expect(error.message).toContain('builds.listForPipeline')
  expect(hits).toBe(1)
})

test('H4: a server wait above the cap is a RateLimitError now with retryAfterMs, and there is no early request', async () => {
  const clock = new SleeplessClock()
  const server = await serve((response) =>
    json(response, 429, { message: 'slow' }, { 'retry-after': '61' }),
  )
  const ci = client(server.url, { clock })
  const error = await rejection(ci.builds.get(buildPath))
  expect(error).toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 61_000,
    sent: 'yes',
    status: 429,
  })
  const gated = await rejection(ci.builds.get(buildPath))
  expect(gated).toBeInstanceOf(RateLimitError)
  expect(gated).toMatchObject({ sent: 'no', retryAfterMs: 61_000 })
  expect(clock.slept).toEqual([])
  expect(server.requests).toHaveLength(1)
})

test('H7: after ten calls with two retries each against 500s of 1 MB the sockets stay within the pool and later calls work', async () => {
  let broken = true
  const megabyte = 'x'.repeat(1_000_000)
  const server = await serve((response) => {
    if (!broken) return json(response, 200, build(42))
    response.writeHead(500, { 'content-type': 'text/plain' })
    response.end(megabyte)
  })
  const { Agent } = await import('undici')
  const dispatcher = new Agent({ connections: 2 })
  const ci = client(server.url, { clock: new SleeplessClock(), dispatcher })
  const errors = await Promise.all(
    Array.from({ length: 10 }, () => rejection(ci.builds.get(buildPath))),
  )
  expect(errors.map((error) => error.code)).toEqual(Array(10).fill('server_error'))
  expect(server.requests).toHaveLength(30)
  broken = false
  const later = await Promise.all(Array.from({ length: 10 }, () => ci.builds.get(buildPath)))
  expect(later).toHaveLength(10)
  await dispatcher.close()
})

test('H8: when cancel worked, its answer was lost and the replay answers 422, the call succeeds with the canceled build', async () => {
  const server = await serve((response, seen, index) => {
    if (index === 0) return void response.socket?.destroy()
    if (seen.method === 'GET') return json(response, 200, build(42, { state: 'canceled' }))
    return json(response, 422, { message: "Build can't be canceled because it is canceled" })
  })
  const ci = client(server.url, { clock: new SleeplessClock() })
  const { data, response } = await ci.builds.cancel(buildPath).withResponse()
  expect(data.state).toBe('canceled')
  expect(response.status).toBe(200)
  expect(server.requests.map((seen) => seen.method)).toEqual(['PUT', 'PUT', 'GET'])
})

test.each([400, 409, 422])(
  'a retry or an unblock whose answer was lost, and whose replay answers %d, gives the job as it is',
  async (refusal) => {
    const job = {
      id: 'j1',
      type: 'script',
      state: 'failed',
      retried: true,
      retried_in_job_id: 'j2',
    }
    const server = await serve((response, { method, url }, index) => {
      if (index === 0) return void response.socket?.destroy()
      if (method === 'PUT') return json(response, refusal, { message: 'No' })
      return json(
        response,
        200,
        url.endsWith('/j1') ? job : { ...job, id: url.split('/').at(-1), state: 'unblocked' },
      )
    })
    const ci = client(server.url, { clock: new SleeplessClock() })
    expect(await ci.jobs.retry({ ...buildPath, job_id: 'j1' })).toMatchObject({ id: 'j2' })
    server.requests.length = 0
    expect(
      await ci.jobs.unblock({ ...buildPath, job_id: 'j3', fields: { a: ['b'] } }),
    ).toMatchObject({ id: 'j3' })
    expect(server.requests.map(({ method, url }) => `${method} ${url.split('/').at(-1)}`)).toEqual([
      'PUT unblock',
      'PUT unblock',
      'GET j3',
    ])
  },
)

test('a first cancel that is refused with 422 is thrown, and so is a replay of a build that is not canceled', async () => {
  const server = await serve((response, seen, index) => {
    if (index === 1) return void response.socket?.destroy()
    if (seen.method === 'GET') return json(response, 200, build(42, { state: 'passed' }))
    return json(response, 422, { message: "Build can't be canceled because it is passed" })
  })
  const ci = client(server.url, { clock: new SleeplessClock() })
  expect(await rejection(ci.builds.cancel(buildPath))).toMatchObject({
    code: 'unprocessable',
    attempts: 1,
  })
  expect(await rejection(ci.builds.cancel(buildPath))).toMatchObject({
    code: 'unprocessable',
    attempts: 2,
  })
})

test('H9: 200 KB of gzip that unpacks to 200 MB is an InvalidResponseError and memory stays bounded', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000))
  expect(bomb.byteLength).toBeLessThan(250_000)
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(bomb)
  })
  const ci = client(server.url)
  const before = process.memoryUsage().rss
  const error = await rejection(ci.builds.get(buildPath))
  expect(error).toMatchObject({ code: 'invalid_response' })
  expect(error.message).toContain('maxBodyBytes')
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  expect(server.requests).toHaveLength(1)
})

test('H10: on a 429 without Retry-After whose organization window resets in 5 s and whose body says scope rest_user, reset 42, the next request comes 42 s later or more', async () => {
  const clock = new SleeplessClock()
  const server = await serve((response, _, index) => {
    if (index > 0) return json(response, 200, build(42))
    const headers = {
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '5',
      'RateLimit-User-Remaining': '0',
    }
    return json(
      response,
      429,
      { message: 'slow', scope: 'rest_user', limit: 50, current: 51, reset: 42 },
      headers,
    )
  })
  const ci = client(server.url, { clock })
  await ci.builds.get(buildPath)
  expect(clock.monotonic()).toBeGreaterThanOrEqual(42_000)
  expect(clock.monotonic()).toBeLessThanOrEqual(43_000)
})

describe('what is sent again', () => {
  const suite = { org_slug: 'acme', suite_slug: 'unit' }
  const label = { test_id: 't', operator: 'add' as const, labels: ['x'] }
  const cases: ReadonlyArray<
    [string, (ci: ReturnType<typeof client>) => PromiseLike<unknown>, number]
  > = [
    ['builds.get', (ci) => ci.builds.get(buildPath), 3],
    ['builds.cancel', (ci) => ci.builds.cancel(buildPath), 3],
    ['tests.find', (ci) => ci.tests.find({ ...suite, scope: 's', name: 'n' }), 3],
    ['tests.changeLabels', (ci) => ci.tests.changeLabels({ ...suite, ...label }), 3],
    ['builds.create', (ci) => ci.builds.create({ ...path, commit: 'HEAD', branch: 'main' }), 1],
    ['annotations.create', (ci) => ci.annotations.create({ ...buildPath, body: 'x' }), 1],
    ['builds.rebuild', (ci) => ci.builds.rebuild(buildPath), 1],
    ['builds.retryFailedJobs', (ci) => ci.builds.retryFailedJobs(buildPath), 1],
    ['accessToken.revoke', (ci) => ci.accessToken.revoke(), 1],
    ['graphql', (ci) => ci.graphql({ query: '{ viewer { id } }' }), 1],
  ]

  test.each(cases)('after a 503 and after a lost answer: %s', async (_, call, hits) => {
    for (const lose of [false, true]) {
      const server = await serve((response) => {
        if (lose) return void response.socket?.destroy()
        return json(response, 503, { message: 'Service unavailable' })
      })
      const clock = new SleeplessClock()
      const error = await rejection(call(client(server.url, { clock })))
      expect(error.code).toBe(lose ? 'connection' : 'server_error')
      expect(server.requests).toHaveLength(hits)
      expect(clock.slept).toEqual([250, 500].slice(0, hits - 1))
      if (hits === 1) expect(error.message).toMatch(/may/)
    }
  })

  test.each(cases)('after a 429, which is a refusal, even %s', async (operationId, call) => {
    const server = await serve((response, _, index) => {
      if (index === 0) return json(response, 429, { message: 'slow' }, { 'retry-after': '2' })
      if (operationId === 'accessToken.revoke') return void response.writeHead(204).end()
      return json(response, 200, { ...build(42), data: null })
    })
    const clock = new SleeplessClock()
    await call(client(server.url, { clock }))
    expect(server.requests).toHaveLength(2)
    expect(clock.slept).toEqual([2_500])
  })

  test.each(cases)('after a refused connection, which sent nothing, even %s', async (_, call) => {
    const url = await closedPort()
    const clock = new SleeplessClock()
    const error = await rejection(call(client(url, { clock })))
    expect(error).toMatchObject({ code: 'connection', sent: 'no', attempts: 3 })
    expect(error.message).not.toMatch(/may/)
  })
})

describe('what another attempt cannot change is not tried again', () => {
  test.each([400, 403, 404, 409, 422, 501, 505])('status %d', async (status) => {
    const server = await serve((response) => json(response, status, { message: 'no' }))
    await rejection(client(server.url, { clock: new SleeplessClock() }).builds.get(buildPath))
    expect(server.requests).toHaveLength(1)
  })

  test('broken JSON in a success', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"id":')
    })
    expect(await rejection(client(server.url).builds.get(buildPath))).toMatchObject({
      code: 'invalid_response',
      expected: 'JSON',
    })
    expect(server.requests).toHaveLength(1)
  })
})

describe('waits', () => {
  test('a wait that does not fit into the call is thrown at once with the error of the answer', async () => {
    const clock = new SleeplessClock()
    const server = await serve((response) =>
      json(response, 503, { message: 'later' }, { 'retry-after': '20' }),
    )
    const error = await rejection(
      client(server.url, { clock }).builds.get(buildPath, { timeoutMs: 10_000 }),
    )
    expect(error).toMatchObject({
      code: 'server_error',
      status: 503,
      retryAfterMs: 20_000,
      attempts: 1,
    })
    expect(clock.slept).toEqual([])
  })

  test('a window that a success has used up keeps later calls waiting, for that organization only', async () => {
    const clock = new SleeplessClock()
    const events: CiEvent[] = []
    const server = await serve((response, _, index) =>
      json(
        response,
        200,
        build(42),
        index === 0 ? { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '7' } : {},
      ),
    )
    const ci = client(server.url, { clock, onEvent: (event) => events.push(event) })
    await ci.builds.get(buildPath)
    await ci.builds.get({ ...buildPath, org_slug: 'other' })
    expect(clock.slept).toEqual([])
    await ci.withAuth('bwua_another_user').builds.get(buildPath)
    expect(clock.slept).toEqual([7_500])
    expect(events.filter((event) => event.type === 'rate_limit')).toEqual([
      { type: 'rate_limit', callId: expect.any(String), window: 'organization', delayMs: 7_500 },
    ])
  })

  test("a user's own window does not stop another user", async () => {
    const clock = new SleeplessClock()
    const server = await serve((response, _, index) => {
      const used = { 'Rate-Limit-User-Remaining': '0', 'Rate-Limit-User-Reset': '9' }
      return json(response, 200, build(42), index === 0 ? used : {})
    })
    const ci = client(server.url, { clock })
    await ci.builds.get(buildPath)
    await ci.withAuth('bwua_another_user').builds.get(buildPath)
    expect(clock.slept).toEqual([])
    await ci.builds.get(buildPath)
    expect(clock.slept).toEqual([9_500])
  })
})
