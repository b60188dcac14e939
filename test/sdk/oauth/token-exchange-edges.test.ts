import { getEventListeners } from 'node:events'
import { CiClient, TokenExchange, userEmailTokenType } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { exchangeHint } from '../../../sdk/src/oauth/exchange-hints.js'
import { prepareExchange } from '../../../sdk/src/oauth/exchange-params.js'
import { HandClock } from '../support/hand-clock.js'
import {
  ada,
  httpDate,
  mint,
  minted,
  scene,
  subject_token_type,
  testSigner,
} from './support/exchange.js'
import { failure } from './support/failure.js'
import { MemoryStore } from './support/memory-store.js'
import { type Reply, refusal, scripted } from './support/scripted-transport.js'

describe('the identity of an exchange', () => {
  const client = {
    url: 'https://auth.ci.example/oauth/token',
    client_id: 'app',
    subject_token_type,
  }

  test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '60', null])(
    'takes no expires_in of %j',
    (value) => {
      expect(() => prepareExchange({ ...ada, expires_in: value as number }, client)).toThrow(
        expect.objectContaining({
          option: 'expires_in',
          message: expect.stringContaining('whole number of seconds'),
        }),
      )
    },
  )
})

describe('options', () => {
  test.each(['client_id', 'subject_token_type'])('an empty %s is refused', (option) => {
    const params = { client_id: 'app', subject_token_type, [option]: '' }
    const build = () =>
      new TokenExchange(params, { authUrl: 'https://a.example', signer: testSigner })
    expect(build).toThrow(
      expect.objectContaining({ option, message: `${option} must be a non-empty string` }),
    )
  })

  test('an empty aud is refused, and a cache holds one identity at least', () => {
    expect(() => scene([], { aud: '' })).toThrow(expect.objectContaining({ option: 'aud' }))
    expect(() => scene([], { maxEntries: 0 })).toThrow(
      expect.objectContaining({ option: 'maxEntries' }),
    )
    expect(() => scene([], { maxEntries: 1 })).not.toThrow()
  })

  test.each(['ci', 'A1', `x${'-'.repeat(30)}x`])('%s is a vendor', (vendor) => {
    expect(userEmailTokenType(vendor)).toBe(`urn:${vendor}:params:oauth:token-type:user-email`)
  })

  test.each(['', 'a', '-a', 'a-', 'a:b', ' ab', 'ab\n', `x${'-'.repeat(31)}x`, 7, ['ci']])(
    '%j is none',
    (vendor) => {
      expect(() => userEmailTokenType(vendor as string)).toThrow(
        expect.objectContaining({
          option: 'vendor',
          message: expect.stringContaining('2 to 32 letters'),
        }),
      )
    },
  )
})

describe('one exchange', () => {
  test('past the cache is a token set whose life counts from its request, each time anew', async () => {
    const clock = new HandClock()
    const slow = (): Reply => {
      clock.trueMs += 5000
      return minted({ expires_in: 60, scope: undefined })
    }
    const { exchange, asked } = scene([slow], { clock })
    const start = clock.now()
    const tokens = await exchange.exchange({ ...ada, scope: ['read_builds', 'read_user'] })
    expect(tokens).toMatchObject({ expiresAt: start + 60_000, scope: 'read_builds read_user' })
    await exchange.exchange(ada)
    expect(asked).toHaveLength(2)
  })

  test('that is retried counts from the attempt that succeeded', async () => {
    const clock = new HandClock()
    const busy = { status: 503, headers: { 'retry-after': '5' }, text: '' }
    const { exchange } = scene([busy, mint({ expires_in: 60 })], { clock })
    const start = clock.now()
    expect((await exchange.exchange(ada)).expiresAt).toBe(start + 5500 + 60_000)
  })

  test('answered with anything but a token says what was expected', async () => {
    const { exchange } = scene([{ text: '[]' }])
    expect(await failure(exchange.exchange(ada))).toMatchObject({
      expected: 'an access_token',
      message:
        'POST /oauth/token answered 200 with JSON that is an array; expected an access_token',
    })
    const other = scene([minted({ issued_token_type: 'x' })])
    expect(await failure(other.exchange.exchange(ada))).toMatchObject({
      message: expect.stringMatching(
        /^The token exchange answer is invalid: `issued_token_type` must be urn:ietf:/,
      ),
    })
  })

  test('leaves nothing at the signal of a caller', async () => {
    const controller = new AbortController()
    const { exchange } = scene([mint()])
    await exchange.exchange(ada, { signal: controller.signal })
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    const aborted = AbortSignal.abort('left')
    expect(await failure(exchange.exchange(ada, { signal: aborted }))).toBe('left')
  })

  test('refused with a word that may pass is asked for anew by the next caller', async () => {
    const { exchange, asked } = scene([refusal('slow_down'), mint()])
    const provider = exchange.tokenProvider(ada)
    expect(await failure(provider.getToken())).toMatchObject({ error: 'slow_down' })
    await provider.getToken()
    expect(asked).toHaveLength(2)
  })

  test('a burnt id and a wrong clock are each mended once, together too; with another word not', async () => {
    const clock = new HandClock()
    const headers = { date: httpDate(clock.now() + 600_000) }
    const burnt = refusal('invalid_client', 'JWT has ALREADY been used (`jti`)', 401)
    const late = { ...refusal('invalid_client', 'JWT exp claim', 401), headers }
    const { exchange, asked } = scene([burnt, late, mint()], { clock })
    await exchange.exchange(ada)
    expect(asked).toHaveLength(3)
    const twice = scene([burnt, burnt, mint()], { clock })
    await failure(twice.exchange.exchange(ada))
    expect(twice.asked).toHaveLength(2)
    const turned = scene([late, burnt, mint()], { clock })
    await turned.exchange.exchange(ada)
    expect(turned.asked).toHaveLength(3)
    const another = scene([refusal('invalid_request', 'already been used'), mint()])
    await failure(another.exchange.exchange(ada))
    expect(another.asked).toHaveLength(1)
  })
})

