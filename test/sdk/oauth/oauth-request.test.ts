import {
  type CiEvent,
  type OAuthOptions,
  requestDeviceAuthorization,
  TokenExchange,
} from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { rejection } from '../support/client.js'
import { HandClock } from '../support/hand-clock.js'
import { deviceAnswer } from './support/device.js'
import { subject_token_type, testSigner } from './support/exchange.js'
import { failure } from './support/failure.js'
import { fails, never, refusal, type Step, scripted } from './support/scripted-transport.js'

const about = {
  callId: expect.any(String),
  operationId: 'oauth.deviceAuthorization',
  method: 'POST',
  path: '/oauth/device_authorization',
}
const fine: Step = { json: deviceAnswer }

/** One request for a device login, answered by the steps; `run` is what came of it. */
function request(
  steps: readonly Step[],
  options: Partial<OAuthOptions> & { signal?: AbortSignal } = {},
) {
  const clock = new HandClock()
  const { transport, asked } = scripted(...steps)
  const events: CiEvent[] = []
  const run = () =>
    requestDeviceAuthorization(
      { client_id: 'cli', client_secret: 'canary-secret', scope: 'read_builds' },
      {
        authUrl: 'https://auth.ci.example',
        transport,
        clock,
        random: () => 0.5,
        onEvent: (event) => events.push(event),
        ...options,
      },
    )
  return { run, asked, clock, events }
}

describe('one request', () => {
  test('is a form on a fresh connection, within the limits of each phase', async () => {
    const { run, asked } = request([fine])
    await run()
    expect(asked[0]?.request).toMatchObject({
      method: 'POST',
      url: 'https://auth.ci.example/oauth/device_authorization',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': expect.stringMatching(/^buildwire-sdk\//),
      },
      body: 'client_id=cli&client_secret=canary-secret&scope=read_builds',
      freshConnection: true,
      headersTimeoutMs: 30_000,
      bodyIdleTimeoutMs: 30_000,
    })
  })

  test.each([
    [7000, 7000],
    [90_000, 30_000],
  ])('with %d ms in all gives each phase %d ms', async (timeoutMs, phaseMs) => {
    const { run, asked } = request([fine], { timeoutMs })
    await run()
    const { headersTimeoutMs, bodyIdleTimeoutMs } = asked[0]?.request ?? {}
    expect([headersTimeoutMs, bodyIdleTimeoutMs]).toEqual([phaseMs, phaseMs])
  })

  test('goes below the path of authUrl', async () => {
    const { run, asked } = request([{ status: 403, text: '' }], {
      authUrl: 'https://ci.example/s/1/',
    })
    expect(await failure(run())).toMatchObject({
      path: '/oauth/device_authorization',
      message: 'POST /oauth/device_authorization answered 403: no body',
    })
    expect(asked[0]?.url).toBe('https://ci.example/s/1/oauth/device_authorization')
  })

  test('to plain http needs allowInsecure, and so do the links of its answer', async () => {
    const plain = { authUrl: 'http://auth.ci.example' }
    const link: Step = { json: { ...deviceAnswer, verification_uri: 'http://ci.example/device' } }
    expect(await failure(request([link], plain).run())).toMatchObject({
      code: 'config',
      option: 'authUrl',
    })
    const { verification_uri } = await request([link], { ...plain, allowInsecure: true }).run()
    expect(verification_uri).toBe('http://ci.example/device')
  })

  test('tells its sending, and its answer with the time it took and the server’s request id', async () => {
    const clock = new HandClock()
    clock.trueMs = 5000
    const slow: Step = () => {
      clock.trueMs += 120
      return { json: deviceAnswer, headers: { 'x-request-id': 'r-1' } }
    }
    const { run, events } = request([slow], { clock })
    await run()
    expect(events).toEqual([
      { type: 'request', ...about, attempt: 1 },
      { type: 'response', ...about, attempt: 1, status: 200, durationMs: 120, requestId: 'r-1' },
    ])
  })
})

