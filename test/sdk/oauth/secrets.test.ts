import {
  type CiEvent,
  createSigner,
  ecdsaDerToJose,
  generateSigningKey,
  refreshingTokenProvider,
  requestDeviceAuthorization,
  staticToken,
  TokenExchange,
  TokenSet,
} from '@buildwire/sdk'
import { redisTokenStore } from '@buildwire/sdk/redis'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import { printed } from '../support/secrets.js'
import { deviceAnswer } from './support/device.js'
import { ada, subject_token_type } from './support/exchange.js'
import { failure } from './support/failure.js'
import {
  type Asked,
  fails,
  never,
  type Reply,
  type Step,
  scripted,
} from './support/scripted-transport.js'

const secrets = {
  client_secret: 'canary-client-secret',
  device_code: 'canary-device-code',
  refresh_token: 'canary-refresh-token',
  access_token: 'canary-access-token',
}

/** A hostile server: it puts everything that it was sent into its answer. */
const echo =
  (status: number, shape: (text: string) => Reply) =>
  ({ request, form }: Asked): Reply => ({
    status,
    ...shape(`${request.body} ${[...form.values()].join(' ')}`),
  })

const shapes: readonly [string, Step][] = [
  [
    'an OAuth error that echoes',
    echo(400, (text) => ({ json: { error: 'invalid_grant', error_description: text } })),
  ],
  ['an error word that echoes', echo(400, (text) => ({ json: { error: text } }))],
  [
    'a client error that echoes',
    echo(401, (text) => ({ json: { error: 'invalid_client', error_description: text } })),
  ],
  [
    'a message that echoes',
    echo(403, (text) => ({ json: { message: text, nested: { [text]: [text] } } })),
  ],
  [
    'HTML that echoes',
    echo(500, (text) => ({ headers: { 'content-type': 'text/html' }, text: `<p>${text}` })),
  ],
  ['a success that is a text', echo(200, (text) => ({ text }))],
  [
    'a success with a bad token',
    echo(200, (text) => ({ json: { access_token: text, token_type: text, expires_in: text } })),
  ],
  ['a rate limit that echoes', echo(429, (text) => ({ json: { message: text, scope: text } }))],
  [
    'a redirect that echoes',
    echo(307, (text) => ({
      headers: { location: `https://evil.example/?${encodeURIComponent(text)}` },
    })),
  ],
  [
    'a request id that echoes',
    echo(404, (text) => ({ headers: { 'x-request-id': text }, text: '' })),
  ],
  ['a reset', fails('ECONNRESET', 'read')],
  ['a refusal to connect', fails('ECONNREFUSED', 'connect')],
  ['a certificate', fails('CERT_HAS_EXPIRED')],
  [
    'a transport error that holds the request',
    ({ request }) => {
      throw Object.assign(new Error(`failed: ${request.body} ${request.url}`), {
        request,
        headers: request.headers,
      })
    },
  ],
  ['silence', never],
]

function clean(values: readonly unknown[], canaries: readonly string[]): void {
  const text = values.map(printed).join('\n')
  for (const canary of canaries) {
    expect(text).not.toContain(canary)
    expect(text).not.toContain(encodeURIComponent(canary))
  }
}

describe('S1 canary secrets are found nowhere', () => {
  const authUrl = 'https://auth.ci.example'
  const { client_secret, device_code, refresh_token, access_token } = secrets
  const params = { client_id: 'cli', client_secret, scope: 'read_builds' }

  /** Options of a flow that is answered by the steps, and what it tells. */
  function watched(...steps: Step[]) {
    const { transport, asked } = scripted(...steps)
    const events: CiEvent[] = []
    const clock = new HandClock()
    const onEvent = (event: CiEvent): void => void events.push(event)
    return { options: { authUrl, transport, clock, timeoutMs: 150, onEvent }, asked, events, clock }
  }

  test.each(shapes)('device login, %s', async (_, step) => {
    const { options, events } = watched(
      { json: { ...deviceAnswer, device_code, expires_in: 20 } },
      step,
    )
    const device = await requestDeviceAuthorization(params, options)
    clean([await failure(device.poll()), device, ...events], Object.values(secrets))
  })

  test.each(shapes)('device authorization request, %s', async (_, step) => {
    const { options, events } = watched(step)
    clean(
      [await failure(requestDeviceAuthorization(params, options)), ...events],
      Object.values(secrets),
    )
  })

  test.each(shapes)('refresh, %s', async (_, step) => {
    const { options, events, clock } = watched(step)
    const tokens = new TokenSet(
      { access_token, refresh_token, token_type: 'Bearer', expires_in: 1 },
      clock.now(),
    )
    const provider = refreshingTokenProvider({ client_id: 'cli', client_secret, tokens }, options)
    clock.trueMs += 60_000
    const error = await failure(provider.getToken())
    clean(
      [error, await failure(provider.getToken()), provider, tokens, ...events],
      Object.values(secrets),
    )
  })

  test.each(shapes)('token exchange, %s', async (_, step) => {
    const key = await generateSigningKey({ alg: 'ES256' })
    const { options, asked, events } = watched(step)
    const client = { client_id: 'release-bot', subject_token_type }
    const exchange = new TokenExchange(client, { ...options, signer: key.signer, timeoutMs: 600 })
    const provider = exchange.tokenProvider(ada)
    const error = await failure(exchange.exchange(ada))
    const assertions = asked.map(({ form }) => form.get('client_assertion') ?? '')
    const values = [
      error,
      await failure(provider.getToken()),
      exchange,
      provider,
      key.signer,
      ...events,
    ]
    clean(values, [...assertions, key.revealPem().split('\n')[1] ?? '', key.revealJwk().d ?? ''])
    expect(assertions[0]).toMatch(/^ey/)
  })

  test('tokens, providers and stores print without their secrets', async () => {
    const tokens = new TokenSet(
      { access_token, refresh_token, token_type: 'Bearer', expires_in: 60 },
      0,
    )
    const provider = staticToken(access_token)
    const store = redisTokenStore({
      client: { get: async () => null, set: async () => null, eval: async () => null },
      encryptionKey: 'canary-encryption-key-of-32-bytes',
    })
    const token = await provider.getToken()
    clean(
      [tokens, { ...tokens }, provider, token, { ...token }, store],
      [...Object.values(secrets), 'canary-encryption-key'],
    )
    expect(`${tokens} ${token}`).toBe('[redacted] [redacted]')
    expect(tokens.reveal()).toMatchObject({ access_token, refresh_token })
  })

  test('ConfigErrors do not echo what they refuse', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${client_secret}\n-----END PRIVATE KEY-----`
    const errors = [
      await failure(createSigner({ key })),
      await failure((async () => staticToken(`${access_token}\n`))()),
      await failure((async () => ecdsaDerToJose(new TextEncoder().encode(access_token)))()),
      await failure(requestDeviceAuthorization({ ...params, client_id: '' }, { authUrl })),
    ]
    clean(errors, Object.values(secrets))
    for (const error of errors) expect(error).toMatchObject({ code: 'config' })
  })
})
