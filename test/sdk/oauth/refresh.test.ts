import { refreshingTokenProvider, type TokenResponse, TokenSet } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from '../support/hand-clock.js'
import { failure } from './support/failure.js'
import { login, next, rotating, SharedStore, scene } from './support/refresh.js'
import { fails, never, type Reply, refusal, scripted } from './support/scripted-transport.js'

describe('refreshing a login', () => {
  test('serves the token while it is fresh, renews it before its end, and asks as RFC 6749 §6 says', async () => {
    const { provider, asked, clock, events } = scene([next(2)])
    expect((await provider.getToken()).value).toBe('bwua_access1')
    clock.trueMs += 85_000
    expect((await provider.getToken()).value).toBe('bwua_access1')
    await settle()
    const token = await provider.getToken()
    expect(token).toMatchObject({
      value: 'bwua_access2',
      expiresAt: clock.now() + 100_000,
      scope: 'read_builds',
    })
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: 'cli',
      client_secret: 'secret-canary',
    })
    expect(asked[0]?.request.freshConnection).toBe(true)
    expect(events.some(({ type }) => type === 'store_error')).toBe(false)
  })

  test('many callers are one refresh', async () => {
    const { provider, asked, clock } = scene([next(2)])
    const { getToken } = provider
    clock.trueMs += 200_000
    const tokens = await Promise.all(Array.from({ length: 100 }, () => getToken()))
    expect(new Set(tokens.map(({ value }) => value))).toEqual(new Set(['bwua_access2']))
    expect(asked).toHaveLength(1)
  })

  test('a stored answer keeps its end: reveal() carries it', async () => {
    const clock = new HandClock()
    const stored = new TokenSet(login(1), clock.now()).reveal()
    clock.trueMs += 200_000
    const { provider, asked } = scene([next(2)], { clock, tokens: stored })
    expect((await provider.getToken()).value).toBe('bwua_access2')
    expect(asked).toHaveLength(1)
  })

  test('an answer without a refresh_token keeps the old one', async () => {
    const { provider, asked, clock } = scene([next(2, { refresh_token: undefined }), next(3)])
    for (let round = 0; round < 2; round++) {
      clock.trueMs += 200_000
      await provider.getToken()
    }
    expect(asked.map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1', 'refresh-1'])
  })
})

