import {
  type DeviceAuthorization,
  generateSigningKey,
  refreshingTokenProvider,
  requestDeviceAuthorization,
  TokenExchange,
  type Transport,
  undiciTransport,
} from '@buildwire/sdk'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import { failure } from './support/failure.js'
import { ForeignServer } from './support/foreign-server.js'

// oidc-provider warns that it runs over http and keeps its state in memory.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
})
afterAll(() => {
  vi.restoreAllMocks()
})

/** Real sockets; before the poll number `poll` something happens at the server. */
function transportWith(poll: number, before: () => Promise<void>): Transport {
  const inner = undiciTransport()
  let polls = 0
  return async (request, options) => {
    if (request.body?.includes('device_code=') && ++polls === poll) await before()
    return inner(request, options)
  }
}

describe('device login at oidc-provider', () => {
  test.each([
    ['a public client', { client_id: 'cli' }],
    ['a confidential client', { client_id: 'kiosk', client_secret: 'kiosk-secret' }],
  ])('%s gets a token after three polls, and renews it', async (_, client) => {
    await using server = await ForeignServer.start()
    const { authUrl } = server
    let device: DeviceAuthorization | undefined
    const transport = transportWith(3, () =>
      server.approve(device?.user_code ?? '', client.client_id),
    )
    const clock = new HandClock({ start: Date.now() })
    const options = { authUrl, transport, clock }
    device = await requestDeviceAuthorization(
      { ...client, scope: 'openid offline_access' },
      options,
    )
    expect(device.interval).toBe(5)
    expect(device.verification_uri).toBe(`${authUrl}/oauth/device`)
    const tokens = await device.poll()
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      scope: 'openid offline_access',
      expires_in: 3600,
    })
    expect(clock.trueMs).toBeGreaterThan(15_000)

    const provider = refreshingTokenProvider({ ...client, tokens }, options)
    clock.trueMs += 3_600_000
    const renewed = await provider.getToken()
    expect(renewed.value).not.toBe(tokens.access_token)
    clock.trueMs += 3_600_000
    expect((await provider.getToken()).value).not.toBe(renewed.value)
  })

  test('a refusal by the user, and a code that is used twice', async () => {
    await using server = await ForeignServer.start()
    const { authUrl } = server
    let device: DeviceAuthorization | undefined
    const clock = new HandClock()
    const transport = transportWith(2, () => server.deny(device?.user_code ?? ''))
    device = await requestDeviceAuthorization(
      { client_id: 'cli', scope: 'openid' },
      { authUrl, transport, clock },
    )
    expect(await failure(device.poll())).toMatchObject({
      code: 'device_authorization',
      error: 'access_denied',
      local: false,
    })
  })

  test('an unknown client', async () => {
    await using server = await ForeignServer.start()
    const params = { client_id: 'nobody', scope: 'openid' }
    const error = await failure(requestDeviceAuthorization(params, { authUrl: server.authUrl }))
    expect(error).toMatchObject({ code: 'oauth_error', error: 'invalid_client' })
  })
})

describe('client assertions at oidc-provider', () => {
  const params = {
    subject_token: 'ada+ci@acme.example',
    audience: 'acme',
    scope: 'read_builds',
    expires_in: 120,
  }
  const subject_token_type = 'urn:buildwire:params:oauth:token-type:user-email'

  test.each(['RS256', 'ES256'] as const)(
    '%s: the server verifies the assertion and reads the form as it was meant',
    async (alg) => {
      const { signer } = await generateSigningKey({ alg, modulusLength: 2048 })
      await using server = await ForeignServer.start([signer])
      const exchange = new TokenExchange(
        { client_id: `bot-${alg}`, subject_token_type },
        { authUrl: server.authUrl, signer },
      )
      const tokens = await exchange.exchange(params)
      const said = Buffer.from(tokens.access_token, 'base64url').toString('utf8')
      expect(said).toBe(`bot-${alg} ada+ci@acme.example acme`)
      expect(tokens).toMatchObject({ expires_in: 120, scope: 'read_builds user-email' })
      const provider = exchange.tokenProvider(params)
      expect(await provider.getToken()).toBe(await provider.getToken())
    },
  )

  test('a foreign key, another aud and a repeated jti are invalid_client', async () => {
    const [known, foreign] = await Promise.all([
      generateSigningKey({ alg: 'ES256' }),
      generateSigningKey({ alg: 'ES256' }),
    ])
    await using server = await ForeignServer.start([known.signer])
    const { authUrl } = server
    const client = { client_id: 'bot-ES256', subject_token_type }
    const attempts = [
      new TokenExchange(client, { authUrl, signer: foreign.signer }),
      new TokenExchange(client, {
        authUrl,
        signer: known.signer,
        aud: 'https://elsewhere.example/oauth/token',
      }),
    ]
    for (const exchange of attempts)
      expect(await failure(exchange.exchange(params))).toMatchObject({ error: 'invalid_client' })
    const repeating = new TokenExchange(client, {
      authUrl,
      signer: known.signer,
      jti: () => 'once',
    })
    await repeating.exchange(params)
    expect(await failure(repeating.exchange(params))).toMatchObject({ error: 'invalid_client' })
  })
})
