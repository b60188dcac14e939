import {
  CiClient,
  type DeviceAuthorization,
  generateSigningKey,
  refreshingTokenProvider,
  requestDeviceAuthorization,
  TokenExchange,
  type TokenExchangeOptions,
  type TokenResponse,
} from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import { subject_token_type } from './support/exchange.js'
import { failure } from './support/failure.js'
import { ReferenceServer, startedAt } from './support/reference-server.js'

const ada = { subject_token: 'ada@acme.example', audience: 'acme' }

function login(
  reference: ReferenceServer,
  client: { client_id: string; client_secret?: string } = { client_id: 'cli' },
): Promise<DeviceAuthorization> {
  const { authUrl, transport, clock } = reference
  return requestDeviceAuthorization(
    { ...client, scope: ['read_builds', 'read_user'] },
    { authUrl, transport, clock },
  )
}

describe('device login at the reference server', () => {
  test('an approval after 590 of 600 s is a token, without waiting for it, and no poll was ever too fast', async () => {
    await using reference = new ReferenceServer()
    const started = process.hrtime.bigint()
    const device = await login(reference)
    const polling = device.poll()
    await reference.clock.advance(590_000)
    await reference.approve(device.user_code)
    await reference.clock.advance(10_000)
    const tokens = await polling
    expect(Number(process.hrtime.bigint() - started) / 1e9).toBeLessThan(60)
    expect(tokens.scope).toBe('read_builds read_user')
    expect(tokens.expiresAt).toBeNull()
    expect(reference.count('/oauth/token')).toBeGreaterThan(100)
    const { authUrl: baseUrl, transport } = reference
    const ci = new CiClient({ baseUrl, auth: tokens.access_token, transport })
    expect((await ci.user.get()).email).toBe('ada@acme.example')
  })

  test('the user does not answer: expired_token at the end of 600 s, without a slow_down on the way', async () => {
    await using reference = new ReferenceServer()
    const device = await login(reference)
    const slow: string[] = []
    const polling = failure(
      device.poll({ onEvent: (event) => event.type === 'device' && slow.push(event.kind) }),
    )
    await reference.clock.advance(601_000)
    expect(await polling).toMatchObject({ code: 'device_authorization', error: 'expired_token' })
    expect(slow).not.toContain('slow_down')
  })

  test('another client polls the same code: every slow_down is obeyed, and the login succeeds', async () => {
    await using reference = new ReferenceServer()
    const device = await login(reference)
    const kinds: string[] = []
    const polling = device.poll({
      onEvent: (event) => event.type === 'device' && kinds.push(event.kind),
    })
    await reference.clock.advance(6000)
    const form = reference.seen.at(-1)?.form
    for (let round = 0; round < 3; round++) {
      await reference.clock.advance(4000)
      const { authUrl, server } = reference
      await server.fetch(
        new Request(`${authUrl}/oauth/token`, { method: 'POST', body: form ?? null }),
      )
    }
    await reference.clock.advance(100_000)
    await reference.approve(device.user_code)
    await reference.clock.advance(100_000)
    expect((await polling).access_token).toMatch(/^bwua_/)
    expect(kinds).toContain('slow_down')
  })
})

