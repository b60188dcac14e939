import { CiClient, fetchTransport } from '@buildwire/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backoff } from '../../sdk/src/base/backoff.js'
import {
  RateGate,
  type RateLimitAnswer,
  rateLimitDetails,
  serverWait,
} from '../../sdk/src/http/rate-limit.js'
import { retryAfter, retryRule } from '../../sdk/src/http/retry.js'
import { SleeplessClock } from './support/clock.js'
import { HandClock } from './support/hand-clock.js'

const now = Date.UTC(2026, 2, 1, 9)

function answer(status: number, headers: Record<string, string>, body?: unknown): RateLimitAnswer {
  return { status, header: (name) => headers[name], body }
}

test.each<[string, string | undefined, number]>([
  ['30', undefined, 30_000],
  ['1.5', undefined, 1_500],
  ['5, 30', undefined, 30_000],
  [' 7 ', undefined, 7_000],
  ['9'.repeat(400), undefined, 0],
  ['Sun, 01 Mar 2026 09:00:10 GMT', undefined, 10_000],
  ['Sunday, 01-Mar-26 09:00:10 GMT', undefined, 10_000],
  ['Sun Mar  1 09:00:10 2026', undefined, 10_000],
  ['Sun, 01 Mar 2026 09:00:10 GMT', 'Sun, 01 Mar 2026 09:00:04 GMT', 6_000],
  ['Sun, 01 Mar 2026 08:00:00 GMT', undefined, 0],
  ['wait 10', undefined, 0],
  ['Foo 2030 10:00:00', undefined, 0],
  ['Thu, 31 Feb 2030 10:00:00 GMT', undefined, 0],
  ['Sun, 01 Mar 2026 09:00:10', undefined, 0],
  ['-1', undefined, 0],
])('Retry-After %j with Date %j is %d ms', (value, date, expected) => {
  expect(retryAfter(value, date, now)).toBe(expected)
})

test.each<[string, RateLimitAnswer, number]>([
  [
    'the largest of all that is said',
    answer(429, { 'retry-after': '3', 'ratelimit-reset': '5' }, { reset: 4 }),
    5_000,
  ],
  [
    'the window that the body names',
    answer(429, { 'ratelimit-reset': '9', 'ratelimit-user-reset': '4' }, { scope: 'rest_user' }),
    4_000,
  ],
  [
    'the larger reset when none is named',
    answer(429, { 'ratelimit-reset': '9', 'ratelimit-user-reset': '4' }),
    9_000,
  ],
  ['the older spelling', answer(429, { 'rate-limit-reset': '8' }), 8_000],
  [
    'the scope word organization',
    answer(429, { 'ratelimit-reset': '2', 'ratelimit-user-reset': '7' }, { scope: 'organization' }),
    2_000,
  ],
  ['an epoch', answer(429, { 'ratelimit-reset': String(now / 1_000 + 12) }), 12_000],
  [
    "an epoch against the answer's Date",
    answer(429, {
      'ratelimit-reset': String(now / 1_000 + 12),
      date: 'Sun, 01 Mar 2026 09:00:10 GMT',
    }),
    2_000,
  ],
  [
    'a success with nothing left',
    answer(200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '6' }),
    6_000,
  ],
  [
    'headers that stand twice',
    answer(200, { 'ratelimit-remaining': '0, 0', 'ratelimit-reset': '6, 7' }),
    7_000,
  ],
  [
    'a success with something left',
    answer(200, { 'ratelimit-remaining': '1', 'ratelimit-reset': '6' }),
    0,
  ],
  ['words', answer(429, { 'retry-after': 'soon', 'ratelimit-reset': 'NaN' }, { reset: -1 }), 0],
  ['a reset in the body of another failure', answer(503, {}, { reset: 60 }), 0],
])('the server wait of %s', (_, given, expected) => {
  expect(serverWait(given, now)).toBe(expected)
})

test('a 429 tells its scope and limit, from the body or the headers', () => {
  expect(rateLimitDetails(answer(429, {}, { scope: 'rest', limit: 200 }))).toEqual({
    scope: 'rest',
    limit: 200,
  })
  const headers = { 'ratelimit-user-limit': '50' }
  expect(rateLimitDetails(answer(429, headers, { scope: 'rest_user' }))).toEqual({
    scope: 'rest_user',
    limit: 50,
  })
  expect(rateLimitDetails(answer(429, {}))).toEqual({ scope: undefined, limit: undefined })
})

