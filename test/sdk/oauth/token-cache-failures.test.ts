import { RateLimitError } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { ada, kinds, mint, scene } from './support/exchange.js'
import { failure } from './support/failure.js'
import { refusal } from './support/scripted-transport.js'

describe('failures', () => {
  test.each([
    'invalid_request',
    'invalid_scope',
    'invalid_target',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_client',
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
    const busy = { status: 429, headers: { 'retry-after': '100' }, json: { error: 'temporarily_unavailable' } }
    const { exchange, asked, clock } = scene([busy, mint()])
    const provider = exchange.tokenProvider(ada)
    expect(await failure(provider.getToken())).toMatchObject({ code: 'oauth_error', retryAfterMs: 100_000 })
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
