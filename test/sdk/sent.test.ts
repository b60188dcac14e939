import { type CiClient, InvalidResponseError, type Transport } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { buildPath, client, path, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { type Answering, build, json, serve } from './support/server.js'

const commit = { ...path, commit: 'HEAD', branch: 'main' }

function failing(...codes: readonly { code: string; syscall?: string }[]): Transport {
  let index = 0
  return async () => {
    const code = codes[Math.min(index++, codes.length - 1)]
    throw Object.assign(new Error('broken'), code)
  }
}

test.each([
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'unknown'],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC', 'unknown'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no'],
  ['CERT_HAS_EXPIRED', 'no'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'no'],
])('%s of TLS means sent: %s', async (code, sent) => {
  const ci = client('https://127.0.0.1:9', { transport: failing({ code }) })
  expect(await rejection(ci.builds.create(commit))).toMatchObject({
    code: 'connection',
    sent,
    attempts: 1,
  })
})

test('a create whose answer is not a build says that the build may exist', async () => {
  const server = await serve((response) => json(response, 201, {}))
  const error = await rejection(client(server.url).builds.create(commit))
  expect(error).toMatchObject({ code: 'invalid_response', got: 'an empty object' })
  expect(error.message).toContain('The build may exist')
  expect(server.requests).toHaveLength(1)
})

describe.each([
  ['builds.create', 'The build may exist', (ci: CiClient) => ci.builds.create(commit)],
  ['builds.rebuild', 'The new build may exist', (ci: CiClient) => ci.builds.rebuild(buildPath)],
  [
    'builds.retryFailedJobs',
    'The jobs may be queued already',
    (ci: CiClient) => ci.builds.retryFailedJobs(buildPath),
  ],
  [
    'graphql',
    'The document may have been executed',
    (ci: CiClient) => ci.graphql({ query: 'mutation { a }' }),
  ],
  [
    'request',
    'The request may have been carried out',
    (ci: CiClient) => ci.request({ method: 'POST', path: '/v2/x', body: {} }),
  ],
])('when the answer to %s cannot be used, the error says "%s"', (_operation, advice, call) => {
  test.each<[string, Answering]>([
    ['is too large', (response) => json(response, 201, build(7, { message: 'x'.repeat(2_000) }))],
    [
      'is encoded otherwise',
      (response) => json(response, 201, build(7), { 'content-encoding': 'br' }),
    ],
    [
      'is not valid gzip',
      (response) => json(response, 201, build(7), { 'content-encoding': 'gzip' }),
    ],
    [
      'breaks off',
      (response) =>
        response.writeHead(201, { 'content-length': 100 }).write('{', () => response.destroy()),
    ],
    ['never comes', (response) => response.destroy()],
  ])('that %s', async (_how, answering) => {
    const server = await serve(answering)
    const error = await rejection(call(client(server.url, { maxBodyBytes: 1_000 })))
    expect(['invalid_response', 'connection']).toContain(error.code)
    expect(error.message).toContain(advice)
    expect(server.requests).toHaveLength(1)
  })
})

test('a read whose answer is too large has nothing to look for', async () => {
  const server = await serve((response) =>
    json(response, 200, build(42, { message: 'x'.repeat(2_000) })),
  )
  const error = await rejection(client(server.url, { maxBodyBytes: 1_000 }).builds.get(buildPath))
  expect(error.message).toMatch(/above maxBodyBytes, 1000 bytes after decoding$/)
})

test('a create that the server answers with 303 says that the build may exist', async () => {
  const server = await serve((response) => json(response, 303, {}, { location: '/v2/builds/7' }))
  const error = await rejection(client(server.url).builds.create(commit))
  expect(error).toMatchObject({ code: 'redirect_refused' })
  expect(error.message).toContain('The build may exist')
})

