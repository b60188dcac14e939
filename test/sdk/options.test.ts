import { getEventListeners } from 'node:events'
import {
  CiClient,
  refreshingTokenProvider,
  requestDeviceAuthorization,
  TokenExchange,
  undiciTransport,
  waitForBuild,
} from '@buildwire/sdk'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { redisTokenStore } from '@buildwire/sdk/redis'
import { describe, expect, test } from 'vitest'
import { pending, startLogin } from './oauth/support/device.js'
import { buildPath, client, rejection } from './support/client.js'
import { build, json, serve } from './support/server.js'

const authUrl = 'https://auth.ci.example'
const subject_token_type = 'urn:buildwire:params:oauth:token-type:user-email'
const signer = { alg: 'ES256', sign: async () => new Uint8Array(64) } as const
const tokens = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer' }
const redis = { get: async () => null, set: async () => 'OK', eval: async () => 1 }

type Make = (options: object | undefined) => unknown

/** Everything that takes options, with what it needs besides. */
const makers = {
  CiClient: (options) => new CiClient({ baseUrl: 'https://api.ci.example', ...options }),
  TokenExchange: (options) =>
    new TokenExchange({ client_id: 'app', subject_token_type }, { authUrl, signer, ...options }),
  refreshingTokenProvider: (options) =>
    refreshingTokenProvider({ client_id: 'app', tokens } as never, { authUrl, ...options }),
  requestDeviceAuthorization: (options) =>
    requestDeviceAuthorization({ client_id: 'app', scope: 'read_builds' }, { authUrl, ...options }),
  redisTokenStore: (options) =>
    redisTokenStore({ client: redis, encryptionKey: new Uint8Array(32), ...options }),
  undiciTransport: (options) => undiciTransport(options as never),
  nodeTransport: (options) => nodeTransport(options as never),
} satisfies Record<string, Make>

/** What making it throws or rejects with. */
async function refusal(make: () => unknown): Promise<unknown> {
  try {
    return await make()
  } catch (error) {
    return error
  }
}

const sleepless = { now: () => 0, monotonic: () => 0 }
const noFunctions: object[] = [null, 'text', 5, {}].flatMap((value) => [
  { onEvent: value },
  { random: value },
])
const noClocks: object[] = [null, {}, Date.now, sleepless].map((clock) => ({ clock }))
const noFlags: object[] = [null, 'false', 1].map((allowInsecure) => ({ allowInsecure }))
const noTravel: object[] = [{ transport: {} }, { dispatcher: {} }, { userAgent: 'line\nbreak' }]
const noTimes: object[] = [0, -1, Number.NaN, '5', null].map((connectTimeoutMs) => ({
  connectTimeoutMs,
}))

const wrong: Record<keyof typeof makers, readonly object[]> = {
  CiClient: [
    ...noFunctions,
    ...noClocks,
    ...noFlags,
    ...noTravel,
    { timeouts: 5_000 },
    { timeouts: null },
    ...[0, Number.NaN, '5'].map((timeoutMs) => ({ timeoutMs })),
    { maxRetries: -1 },
    { maxRetries: 1.5 },
    { maxRetryAfterMs: -1 },
    { maxBodyBytes: 0 },
    { auth: {} },
    { auth: 5 },
    { middleware: [null] },
  ],
  TokenExchange: [
    ...noFunctions,
    ...noClocks,
    ...noFlags,
    ...noTravel,
    { jti: 'always-the-same' },
    { store: {} },
    { store: { get: async () => null, set: async () => {} } },
    ...[null, {}, { sign: 'no' }].map((signer) => ({ signer })),
  ],
  refreshingTokenProvider: [
    ...noFunctions,
    ...noClocks,
    ...noFlags,
    { store: { load: async () => null } },
  ],
  requestDeviceAuthorization: [
    ...noFunctions,
    ...noClocks,
    ...noFlags,
    ...noTravel,
    { signal: {} },
    { signal: null },
    { timeoutMs: 0 },
  ],
  redisTokenStore: [
    ...noClocks,
    { random: 5 },
    { keyPrefix: 5 },
    { operationTimeoutMs: 0 },
    { lockTtlMs: -1 },
    ...[null, undefined, { get: redis.get, set: redis.set }].map((client) => ({ client })),
  ],
  undiciTransport: noTimes,
  nodeTransport: noTimes,
}

const rows = Object.entries(wrong).flatMap(([name, given]) =>
  given.map((options) => [name, options, Object.keys(options)[0]] as const),
)

test.each(rows)('%s refuses %j with a ConfigError that names it', async (name, options, option) => {
  const error = await refusal(() => makers[name as keyof typeof makers](options))
  expect(error).toMatchObject({ name: 'ConfigError', code: 'config', option })
  expect(error).toMatchObject({ message: expect.stringContaining(`${option} must `) })
})

describe('options of a call', () => {
  test.each<[string, object | null]>([
    ['options', null],
    ['signal', { signal: {} }],
    ['onEvent', { onEvent: 'log' }],
  ])(
    'a wrong %s (%j) is refused by exchange and poll, and leaves nothing on a signal',
    async (option, given) => {
      const { signal } = new AbortController()
      const wrongly = given === null ? given : { signal, ...given }
      const exchange = new TokenExchange(
        { client_id: 'app', subject_token_type },
        { authUrl, signer },
      )
      const params = { subject_token: 'ada@acme.example', audience: 'acme' }
      const { device, asked } = await startLogin([pending])
      for (const call of [
        () => exchange.exchange(params, wrongly as never),
        () => device.poll(wrongly as never),
      ]) {
        expect(await rejection(call())).toMatchObject({ code: 'config', option })
        expect(getEventListeners(signal, 'abort')).toEqual([])
      }
      expect(asked).toHaveLength(1)
    },
  )

  test.each<[string, object | null]>([
    ['options', null],
    ['signal', { signal: {} }],
    ['signal', { signal: null }],
    ['signal', { signal: new AbortController() }],
    ['onEvent', { onEvent: 'log' }],
    ['timeoutMs', { timeoutMs: 0 }],
  ])('a wrong %s (%j) is refused before anything is sent', async (option, given) => {
    const server = await serve((response) => json(response, 200, build(42)))
    const ci = client(server.url)
    const calls = [
      () => ci.builds.get(buildPath, given as never),
      () => ci.builds.list({}, given as never),
      () => ci.request({ method: 'GET', path: '/v2/builds' }, given as never),
    ]
    for (const call of calls)
      expect(await rejection(call())).toMatchObject({ code: 'config', option })
    expect(server.requests).toEqual([])
  })

  test.each<[string, object]>([
    ['until', { until: 'finish' }],
    ['onBlocked', { onBlocked: 'skip' }],
    ['pollIntervalMs', { pollIntervalMs: 10 }],
    ['signal', { signal: {} }],
  ])(
    'waitForBuild refuses a wrong %s instead of waiting for something else',
    async (option, given) => {
      const server = await serve((response) => json(response, 200, build(42, { state: 'passed' })))
      const error = await rejection(waitForBuild(client(server.url), buildPath, given as never))
      expect(error).toMatchObject({ code: 'config', option })
      expect(server.requests).toEqual([])
    },
  )
})