describe('who is refreshed', () => {
  const authUrl = 'https://auth.ci.example'
  const renewed = async (params: object) => {
    const clock = new HandClock()
    const { transport, asked } = scripted(next(2))
    const given = { client_id: 'cli', tokens: login(1), ...params }
    const provider = refreshingTokenProvider(given, { authUrl, transport, clock })
    clock.trueMs += 200_000
    await provider.getToken()
    return asked[0]?.form
  }

  test('a public client has no secret to send', async () => {
    expect([...((await renewed({})) ?? [])].map(([name]) => name)).toEqual([
      'grant_type',
      'refresh_token',
      'client_id',
    ])
    const { transport } = scripted(refusal('invalid_client', 'Unknown client'))
    const tokens = login(1, { expiresAt: 0 })
    const provider = refreshingTokenProvider({ client_id: 'cli', tokens }, { authUrl, transport })
    expect(await failure(provider.getToken())).toMatchObject({ serverMessage: 'Unknown client' })
  })

  test.each([
    ['client_id', { client_id: '' }],
    ['client_secret', { client_secret: '' }],
    ['tokens', { tokens: { ...login(1), refresh_token: '' } }],
    ['tokens', { tokens: { ...login(1), refresh_token: 7 } }],
    ['tokens', { tokens: undefined }],
  ])('an unusable %s is refused at once', (option, change) => {
    const params = { client_id: 'cli', tokens: login(1), ...change } as never
    expect(() => refreshingTokenProvider(params, { authUrl })).toThrow(
      expect.objectContaining({
        code: 'config',
        option,
        message: expect.stringMatching(/non-empty|staticToken/),
      }),
    )
  })

  test('so is an access token that cannot be one, and a store that cannot save', () => {
    const build = (change: Partial<TokenResponse>, store?: unknown) => () =>
      refreshingTokenProvider(
        { client_id: 'cli', tokens: login(1, change) },
        { authUrl, store: store as never },
      )
    expect(build({ access_token: 'a b' })).toThrow(/access_token/)
    expect(build({}, { load: async () => null })).toThrow(/save\(\) is missing/)
  })

  test.each([
    ['that has a moment left is served', 1, 'bwua_access1'],
    ['that ends now is renewed', 0, 'bwua_access2'],
  ])('a stored token %s', async (_, leftMs, value) => {
    const clock = new HandClock()
    const { provider } = scene([next(2)], {
      clock,
      tokens: login(1, { expiresAt: clock.now() + leftMs }),
    })
    expect((await provider.getToken()).value).toBe(value)
  })

  test('a token set is taken as it is; a stored "no end" is one', async () => {
    const clock = new HandClock()
    const tokens = new TokenSet(login(1, { expiresAt: null }), 0)
    const provider = refreshingTokenProvider({ client_id: 'cli', tokens }, { authUrl, clock })
    expect(await provider.getToken()).toMatchObject({
      value: 'bwua_access1',
      expiresAt: null,
      scope: 'read_builds',
    })
  })

  test('an answer without a scope or an end keeps the scope, and the token until it is refused', async () => {
    const { provider, asked, clock } = scene([
      next(2, { scope: undefined, expires_in: undefined }),
      next(3),
    ])
    clock.trueMs += 200_000
    expect(await provider.getToken()).toMatchObject({
      value: 'bwua_access2',
      expiresAt: null,
      scope: 'read_builds',
    })
    clock.trueMs += 1e10
    const token = await provider.getToken()
    provider.invalidate({ value: 'another', expiresAt: null })
    expect(await provider.getToken()).toBe(token)
    expect(asked).toHaveLength(1)
  })

  test('a caller that has left already is told its own reason', async () => {
    const { provider } = scene([])
    expect(await failure(provider.getToken({ signal: AbortSignal.abort('left') }))).toBe('left')
  })
})