describe('token exchange at the reference server', () => {
  const exchangeAt = (
    { authUrl, transport, clock }: ReferenceServer,
    options: Pick<TokenExchangeOptions, 'signer' | 'clock'>,
  ) =>
    new TokenExchange(
      { client_id: 'release-bot', subject_token_type },
      { authUrl, transport, clock, ...options },
    )

  test.each(['RS256', 'ES256'] as const)(
    '%s: one token per user, which acts as that user',
    async (alg) => {
      const key = await generateSigningKey({ alg, modulusLength: 2048 })
      await using reference = new ReferenceServer([key.signer])
      const { authUrl: baseUrl, transport, clock } = reference
      const exchange = exchangeAt(reference, { signer: key.signer })
      const client = (name: string) => {
        const subject_token = `${name}@acme.example`
        const auth = exchange.tokenProvider({
          subject_token,
          audience: 'acme',
          scope: ['read_user', 'read_builds'],
        })
        return new CiClient({ baseUrl, transport, clock, auth })
      }
      for (const name of ['ada', 'bob', 'ada']) {
        expect((await client(name).user.get()).email).toBe(`${name}@acme.example`)
      }
      expect(reference.count('/oauth/token')).toBe(2)
      const tokens = await exchange.exchange({ ...ada, scope: 'read_builds', expires_in: 60 })
      expect(tokens).toMatchObject({
        scope: 'read_builds',
        expires_in: 60,
        expiresAt: clock.now() + 60_000,
      })
      expect(tokens.access_token).toMatch(/^bwtx_/)
    },
  )

  test('T3 the server ends token 1 early: ten parallel requests get 401, one exchange, ten successes', async () => {
    const key = await generateSigningKey({ alg: 'ES256' })
    await using reference = new ReferenceServer([key.signer])
    const { authUrl, transport } = reference
    const clock = new HandClock({ start: Date.parse(startedAt) })
    const exchange = exchangeAt(reference, { signer: key.signer, clock })
    const auth = exchange.tokenProvider({ ...ada, scope: ['read_builds'] })
    const ci = new CiClient({ baseUrl: authUrl, transport, clock, auth })
    await ci.builds.list()
    await reference.clock.advance(3_601_000)
    const before = reference.seen.length
    const pages = await Promise.all(Array.from({ length: 10 }, async () => await ci.builds.list()))
    expect(pages.every(({ items }) => items.length === 1)).toBe(true)
    const after = reference.seen.slice(before)
    expect(
      after.filter(({ path, status }) => path === '/v2/builds' && status === 401),
    ).not.toHaveLength(0)
    // The client's clock is now an hour behind: the first assertion is refused, the second carries
    // the learned offset.
    expect(after.filter(({ path }) => path === '/oauth/token').map(({ status }) => status)).toEqual(
      [400, 200],
    )
    await exchange.exchange(ada)
    expect(reference.seen.at(-1)?.status).toBe(200)
  })

  test('rotation: both published keys serve, a key that is not published is refused with the reason', async () => {
    const [old, next, foreign] = await Promise.all(
      [1, 2, 3].map(() => generateSigningKey({ alg: 'ES256' })),
    )
    if (old === undefined || next === undefined || foreign === undefined)
      throw new Error('three keys')
    await using reference = new ReferenceServer([old.signer, next.signer])
    let current = old.signer
    const exchange = exchangeAt(reference, { signer: () => current })
    await exchange.exchange(ada)
    current = next.signer
    await exchange.exchange(ada)
    current = foreign.signer
    expect(await failure(exchange.exchange(ada))).toMatchObject({
      error: 'invalid_client',
      advice: expect.stringContaining('public half'),
    })
  })

  test.each([
    [
      'a subject that is not a member',
      { ...ada, subject_token: 'eve@acme.example' },
      'invalid_request',
    ],
    ['an audience that is not a slug', { ...ada, audience: 'Acme' }, 'invalid_target'],
    [
      'an organization without token exchange',
      { ...ada, audience: 'off' },
      'unsupported_grant_type',
    ],
    ['a scope outside the grantable ones', { ...ada, scope: 'write_suites' }, 'invalid_scope'],
  ])('%s is %s with a hint', async (_, params, word) => {
    const key = await generateSigningKey({ alg: 'ES256' })
    await using reference = new ReferenceServer([key.signer])
    const refused = await failure(exchangeAt(reference, { signer: key.signer }).exchange(params))
    expect(refused).toMatchObject({ error: word, advice: expect.any(String) })
  })
})

describe('refresh at the reference server', () => {
  test('a rotating login goes on for a day; two processes with one store never present a used token', async () => {
    await using reference = new ReferenceServer()
    const { authUrl, transport, clock } = reference
    const device = await login(reference, { client_id: 'renewing' })
    await reference.approve(device.user_code)
    const polling = device.poll()
    await clock.advance(6000)
    const tokens = await polling
    expect(tokens.refresh_token).toMatch(/^bwrt_/)

    let saved: TokenResponse | null = null
    let tail: Promise<unknown> = Promise.resolve()
    const store = {
      load: async () => saved,
      save: async (next: TokenResponse) => {
        saved = next
      },
      withLock: <T>(run: () => Promise<T>): Promise<T> => {
        const result = tail.then(run)
        tail = result.catch(() => {})
        return result
      },
    }
    const clients = [0, 1].map(() => {
      const auth = refreshingTokenProvider(
        { client_id: 'renewing', tokens },
        { authUrl, transport, clock, store },
      )
      return new CiClient({ baseUrl: authUrl, transport, clock, auth })
    })
    for (let quarter = 0; quarter < 96; quarter++) {
      await clock.advance(900_000)
      const users = await Promise.all(clients.map((ci) => ci.user.get()))
      expect(users.map(({ email }) => email)).toEqual(['ada@acme.example', 'ada@acme.example'])
    }
    expect(reference.count('/oauth/token', 'refresh_token')).toBe(96)
    expect(
      reference.seen.some(
        ({ path, status }) => path === '/oauth/token' && status !== 200 && status !== 400,
      ),
    ).toBe(false)
  })
})
