import { type CiEvent, RateLimitError } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { instant } from '../../../sdk/src/base/clock.js'
import { type FreshToken, TokenCache } from '../../../sdk/src/oauth/token-cache.js'
import { HandClock, settle } from '../support/hand-clock.js'
import { ada, kinds, mint, scene } from './support/exchange.js'
import { failure } from './support/failure.js'
import { refusal } from './support/scripted-transport.js'

/** A cache of counted tokens that live 100 s. */
function caching(timeoutMs = 60_000) {
  const clock = new HandClock()
  const told: string[] = []
  const cache = new TokenCache({
    clock,
    random: () => 0,
    timeoutMs,
    maxEntries: 100,
    judge: () => ({}),
    onEvent: (event: CiEvent) => told.push(event.type === 'token' ? event.kind : event.type),
  })
  let made = 0
  const mint = async (): Promise<FreshToken> => {
    made += 1
    return {
      token: { value: `token-${made}`, expiresAt: null },
      started: instant(clock),
      ttlMs: 100_000,
    }
  }
  return { clock, told, cache, mint }
}

test('who joins without a signal gets the very flight: ten thousand callers are no ten thousand promises', async () => {
  const { cache, mint } = caching()
  const flight = cache.get('a', mint)
  expect(cache.get('a', mint)).toBe(flight)
  await flight
})

test('refreshes that fail in a row are held back 1, 2, 4 … s, at most 30 s, while the token is usable', async () => {
  const { cache, clock, told, mint } = caching()
  const fail = () => Promise.reject(new Error('no token'))
  cache.seed('a', { ...(await mint()), ttlMs: 10_000_000 })
  await clock.advance(9_700_000)
  const refreshes = () => told.filter((kind) => kind === 'refresh').length
  let expected = 0
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    await cache.get('a', fail)
    await settle()
    expected += 1
    expect(refreshes()).toBe(expected)
    await clock.advance(seconds * 1000 - 1)
    await cache.get('a', fail)
    expect(refreshes()).toBe(expected)
    await clock.advance(1)
  }
})

test('a flight that hangs ends by its own limit, on real time, and says what it is', async () => {
  const { cache } = caching(5)
  const hangs = () => new Promise<FreshToken>(() => undefined)
  await expect(cache.get('a', hangs)).rejects.toMatchObject({
    code: 'timeout',
    kind: 'total',
    sent: 'unknown',
    timeoutMs: 5,
    message: 'Getting a token took longer than 5 ms',
  })
})

describe('failures', () => {
  test.each([
    'invalid_client',
    'invalid_request',
    'invalid_scope',
    'invalid_target',
    'unauthorized_client',
    'unsupported_grant_type',
  ])('%s is remembered for 5 s, then 10 s, and told without a request', async (word) => {
    const { exchange, asked, clock, events } = scene([refusal(word)])
    const provider = exchange.tokenProvider(ada)
    const error = await failure(provider.getToken())
    expect(await failure(provider.getToken())).toBe(error)
    expect(asked).toHaveLength(1)
    expect(kinds(events)).toEqual(['refresh', 'refresh_failed', 'negative'])
    clock.trueMs += 5000
    await failure(provider.getToken())
    expect(asked).toHaveLength(2)
    clock.trueMs += 9900
    await failure(provider.getToken())
    expect(asked).toHaveLength(2)
    clock.trueMs += 200
    await failure(provider.getToken())
    expect(asked).toHaveLength(3)
  })

  test('invalid_grant is about this assertion alone: the next call asks again', async () => {
    const { exchange } = scene([refusal('invalid_grant'), mint()])
    const provider = exchange.tokenProvider(ada)
    await failure(provider.getToken())
    expect((await provider.getToken()).value).toMatch(/^bw/)
  })

  test('a success forgets earlier failures: the next refusal is remembered for 5 s again', async () => {
    const { exchange, asked, clock } = scene([
      refusal('invalid_scope'),
      refusal('invalid_scope'),
      mint(),
      refusal('invalid_scope'),
    ])
    const provider = exchange.tokenProvider(ada)
    await failure(provider.getToken())
    clock.trueMs += 5001
    await failure(provider.getToken())
    clock.trueMs += 10_001
    provider.invalidate(await provider.getToken())
    await failure(provider.getToken())
    clock.trueMs += 5001
    await failure(provider.getToken())
    expect(asked).toHaveLength(5)
  })

  test('a refusal of one identity does not bind another', async () => {
    const { exchange, asked } = scene([refusal('invalid_target'), mint()])
    await failure(exchange.tokenProvider({ ...ada, audience: 'Acme Inc' }).getToken())
    await exchange.tokenProvider(ada).getToken()
    expect(asked).toHaveLength(2)
  })

  test('a wait that the server set binds everyone: RateLimitError with the rest, nothing sent', async () => {
    const busy = {
      status: 429,
      headers: { 'retry-after': '100' },
      json: { error: 'temporarily_unavailable' },
    }
    const { exchange, asked, clock } = scene([busy, mint()])
    const provider = exchange.tokenProvider(ada)
    expect(await failure(provider.getToken())).toMatchObject({
      code: 'oauth_error',
      retryAfterMs: 100_000,
    })
    clock.trueMs += 60_000
    const error = await failure(provider.getToken())
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ sent: 'no', retryAfterMs: 40_000 })
    expect(asked).toHaveLength(1)
    clock.trueMs += 40_000
    await provider.getToken()
    expect(asked).toHaveLength(2)
  })
})