describe('hints', () => {
  const facts = { aud: 'https://auth.ci.example/oauth/token', audience: 'Acme "Inc"' }

  test.each([
    [
      'invalid_client',
      'JWT `aud` claim is invalid',
      `The aud claim was exactly ${facts.aud}, and the server compares strings`,
    ],
    ['invalid_client', 'JWT `exp` claim', 'set the clock'],
    ['invalid_client', 'JWT `iat` claim', 'set the clock'],
    ['invalid_client', 'JWT `nbf` claim', 'set the clock'],
    ['invalid_client', 'JWT must contain a `jti` claim', 'The organization requires a jti'],
    ['invalid_client', 'JWT has already been used', 'must return another text for each call'],
    ['invalid_client', 'Invalid signature', 'the public half of this very key'],
    ['invalid_scope', 'scopes exceed the grantable ones', 'Request fewer scopes'],
    ['invalid_scope', 'no default scopes', 'Pass the scopes'],
    ['invalid_scope', 'No scope requested', 'Pass the scopes'],
    ['invalid_target', '', `it was "Acme \\"Inc\\""`],
    [
      'unsupported_grant_type',
      '',
      'An administrator of the organization must enable token exchange',
    ],
    [
      'invalid_request',
      'Subject user must be an active MEMBER',
      'does not say which of these is missing',
    ],
  ])('%s "%s"', (word, description, hint) => {
    expect(exchangeHint(word, description, facts)).toContain(hint)
  })

  test.each([
    ['invalid_client', 'Unknown client'],
    ['invalid_scope', 'Unknown scope'],
    ['invalid_request', 'exp claim'],
    ['server_error', 'aud claim'],
  ])('nothing is known about %s "%s"', (word, description) => {
    expect(exchangeHint(word, description, facts)).toBeUndefined()
  })
})

describe('with a store', () => {
  test('two processes that start at once: the second finds the first one’s token under the lock', async () => {
    const store = new MemoryStore()
    const one = scene([mint()], { store })
    const two = scene([mint()], { store })
    const tokens = await Promise.all(
      [one, two].map(({ exchange }) => exchange.tokenProvider(ada).getToken()),
    )
    expect(tokens[0]?.value).toBe(tokens[1]?.value)
    expect(one.asked.length + two.asked.length).toBe(1)
    expect(store.locks.map(([, ttlMs]) => ttlMs)).toEqual([10_000, 10_000])
  })

  test('a token that is there needs no lock', async () => {
    const store = new MemoryStore()
    await scene([mint()], { store }).exchange.tokenProvider(ada).getToken()
    const calls = store.calls.length
    const { exchange, asked } = scene([mint()], { store })
    await exchange.tokenProvider(ada).getToken()
    expect([store.calls.slice(calls), asked]).toEqual([['get'], []])
  })
})

describe('the client and the token', () => {
  function api(accepts: (token: string) => boolean) {
    return scripted((one) => {
      const token = (one.request.headers['authorization'] ?? '').replace('Bearer ', '')
      return accepts(token)
        ? { json: [] }
        : { status: 401, json: { message: 'Authentication required' } }
    })
  }

  test('T9 401 to everything: 100 concurrent calls are at most 200 requests and one more exchange, with typed errors', async () => {
    const { exchange, asked } = scene([mint()])
    const auth = exchange.tokenProvider(ada)
    await auth.getToken()
    const rest = api(() => false)
    const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth, transport: rest.transport })
    const errors = await Promise.all(
      Array.from({ length: 100 }, () => failure((async () => await ci.builds.list())())),
    )
    expect(errors.every((error) => (error as { code?: string }).code === 'unauthorized')).toBe(true)
    expect(rest.asked.length).toBeLessThanOrEqual(200)
    expect(asked.length).toBeLessThanOrEqual(2)
  })
})