describe('the gate', () => {
  test('opens when the time is over, by the monotonic clock', () => {
    const clock = new SleeplessClock()
    const gate = new RateGate(clock)
    gate.observe(answer(200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '5' }), 'acme')
    expect(gate.closed('acme')).toEqual({ window: 'organization', waitMs: 5_000 })
    expect(gate.closed('other')).toBeUndefined()
    clock.trueMs += 5_000
    expect(gate.closed('acme')).toBeUndefined()
  })

  test('closes the user window when no organization stands in the path', () => {
    const gate = new RateGate(new SleeplessClock())
    gate.observe(answer(429, { 'retry-after': '5' }), undefined)
    expect(gate.closed('acme')).toEqual({ window: 'user', waitMs: 5_000 })
    expect(gate.sibling().closed('acme')).toBeUndefined()
  })

  test('lets out no more than the limit when it opens, and the rest when no news came', () => {
    const clock = new SleeplessClock()
    const gate = new RateGate(clock)
    const used = { 'ratelimit-limit': '3', 'ratelimit-remaining': '0', 'ratelimit-reset': '5' }
    const leave = (): number =>
      [1, 2, 3, 4, 5].filter(() => gate.closed('acme') === undefined).length
    gate.observe(answer(200, used), 'acme')
    clock.trueMs += 5_000
    expect([leave(), gate.closed('acme')]).toEqual([3, { window: 'organization', waitMs: 1_000 }])
    gate.observe(answer(200, used), 'acme')
    expect(gate.closed('acme')).toEqual({ window: 'organization', waitMs: 5_000 })
    clock.trueMs += 5_000
    expect([leave(), leave()]).toEqual([3, 0])
    clock.trueMs += 1_000
    expect(leave()).toBe(3)
    clock.trueMs += 60_000
    expect(leave()).toBe(5)
  })

  test('stays open for headers it cannot read', () => {
    const gate = new RateGate(new SleeplessClock())
    for (const reset of ['', 'x', '-1', 'NaN', 'Infinity', '1e9']) {
      gate.observe(answer(200, { 'ratelimit-remaining': '0', 'ratelimit-reset': reset }), 'acme')
      gate.observe(answer(200, { 'ratelimit-remaining': 'none', 'ratelimit-reset': '5' }), 'acme')
    }
    expect(gate.closed('acme')).toBeUndefined()
  })
})

test('no header makes a wait that is negative, infinite or no number', () => {
  const text = fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String))
  fc.assert(
    fc.property(text, text, fc.anything(), (after, reset, body) => {
      const wait = serverWait(
        answer(429, { 'retry-after': after, 'ratelimit-reset': reset }, body),
        now,
      )
      return wait >= 0 && Number.isFinite(wait)
    }),
  )
})

test('our own wait is between 0 and min(8 s, 0.5 s · 2ⁿ)', () => {
  fc.assert(
    fc.property(
      fc.nat(2_000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (retry, random) => {
        const wait = backoff(retryRule, retry, () => random)
        return wait >= 0 && wait <= Math.min(8_000, 500 * 2 ** retry)
      },
    ),
  )
})

test('of ten times as many calls as the limit, all at once, each succeeds', async () => {
  const clock = new HandClock({ jump: false })
  const queue: (() => void)[] = []
  let [opened, used, sent, drawn] = [0, 0, 0, 0]
  /** 25 connections, 80 ms an answer. */
  const serve = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(80)
      for (const answerOne of queue.splice(0, 25)) answerOne()
    }
  }
  void serve()
  const transport = fetchTransport(() => async () => {
    sent += 1
    await new Promise<void>((resolve) => queue.push(resolve))
    const now = clock.monotonic()
    if (now - opened >= 5_000) [opened, used] = [now, 0]
    used += 1
    const reset = Math.ceil((opened + 5_000 - now) / 1_000)
    const remaining = String(Math.max(0, 40 - used))
    const headers = {
      'ratelimit-limit': '40',
      'ratelimit-remaining': remaining,
      'ratelimit-reset': String(reset),
    }
    if (used <= 40) return Response.json({ id: 'b', number: 1, state: 'passed' }, { headers })
    return Response.json({ message: 'too many', scope: 'rest', reset }, { status: 429, headers })
  })
  const random = (): number => (drawn++ * 0.618) % 1
  const ci = new CiClient({ baseUrl: 'https://api.ci.example', transport, clock, random })
  const get = () =>
    ci.builds.get({ org_slug: 'acme', pipeline_slug: 'web', number: 1 }).then(() => 'ok', String)
  let results: string[] | undefined
  void Promise.all(Array.from({ length: 400 }, get)).then((given) => {
    results = given
  })
  while (results === undefined) await clock.advance(500)
  expect([...new Set(results)]).toEqual(['ok'])
  expect(sent).toBeLessThan(840)
})

describe('a reset that cannot be meant', () => {
  test.each<[string, number]>([
    [String((now + 9_000) / 1_000), 9_000],
    [String(now + 9_000), 9_000],
    [String(now - 9_000), 0],
  ])('%s is a moment, in seconds or milliseconds', (reset, expected) => {
    expect(serverWait(answer(429, { 'ratelimit-reset': reset }), now)).toBe(expected)
  })

  test.each(['999999999999999999999', '31536000', String((now + 366 * 86_400_000) / 1_000)])(
    'of %s s closes no window: one broken header must not end a client',
    (reset) => {
      const gate = new RateGate(new SleeplessClock({ start: now }))
      gate.observe(
        answer(200, { 'ratelimit-user-remaining': '0', 'ratelimit-user-reset': reset }),
        'acme',
      )
      expect(gate.closed('acme')).toBeUndefined()
    },
  )

  test('while one of 364 days does', () => {
    const gate = new RateGate(new SleeplessClock({ start: now }))
    gate.observe(
      answer(200, { 'ratelimit-remaining': '0', 'ratelimit-reset': String(364 * 86_400) }),
      'acme',
    )
    expect(gate.closed('acme')).toEqual({ window: 'organization', waitMs: 364 * 86_400_000 })
  })
})
