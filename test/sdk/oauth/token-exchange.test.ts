import { RateLimitError } from '@buildwire/sdk'
import { describe, expect, test, vi } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import {
  ada,
  assertionOf,
  httpDate,
  mint,
  scene,
  subject_token_type,
  testSigner,
} from './support/exchange.js'
import { failure } from './support/failure.js'
import { fails, type Reply, refusal } from './support/scripted-transport.js'

describe('the request', () => {
  test('the form and the assertion are what RFC 8693 and RFC 7523 ask for', async () => {
    const { exchange, asked, clock } = scene([mint()])
    const params = {
      subject_token: 'ada+ci@acme.example',
      audience: 'acme',
      scope: ['read_builds', 'write_builds'],
      expires_in: 300,
    }
    await exchange.exchange(params)
    const { client_assertion, ...form } = Object.fromEntries(asked[0]?.form ?? [])
    expect(form).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      subject_token: 'ada+ci@acme.example',
      subject_token_type,
      audience: 'acme',
      scope: 'read_builds write_builds',
      expires_in: '300',
    })
    expect(asked[0]?.request.body).toContain('ada%2Bci%40acme.example')
    expect(asked[0]?.request.freshConnection).toBe(true)
    const { header, claims } = assertionOf(asked[0])
    const now = Math.floor(clock.now() / 1000)
    expect(header).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'test' })
    expect(claims).toEqual({
      iss: 'release-bot',
      sub: 'release-bot',
      aud: 'https://auth.ci.example/oauth/token',
      iat: now - 30,
      exp: now + 120,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('aud and jti are settable; a jti that cannot be used is refused before anything is sent', async () => {
    const given = scene([mint()], {
      aud: 'https://inner.ci.example/oauth/token',
      jti: () => 'ticket-1',
    })
    await given.exchange.exchange(ada)
    expect(assertionOf(given.asked[0]).claims).toMatchObject({
      aud: 'https://inner.ci.example/oauth/token',
      jti: 'ticket-1',
    })
    for (const jti of ['', 'é'.repeat(128)]) {
      const { exchange, asked } = scene([mint()], { jti: () => jti })
      expect(await failure(exchange.exchange(ada))).toMatchObject({ code: 'config', option: 'jti' })
      expect(asked).toHaveLength(0)
    }
    const longest = scene([mint()], { jti: () => 'x'.repeat(255) })
    await longest.exchange.exchange(ada)
  })
})

describe('the answer', () => {
  test.each<[string, string, readonly unknown[]]>([
    ['T8 ', 'expires_in', [0, -1, 'abc', Number.POSITIVE_INFINITY, null, true]],
    ['T8 ', 'access_token', ['', ' ', 'a b', 5, null, `x${'y'.repeat(8192)}`]],
    ['T10 ', 'token_type', [undefined, 'mac', 'DPoP', 'N_A']],
    ['', 'issued_token_type', [undefined, 'urn:ietf:params:oauth:token-type:jwt']],
  ])(
    '%s%s that is none is an InvalidResponseError, nothing is cached',
    async (_, field, values) => {
      for (const value of values) {
        const { exchange, asked } = scene([mint({ [field]: value }), mint()])
        const provider = exchange.tokenProvider(ada)
        const error = await failure(provider.getToken())
        expect(error).toMatchObject({
          code: 'invalid_response',
          expected: expect.stringContaining(field),
        })
        expect((await provider.getToken()).expiresAt).toBeTypeOf('number')
        expect(asked).toHaveLength(2)
      }
    },
  )

  test.each(['bearer', 'BEARER'])('T10 token_type %j is accepted', async (token_type) => {
    const { exchange } = scene([mint({ token_type })])
    expect((await exchange.exchange(ada)).token_type).toBe('Bearer')
  })

  test('with a refresh_token has none', async () => {
    const { exchange } = scene([mint({ refresh_token: 'never' })])
    expect((await exchange.exchange(ada)).refresh_token).toBeUndefined()
  })

  test('a missing expires_in is a minute, one above a day a day; a missing scope is the requested one', async () => {
    const { exchange, clock } = scene([
      mint({ expires_in: undefined, scope: undefined }),
      mint({ expires_in: '1e3' }),
      mint({ expires_in: 1e9 }),
    ])
    const first = await exchange.exchange({ ...ada, scope: 'read_suites' })
    expect([first.expiresAt, first.scope]).toEqual([clock.now() + 60_000, 'read_suites'])
    expect(await failure(exchange.exchange(ada))).toMatchObject({ code: 'invalid_response' })
    expect((await exchange.exchange(ada)).expires_in).toBe(86_400)
  })
})