describe('with a store', () => {
  test('T11 two processes that refresh the same rotating token are one request; the second adopts what the first saved', async () => {
    const server = rotating()
    const store = new SharedStore(login(1))
    const clock = new HandClock()
    const one = scene([server.step], { store, clock })
    const two = scene([server.step], { store, clock })
    clock.trueMs += 200_000
    const [first, second] = await Promise.all([one.provider.getToken(), two.provider.getToken()])
    expect(first.value).toBe(second.value)
    expect(server.used).toEqual(['refresh-1'])
    expect(one.asked.length + two.asked.length).toBe(1)
    clock.trueMs += 200_000
    await Promise.all([two.provider.getToken(), one.provider.getToken()])
    expect(server.used).toEqual(['refresh-1', 'refresh-2'])
  })

  test('probes the store before it spends the token, and saves before it publishes', async () => {
    const store = new SharedStore(login(1))
    const { provider, clock } = scene([next(2)], { store })
    clock.trueMs += 200_000
    const token = await provider.getToken()
    expect(store.saved.map(({ access_token }) => access_token)).toEqual([
      'bwua_access1',
      'bwua_access2',
    ])
    expect(store.value).toMatchObject({ refresh_token: 'refresh-2', expiresAt: token.expiresAt })
  })

  test('a store that cannot be written costs no refresh token', async () => {
    const store = new SharedStore(login(1))
    store.failSave = true
    const { provider, asked, clock } = scene([next(2)], { store })
    clock.trueMs += 200_000
    expect(await failure(provider.getToken())).toMatchObject({ code: 'ENOSPC' })
    expect(asked).toHaveLength(0)
    store.failSave = false
    expect((await provider.getToken()).value).toBe('bwua_access2')
  })

  test('a store that fails after the rotation costs no login: the token serves, the next renewal saves it first', async () => {
    const store = new SharedStore(login(1))
    const breaking = (): Reply => {
      store.failSave = true
      return next(2)
    }
    const { provider, asked, clock, events } = scene([breaking, next(3)], { store })
    clock.trueMs += 200_000
    expect((await provider.getToken()).value).toBe('bwua_access2')
    expect(events).toContainEqual({ type: 'store_error', action: 'set', code: 'ENOSPC' })
    store.failSave = false
    clock.trueMs += 200_000
    expect((await provider.getToken()).value).toBe('bwua_access3')
    expect(asked.map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1', 'refresh-2'])
    expect(store.saved.map(({ refresh_token }) => refresh_token)).toEqual([
      'refresh-1',
      'refresh-2',
      'refresh-3',
    ])
  })
})

describe('losses and refusals', () => {
  test('while the access token is usable a loss is not seen', async () => {
    const { provider, asked, clock } = scene([fails('ECONNRESET', 'read'), next(2)], {
      tokens: login(1, { expires_in: 1000 }),
    })
    clock.trueMs += 850_000
    for (let call = 0; call < 5; call++) {
      expect((await provider.getToken()).value).toBe('bwua_access1')
      await settle()
    }
    expect(asked).toHaveLength(1)
    clock.trueMs += 31_000
    await provider.getToken()
    await settle()
    expect((await provider.getToken()).value).toBe('bwua_access2')
  })

  test('a refresh that hangs ends at the limit and is a loss', async () => {
    const { provider, asked, clock } = scene([never, next(2)], { timeoutMs: 250 })
    clock.trueMs += 200_000
    expect(await failure(provider.getToken())).toMatchObject({
      code: 'timeout',
      kind: 'total',
      timeoutMs: 250,
      sent: 'unknown',
    })
    expect(await failure(provider.getToken())).toMatchObject({ code: 'timeout' })
    expect(asked).toHaveLength(1)
    clock.trueMs += 30_100
    expect((await provider.getToken()).value).toBe('bwua_access2')
  })

  test('invalid_grant looks into the store once more and adopts another login', async () => {
    const store = new SharedStore(login(1))
    const stolen = (): Reply => {
      store.value = login(7)
      return refusal('invalid_grant', 'Invalid refresh token')
    }
    const { provider, asked, clock } = scene([stolen], { store })
    clock.trueMs += 200_000
    expect((await provider.getToken()).value).toBe('bwua_access7')
    expect(asked).toHaveLength(1)
  })

  test('invalid_grant without another login ends it: hint "log in again", never asked again, until the store has a new one', async () => {
    const store = new SharedStore(login(1))
    const { provider, asked, clock } = scene([refusal('invalid_grant', 'Invalid refresh token')], {
      store,
    })
    clock.trueMs += 200_000
    expect(await failure(provider.getToken())).toMatchObject({
      error: 'invalid_grant',
      advice: expect.stringContaining('log in again'),
    })
    clock.trueMs += 120_000
    expect(await failure(provider.getToken())).toMatchObject({ error: 'invalid_grant' })
    expect(asked).toHaveLength(1)
    store.value = login(9)
    clock.trueMs += 120_000
    expect((await provider.getToken()).value).toBe('bwua_access9')
    expect(asked).toHaveLength(1)
  })

  test('a caller that aborts leaves the rotation alone', async () => {
    const server = rotating()
    const store = new SharedStore(login(1))
    const { provider, asked, clock } = scene([server.step], { store })
    clock.trueMs += 200_000
    const controller = new AbortController()
    const leaving = failure(provider.getToken({ signal: controller.signal }))
    controller.abort('left')
    expect(await leaving).toBe('left')
    await settle()
    expect(store.value?.refresh_token).toBe('refresh-2')
    expect((await provider.getToken()).value).toBe('bwua_access2')
    expect(asked).toHaveLength(1)
  })
})
