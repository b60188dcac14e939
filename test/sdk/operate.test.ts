import { inspect } from 'node:util'
import {
  type AttemptInfo,
  type CiClient,
  type CiClientOptions,
  type CiEvent,
  ConfigError,
  fetchTransport,
  type Transport,
  watchBuild,
} from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { canary, client, path, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { build, json, serve } from './support/server.js'

const one = { ...path, number: 42 }
const create = { ...path, commit: 'HEAD', branch: 'main' }

describe('a call has one id', () => {
  test('in its events, in its error and before its middleware, and parallel calls have others', async () => {
    const server = await serve((response, seen) =>
      seen.url.endsWith('/1') ? json(response, 503, {}) : json(response, 200, build(2)),
    )
    const events: CiEvent[] = []
    const infos: AttemptInfo[] = []
    const ci = client(server.url, {
      clock: new SleeplessClock(),
      onEvent: (event) => events.push(event),
      middleware: [
        (request, next, info) => [infos.push(info), next(request)][1] as ReturnType<typeof next>,
      ],
    })
    const [failed] = await Promise.all([
      rejection(ci.builds.get({ ...path, number: 1 })),
      ci.builds.get(one),
    ])
    const of = (type: string) =>
      events.filter(
        (event) => event.type === type && 'callId' in event && event.callId === failed.callId,
      )
    expect([of('request').length, of('response').length, of('retry').length]).toEqual([3, 3, 2])
    expect(infos.filter(({ callId }) => callId === failed.callId)).toEqual(
      [1, 2, 3].map((attempt) => ({ callId: failed.callId, operationId: 'builds.get', attempt })),
    )
    expect(new Set(infos.map(({ callId }) => callId)).size).toBe(2)
    expect(JSON.parse(JSON.stringify(failed))).toMatchObject({ callId: failed.callId, attempts: 3 })
  })

  test('which each kind of its errors carries', async () => {
    const server = await serve((response, seen) =>
      json(response, 200, seen.url.includes('/tests') ? [1] : { no: 1 }),
    )
    const ci = client(server.url)
    const closed = client('http://127.0.0.1:9', { maxRetries: 0 })
    const calls = [
      () => ci.builds.get(one),
      () => ci.tests.list({ org_slug: 'a', suite_slug: 'b' }),
      () => closed.builds.get(one),
    ]
    for (const call of calls) expect((await rejection(call())).callId).toMatch(/^\d{10}-\d+$/)
  })
})

describe('a single call may set', () => {
  test('headers, which no other origin gets, and none of ours', async () => {
    const other = await serve((response) => void response.end('content'))
    const server = await serve((response) =>
      json(response, 302, {}, { location: `${other.url}/key` }),
    )
    const ci = client(server.url)
    const file = { ...one, job_id: 'j', artifact_id: 'a' }
    const headers = { Traceparent: '00-1', 'Content-Type': 'text/plain' }
    for await (const _ of await ci.artifacts.content(file, { headers }));
    expect(server.requests[0]?.headers).toMatchObject({
      traceparent: '00-1',
      accept: 'application/json',
    })
    expect(other.requests[0]?.headers).not.toHaveProperty('traceparent')
    await ci.builds.create(create, { headers }).catch(() => {})
    expect(server.requests[1]?.headers['content-type']).toBe('application/json')
    const error = await rejection(ci.builds.get(one, { headers: { Authorization: 'x' } }))
    expect(error).toMatchObject({ code: 'config', option: 'headers' })
  })

  test('maxRetries and maxRetryAfterMs', async () => {
    const server = await serve((response) => json(response, 503, {}, { 'retry-after': '2' }))
    const ci = client(server.url, { clock: new SleeplessClock(), maxRetries: 5 })
    for (const [options, attempts] of [
      [{ maxRetries: 1 }, 2],
      [{ maxRetries: 0 }, 1],
      [{ maxRetryAfterMs: 1_999 }, 1],
    ] as const) {
      expect(await rejection(ci.builds.get(one, options))).toMatchObject({ attempts })
    }
    expect(await rejection(ci.builds.get(one, { maxRetries: -1 }))).toMatchObject({
      option: 'maxRetries',
    })
  })
})

test('an error has the headers of its answer, without secrets and outside what is printed', async () => {
  const location = 'https://u:p@files.example/a?signature=s'
  const headers = { 'x-echo': `a ${canary}`, 'set-cookie': 'session=abc', location }
  const server = await serve((response) => json(response, 404, { message: 'no' }, headers))
  const error = await rejection(client(server.url).builds.get(one))
  expect('headers' in error && Object.fromEntries(error.headers ?? [])).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-echo': 'a [redacted]',
    'set-cookie': '[redacted]',
    location: 'https:[redacted]files.example/a[redacted]',
  })
  expect(inspect(error)).not.toMatch(/undefined|x-echo/)
})