describe('attempts', () => {
  test('T7 after a reset another attempt carries another jti, and asks a signer function again', async () => {
    const signer = vi.fn(async () => testSigner)
    const { exchange, asked } = scene(
      [fails('ECONNRESET', 'read'), fails('ECONNRESET', 'read'), mint()],
      { signer },
    )
    await exchange.exchange(ada)
    expect(signer).toHaveBeenCalledTimes(3)
    const ids = asked.map((one) => assertionOf(one).claims['jti'])
    expect(new Set(ids).size).toBe(3)
  })

  test('T7 "already been used (jti)" is signed again once', async () => {
    const used = refusal('invalid_client', 'JWT has already been used (`jti`)', 401)
    const passing = scene([used, mint()])
    await passing.exchange.exchange(ada)
    const ids = passing.asked.map((one) => assertionOf(one).claims['jti'])
    expect(new Set(ids).size).toBe(2)
    expect(passing.clock.trueMs).toBe(0)
    const lasting = scene([used])
    expect(await failure(lasting.exchange.exchange(ada))).toMatchObject({
      error: 'invalid_client',
      advice: expect.stringContaining('jti'),
    })
    expect(lasting.asked).toHaveLength(2)
  })

  test.each([
    ['ahead', 600_000],
    ['behind', -600_000],
  ])(
    'T6 client clock 10 min %s: the first is refused, the second passes with a new jti, later ones are right at once',
    async (_, skew) => {
      const clock = new HandClock({ start: Date.UTC(2026, 2, 1) + skew })
      const server = (): number => clock.now() - skew
      const check = mint()
      const { exchange, asked } = scene(
        [
          (one) => {
            const { claims } = assertionOf(one)
            const now = server() / 1000
            const fine = Number(claims['iat']) <= now + 60 && Number(claims['exp']) > now
            return fine
              ? check()
              : {
                  ...refusal('invalid_client', 'JWT exp claim must be in the future', 401),
                  headers: { date: httpDate(server()) },
                }
          },
        ],
        { clock },
      )
      await exchange.exchange(ada)
      expect(asked).toHaveLength(2)
      expect(new Set(asked.map((one) => assertionOf(one).claims['jti'])).size).toBe(2)
      await exchange.exchange(ada)
      exchange.clear()
      await exchange.exchange(ada)
      expect(asked).toHaveLength(4)
    },
  )

  test('T6 the offset does not change the age of a token', async () => {
    const clock = new HandClock()
    const late = {
      ...refusal('invalid_client', 'JWT iat claim is invalid', 401),
      headers: { date: httpDate(clock.now() + 600_000) },
    }
    const { exchange } = scene([late, mint({ expires_in: 60 })], { clock })
    expect((await exchange.tokenProvider(ada).getToken()).expiresAt).toBe(clock.now() + 60_000)
  })

  test.each([
    ['no Date', refusal('invalid_client', 'JWT exp claim must be in the future', 401), undefined],
    ['another error and an hour', refusal('invalid_scope', 'exp claim'), 3_600_000],
  ])('T6 %s teaches nothing', async (_, step, offset) => {
    const clock = new HandClock()
    const headers = offset === undefined ? {} : { date: httpDate(clock.now() + offset) }
    const { exchange, asked } = scene([{ ...step, headers }], { clock })
    await failure(exchange.exchange(ada))
    expect(asked).toHaveLength(1)
  })

  test('T6 a server whose Date jumps about is tried once, not for ever', async () => {
    const clock = new HandClock()
    let jump = 0
    const step = (): Reply => {
      jump += 3_600_000
      return {
        ...refusal('invalid_client', 'JWT exp claim', 401),
        headers: { date: httpDate(clock.now() + jump) },
      }
    }
    const { exchange, asked } = scene([step], { clock })
    await failure(exchange.exchange(ada))
    expect(asked).toHaveLength(2)
  })

  test('a server’s wait is kept; one that does not fit into 30 s is thrown', async () => {
    const busy = (seconds: number) => ({
      status: 429,
      headers: { 'retry-after': String(seconds) },
      json: { error: 'temporarily_unavailable' },
    })
    const short = scene([busy(5), mint()])
    await short.exchange.exchange(ada)
    expect(short.clock.trueMs).toBeGreaterThanOrEqual(5000)
    const long = scene([busy(40), mint()])
    expect(await failure(long.exchange.exchange(ada))).toMatchObject({ retryAfterMs: 40_000 })
    expect(long.asked).toHaveLength(1)
    const wordless = scene([{ status: 429, headers: { 'retry-after': '40' }, text: 'slow' }])
    expect(await failure(wordless.exchange.exchange(ada))).toBeInstanceOf(RateLimitError)
  })
})
