import { refreshingTokenProvider, type TokenProvider, type TokenStore } from '@buildwire/sdk'
import { describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from '../support/hand-clock.js'
import { ada, mint, scene } from './support/exchange.js'
import { type Asked, scripted } from './support/scripted-transport.js'

const day = 24 * 3_600_000
const minute = 60_000

function login(lifeSeconds: number | undefined): {
  provider: TokenProvider
  clock: HandClock
  asked: Asked[]
} {
  const clock = new HandClock()
  const life = lifeSeconds === undefined ? {} : { expires_in: lifeSeconds }
  const answer = { access_token: 'second', refresh_token: 'r2', token_type: 'Bearer', ...life }
  const { transport, asked } = scripted({ json: answer })
  const tokens = {
    access_token: 'first',
    refresh_token: 'r1',
    token_type: 'Bearer',
    ...life,
  } as const
  const options = { authUrl: 'https://auth.ci.example', transport, clock, random: () => 0.5 }
  return { provider: refreshingTokenProvider({ client_id: 'cli', tokens }, options), clock, asked }
}

test('a login whose token says it lives for a month is renewed within a day, its successor within another', async () => {
  const { provider, clock, asked } = login(30 * 86_400)
  clock.trueMs = day - 6 * minute
  expect((await provider.getToken()).value).toBe('first')
  expect(asked).toHaveLength(0)
  clock.trueMs = day - minute
  expect((await provider.getToken()).value).toBe('first')
  await settle()
  expect(asked).toHaveLength(1)
  expect((await provider.getToken()).value).toBe('second')
  clock.trueMs += day
  await provider.getToken()
  expect(asked).toHaveLength(2)
})

test('a login whose token names no end is used until it is refused', async () => {
  const { provider, clock, asked } = login(undefined)
  clock.trueMs = 400 * day
  const token = await provider.getToken()
  expect([token.value, asked.length]).toEqual(['first', 0])
  provider.invalidate(token)
  expect((await provider.getToken()).value).toBe('second')
})

test('a stored token that claims a year is read for a day, and written for no longer', async () => {
  const clock = new HandClock()
  const lives: number[] = []
  const stored = JSON.stringify({ value: 'stored', expiresAt: clock.now() + 365 * day })
  const store: TokenStore = {
    get: async () => (lives.length === 0 ? stored : null),
    set: async (_key, _value, ttlMs) => void lives.push(ttlMs),
    delete: async () => {},
  }
  const { exchange, asked } = scene([mint({ expires_in: 365 * 86_400 })], { clock, store })
  const provider = exchange.tokenProvider(ada)
  expect((await provider.getToken()).value).toBe('stored')
  clock.trueMs = day - minute
  await provider.getToken()
  await settle()
  expect(asked).toHaveLength(1)
  expect(lives).toEqual([day - 10_000])
})

describe('a token that was just served', () => {
  test.each<[string, (clock: HandClock) => void]>([
    ['the wall clock jumps ahead', (clock) => clock.stepWall(3_600_000)],
    ['the machine was suspended', (clock) => clock.suspend(3_600_000)],
    [
      'the wall clock is set back while the token ends',
      (clock) => {
        clock.trueMs += 3_600_000
        clock.stepWall(-3_600_001)
      },
    ],
    [
      'the wall clock is set back by less than the token has aged',
      (clock) => {
        clock.trueMs += 3_600_000
        clock.stepWall(-3_599_000)
      },
    ],
  ])('is not served when %s', async (_, bend) => {
    const { exchange, asked, clock } = scene([mint()])
    const provider = exchange.tokenProvider(ada)
    for (const _call of [1, 2, 3]) await provider.getToken()
    bend(clock)
    await provider.getToken()
    expect(asked).toHaveLength(2)
  })

  test('is renewed at its very moment, however often it is asked for before', async () => {
    const { exchange, asked, clock } = scene([mint({ expires_in: 1000 })])
    const provider = exchange.tokenProvider(ada)
    const refreshAtMs = 1_000_000 - 200_000 * 0.95
    await provider.getToken()
    for (const ms of [refreshAtMs - 500, refreshAtMs - 1]) {
      clock.trueMs = ms
      await provider.getToken()
      await settle()
      expect(asked).toHaveLength(1)
    }
    clock.trueMs = refreshAtMs
    await provider.getToken()
    await settle()
    expect(asked).toHaveLength(2)
  })

  test('costs the reading of one clock, for a second', async () => {
    const clock = new HandClock()
    const { exchange } = scene([mint()], { clock })
    const provider = exchange.tokenProvider(ada)
    await provider.getToken()
    await provider.getToken()
    const monotonic = vi.spyOn(clock, 'monotonic')
    await provider.getToken()
    clock.trueMs += 999
    await provider.getToken()
    expect(monotonic).not.toHaveBeenCalled()
    clock.trueMs += 1
    await provider.getToken()
    expect(monotonic).toHaveBeenCalledOnce()
  })
})