test('a token that the exchange answers wrongly says nothing about a build: no request left', async () => {
  const server = await serve((response) => json(response, 201, build(7)))
  const auth = {
    getToken: async (): Promise<never> => {
      throw new InvalidResponseError('The token exchange answer is invalid', {
        expected: 'a',
        got: 'b',
      })
    },
    invalidate: () => {},
  }
  const error = await rejection(client(server.url, { auth }).builds.create(commit))
  expect(error.message).toBe('The token exchange answer is invalid')
})

describe('a cancel whose answer was lost', () => {
  test('and whose replay is refused throws that refusal when the build cannot be read', async () => {
    const server = await serve((response, { method }, index) => {
      if (index === 0) response.socket?.destroy()
      else if (method === 'GET')
        json(response, 403, { message: "Your token doesn't have the read_builds scope" })
      else json(response, 422, { message: "Build can't be canceled because it is canceled" })
    })
    const error = await rejection(client(server.url).builds.cancel(buildPath))
    expect(error).toMatchObject({ code: 'unprocessable', operationId: 'builds.cancel' })
  })

  test('and that the gate then stops is not called unsent', async () => {
    const server = await serve((response, { method }) => {
      if (method === 'PUT') response.socket?.destroy()
      else json(response, 429, { scope: 'rest_user', reset: 100 })
    })
    const clock = new SleeplessClock()
    const ci = client(server.url, { clock, maxRetries: 1 })
    const sleep = clock.sleep.bind(clock)
    clock.sleep = async (ms, signal) => {
      clock.sleep = sleep
      await ci.user.get().catch(() => {})
      return sleep(ms, signal)
    }
    const error = await rejection(ci.builds.cancel(buildPath))
    expect(error).toMatchObject({
      code: 'rate_limited',
      sent: 'unknown',
      retryAfterMs: 100_000 - 250,
    })
    expect(error.message).toContain('was not sent again')
  })
})

test('a client that is closed while a call waits sends nothing more, and says so', async () => {
  const server = await serve((response) => json(response, 429, { reset: 3 }))
  const clock = new SleeplessClock()
  const ci = client(server.url, { clock })
  const sleep = clock.sleep.bind(clock)
  clock.sleep = async (ms, signal) => {
    await ci.close()
    return sleep(ms, signal)
  }
  expect(await rejection(ci.builds.create(commit))).toMatchObject({
    code: 'config',
    option: 'client',
  })
  expect(server.requests).toHaveLength(1)
})

test('a free request outside the prefix of baseUrl is named by its whole path', async () => {
  const server = await serve((response) => void response.socket?.destroy())
  const ci = client(`${server.url}/prefix`, { maxRetries: 0 })
  const error = await rejection(ci.request({ method: 'GET', path: `${server.url}/other/place` }))
  expect(error.message).toContain('GET /other/place')
  const inside = await rejection(ci.request({ method: 'GET', path: '/place' }))
  expect(inside.message).toContain('GET /place ')
})

test('what a 429 asks for closes the window it names, and the other one only until its own reset', async () => {
  const server = await serve((response, _, index) => {
    if (index > 0) return json(response, 200, build(42))
    json(
      response,
      429,
      { scope: 'rest_user', reset: 42 },
      { 'ratelimit-remaining': '0', 'ratelimit-reset': '5' },
    )
  })
  const clock = new SleeplessClock()
  const ci = client(server.url, { clock, maxRetries: 0, random: () => 0 })
  await rejection(ci.builds.get(buildPath))
  await ci.withAuth('another').builds.get(buildPath)
  expect(clock.slept).toEqual([5_000])
  await ci.builds.get(buildPath)
  expect(clock.slept).toEqual([5_000, 37_000])
})

test.each([
  ['middleware', { middleware: [async () => undefined as never] }],
  ['transport', { transport: async () => undefined as never }],
])('%s that gives no answer is a ConfigError', async (option, options) => {
  const error = await rejection(client('http://127.0.0.1:9', options).builds.get(buildPath))
  expect(error).toMatchObject({ code: 'config', option })
})