describe('a misspelt option is refused', () => {
  const closed = 'http://127.0.0.1:9'
  test.each<[string, (ci: CiClient) => unknown]>([
    ['timeoutMS', () => client(closed, { timeoutMS: 5 } as Partial<CiClientOptions>)],
    ['headerMs', () => client(closed, { timeouts: { headerMs: 5 } as object })],
    ['retries', (ci) => ci.builds.get(one, { retries: 5 } as object)],
    ['maxPage', (ci) => ci.builds.list({}, { maxPage: 5 } as object).toArray()],
    ['max', (ci) => ci.builds.list().toArray({ max: 5 } as object)],
    ['url', (ci) => ci.request({ method: 'GET', path: '/', url: '/' } as never)],
    ['interval', (ci) => watchBuild(ci, one, { interval: 5 } as object).next()],
  ])('%s', async (option, make) => {
    const error = await rejection((async () => await make(client(closed)))())
    expect(error).toMatchObject({
      code: 'config',
      option,
      message: expect.stringContaining('; there are '),
    })
  })

  test.each<[string, (ci: CiClient) => PromiseLike<unknown>]>([
    ['from, last', (ci) => ci.jobs.logStream({ ...one, job_id: 'j' }, { form: 5 } as object)],
    ['bytes', (ci) => ci.jobs.logTail({ ...one, job_id: 'j' }, { byte: 5 } as object)],
    ['anchored, maxPages, cursor', (ci) => ci.builds.list({}, { curser: '' } as object)],
  ])('by a list of those that there are: %s', async (names, make) => {
    await expect(make(client(closed))).rejects.toThrow(`maxBodyBytes, ${names}`)
  })
})

describe('a fault in code is not a network loss', () => {
  const wrong = (): never => (undefined as never as { fetch(): never }).fetch()
  const late: Transport = async (request, options) =>
    Object.assign(await fetchTransport()(request, options), { text: wrong })
  test.each<[string, Transport]>([
    ['before the request', wrong],
    ['after it', late],
  ])('thrown by a transport %s', async (_, transport) => {
    const server = await serve((response) => json(response, 201, build(1)))
    const events: CiEvent[] = []
    const ci = client(server.url, { transport, onEvent: (event) => events.push(event) })
    const error = await rejection(ci.builds.create(create))
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({
      option: 'transport',
      sent: 'unknown',
      operationId: 'builds.create',
    })
    expect(error.message).toMatch(
      /^transport threw TypeError: .*; that is a fault in its code, not in the network$/,
    )
    expect((error.cause as Error).stack).toContain('operate.test.ts')
    expect(events.map(({ type }) => type)).toEqual(['request', 'response'])
  })

  test('thrown by middleware reaches the caller as it is', async () => {
    const ci = client('http://127.0.0.1:9', { middleware: [wrong] })
    await expect(ci.builds.create(create)).rejects.toThrow(TypeError)
  })

  test.each([
    'fetch failed',
    'Failed to fetch',
    'NetworkError when attempting to fetch resource.',
    'Load failed',
  ])('while %j is how a platform tells one', async (words) => {
    const transport = fetchTransport(() => () => Promise.reject(new TypeError(words)))
    const error = await rejection(
      client('http://127.0.0.1:9', {
        transport,
        maxRetries: 1,
        clock: new SleeplessClock(),
      }).builds.get(one),
    )
    expect(error).toMatchObject({ code: 'connection', attempts: 2 })
  })
})

test('a short token hides nothing inside words, and no token changes the words that programs decide by', async () => {
  const errors = [{ field: 'commit', code: 'missing_field', message: 'commit t is required' }]
  const server = await serve((response) =>
    json(response, 422, { message: 'Validation t Failed', errors }),
  )
  const refused = async (auth: string) =>
    rejection(client(server.url, { auth }).builds.create(create))
  expect(await refused('t')).toMatchObject({
    serverMessage: 'Validation [redacted] Failed',
    errors: [{ field: 'commit', code: 'missing_field', message: 'commit [redacted] is required' }],
    body: { errors: [{ field: 'commit', code: 'missing_field' }] },
  })
  for (const auth of ['commit', 'missing_field']) {
    expect(await refused(auth)).toMatchObject({
      errors: [{ field: 'commit', code: 'missing_field' }],
      body: { errors: [{ field: 'commit', code: 'missing_field' }] },
    })
  }
})

test('times are whole milliseconds', async () => {
  const server = await serve((response) => json(response, 200, build(42)))
  const events: CiEvent[] = []
  const { response } = await client(server.url, { onEvent: (event) => events.push(event) })
    .builds.get(one)
    .withResponse()
  const times = [
    response.durationMs,
    ...events.flatMap((event) => ('durationMs' in event ? [event.durationMs] : [])),
  ]
  expect(times.map(Number.isInteger)).toEqual([true, true])
})