describe('retries', () => {
  test('are told with what failed and how long the wait is', async () => {
    const clock = new HandClock()
    clock.trueMs = 5000
    const lost: Step = () => {
      clock.trueMs += 70
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
    }
    const busy: Step = {
      status: 503,
      headers: { 'retry-after': '4' },
      json: { error: 'server_error' },
    }
    const { run, asked, events } = request([lost, busy, fine], { clock })
    await run()
    expect(asked).toHaveLength(3)
    expect(events).toEqual([
      { type: 'request', ...about, attempt: 1 },
      { type: 'response', ...about, attempt: 1, durationMs: 70 },
      { type: 'retry', ...about, attempt: 1, code: 'connection', delayMs: 250 },
      { type: 'request', ...about, attempt: 2 },
      { type: 'response', ...about, attempt: 2, status: 503, durationMs: 0, requestId: undefined },
      { type: 'retry', ...about, attempt: 2, code: 'oauth_error', delayMs: 4500 },
      { type: 'request', ...about, attempt: 3 },
      { type: 'response', ...about, attempt: 3, status: 200, durationMs: 0, requestId: undefined },
    ])
    expect(clock.trueMs).toBe(5000 + 70 + 250 + 4500)
  })

  test.each([
    ['a word that may pass', { status: 400, json: { error: 'temporarily_unavailable' } }, 3],
    ['another word, whatever the status', { status: 503, json: { error: 'invalid_request' } }, 1],
    ['a status that may pass', { status: 429, text: '' }, 3],
    ['another status', { status: 501, text: '' }, 1],
    ['a redirect', { status: 307, text: '' }, 1],
  ])('follow what may pass: %s', async (_, step, attempts) => {
    const { run, asked } = request([step])
    await failure(run())
    expect(asked).toHaveLength(attempts)
  })

  test('end where the time of the call does not hold the wait; one that just fits is waited', async () => {
    const busy = (seconds: number): Step => ({
      status: 503,
      headers: { 'retry-after': String(seconds) },
      text: '',
    })
    const fits = request([busy(9), fine], { timeoutMs: 9501 })
    await fits.run()
    expect(fits.clock.trueMs).toBe(9500)
    const late = request([busy(9), fine], { timeoutMs: 9500 })
    expect(await failure(late.run())).toMatchObject({
      code: 'server_error',
      retryAfterMs: 9000,
      attempts: 1,
    })
    expect(late.clock.trueMs).toBe(0)
  })

  test('have what is left of the call’s time, and no less than a moment', async () => {
    const clock = new HandClock()
    const slow =
      (ms: number): Step =>
      () => {
        clock.trueMs += ms
        return { status: 500, text: '' }
      }
    const { run, asked } = request([slow(4000), slow(5499.5), fine], {
      clock,
      timeoutMs: 10_000,
      random: () => 0.5,
    })
    await failure(run())
    expect(asked.map((one) => one.request.headersTimeoutMs)).toEqual([10_000, 5750])
    const even = request([slow(9749), fine], { clock, timeoutMs: 10_000 })
    await even.run()
    expect(even.asked.map((one) => one.request.headersTimeoutMs)).toEqual([10_000, 1])
  })

  test.each<[string, Step[], string, number]>([
    ['nothing left', [fails('ECONNREFUSED', 'connect')], 'no', 3],
    [
      'the last one may have arrived',
      [fails('ECONNREFUSED', 'connect'), fails('ECONNRESET', 'read')],
      'unknown',
      3,
    ],
    [
      'an earlier one may have arrived',
      [fails('ECONNRESET', 'read'), fails('ECONNREFUSED', 'connect')],
      'unknown',
      3,
    ],
    ['a certificate is none to repeat', [fails('CERT_HAS_EXPIRED')], 'no', 1],
    [
      'a certificate after a loss',
      [fails('ECONNRESET', 'read'), fails('CERT_HAS_EXPIRED')],
      'unknown',
      2,
    ],
  ])(
    'that all fail say whether the request may have arrived: %s',
    async (_, steps, sent, attempts) => {
      const { run } = request(steps)
      expect(await failure(run())).toMatchObject({ code: 'connection', sent, attempts })
    },
  )
})

describe('a signer that takes its time', () => {
  const exchangeWith = (
    signer: () => Promise<typeof testSigner>,
    options: Partial<OAuthOptions>,
  ) => {
    const { transport, asked } = scripted({ json: {} })
    const exchange = new TokenExchange(
      { client_id: 'app', subject_token_type },
      { authUrl: 'https://auth.ci.example', transport, signer, ...options },
    )
    return {
      asked,
      run: () => exchange.exchange({ subject_token: 'ada@acme.example', audience: 'acme' }),
    }
  }

  test('longer than the call may ends it, and nothing was sent', async () => {
    const { run, asked } = exchangeWith(() => new Promise(() => {}), { timeoutMs: 20 })
    expect(await failure(run())).toMatchObject({
      code: 'timeout',
      kind: 'total',
      sent: 'no',
      attempts: 0,
    })
    expect(asked).toHaveLength(0)
  })

  test('a timeoutMs for one call is that call’s limit', async () => {
    const { transport } = scripted(never)
    const exchange = new TokenExchange(
      { client_id: 'app', subject_token_type },
      { authUrl: 'https://auth.ci.example', transport, signer: testSigner },
    )
    const params = { subject_token: 'ada@acme.example', audience: 'acme' }
    const seen: string[] = []
    const error = await failure(
      exchange.exchange(params, { timeoutMs: 300, onEvent: ({ type }) => seen.push(type) }),
    )
    expect(error).toMatchObject({ code: 'timeout', timeoutMs: 300 })
    expect(seen).toEqual(['request', 'response'])
    expect(await failure(exchange.exchange(params, { timeoutMs: -1 }))).toMatchObject({
      option: 'timeoutMs',
    })
  })
})

const authUrl = 'https://auth.ci.example'
const params = { client_id: 'cli', scope: 'read_builds' }

test.each([
  [undefined, /^buildwire-sdk\/\d+\.\d+\.\d+$/],
  ['my-app/2', /^my-app\/2 buildwire-sdk\/\d/],
])('with userAgent %j the OAuth endpoints see %s', async (userAgent, expected) => {
  const { transport, asked } = scripted(refusal('invalid_client'))
  await rejection(requestDeviceAuthorization(params, { authUrl, transport, userAgent }))
  expect(asked[0]?.request.headers['user-agent']).toMatch(expected)
})
