import { ApiError, ConnectionError, RateLimitError } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../../cli/src/clock.js'
import { checkInterval, isScarce, pauseMs } from '../../../cli/src/watch/interval.js'
import type { Snapshot, Trouble } from '../../../cli/src/watch/model.js'
import { type PollOptions, pollBuild, type Reading } from '../../../cli/src/watch/poller.js'
import { build } from './builds.js'

/** A clock on which sleeping takes no time but counts. */
function jumpingClock(): Clock & { sleeps: number[] } {
  let now = Date.parse('2026-11-27T13:00:00Z')
  const sleeps: number[] = []
  return {
    sleeps,
    now: () => now,
    monotonic: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      sleeps.push(ms)
      now += ms
    },
  }
}

const api = (status: number, code: ApiError['code'], retryAfterMs?: number) =>
  new ApiError(`GET /v2/… answered ${status}`, {
    code,
    status,
    sent: 'yes',
    operationId: 'builds.get',
    method: 'GET',
    path: '/v2/…',
    attempts: 1,
    retryAfterMs,
  })

/** Polls with scripted answers; the last one repeats. */
function poll(answers: readonly (Build | Error | Reading)[], options: Partial<PollOptions> = {}) {
  const clock = jumpingClock()
  const times: number[] = []
  let at = 0
  const read = async (): Promise<Reading> => {
    times.push(clock.monotonic())
    const answer = answers[Math.min(at++, answers.length - 1)] as Build | Error | Reading
    if (answer instanceof Error) throw answer
    return 'headers' in answer ? answer : { build: answer, headers: new Headers() }
  }
  const signal = new AbortController().signal
  const inputs = pollBuild({ clock, read, random: () => 0, signal, intervalMs: undefined, first: null, ...options })
  return { clock, times, inputs }
}

async function take(inputs: AsyncGenerator<Snapshot | Trouble>, count: number): Promise<(Snapshot | Trouble)[]> {
  const taken: (Snapshot | Trouble)[] = []
  while (taken.length < count) {
    const next = await inputs.next()
    if (next.done === true) break
    taken.push(next.value)
  }
  return taken
}

async function takeUntil(inputs: AsyncGenerator<Snapshot | Trouble>, over: () => boolean): Promise<void> {
  while (!over()) await inputs.next()
}

describe('how often a watch looks', () => {
  test('C4: an hour of watching a running build takes at most 300 requests', async () => {
    const { clock, times, inputs } = poll([build()])
    const start = clock.monotonic()
    await takeUntil(inputs, () => clock.monotonic() - start >= 3_600_000)
    expect(times.filter((time) => time < start + 3_600_000).length).toBeLessThanOrEqual(300)
  })

  test('C4: fewer when little of the request window remains', async () => {
    const headers = new Headers({ 'ratelimit-limit': '200', 'ratelimit-remaining': '12' })
    const { clock, times, inputs } = poll([{ build: build(), headers }])
    const start = clock.monotonic()
    await takeUntil(inputs, () => clock.monotonic() - start >= 3_600_000)
    expect(times.length).toBeLessThanOrEqual(152)
  })

  test('30 s once nothing has run for a minute, 5 s again when something does', async () => {
    const idle = build({ state: 'scheduled', started_at: null })
    const { clock, inputs } = poll([...Array.from({ length: 15 }, () => idle), build()])
    await take(inputs, 17)
    expect(clock.sleeps.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => 5000))
    expect(clock.sleeps.slice(12, 15)).toEqual([30_000, 30_000, 30_000])
    expect(clock.sleeps.at(-1)).toBe(5000)
  })

  test('never faster than the interval, at most a tenth slower', () => {
    const inputs = fc.record({
      watchedMs: fc.nat(7_200_000),
      idleMs: fc.nat(7_200_000),
      scarce: fc.boolean(),
      fixedMs: fc.option(fc.integer({ min: 100, max: 600_000 }), { nil: undefined }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    })
    fc.assert(
      fc.property(inputs, (given) => {
        const pause = pauseMs(given)
        const least = (given.fixedMs ?? 5000) * (given.scarce ? 2 : 1)
        expect(pause).toBeGreaterThanOrEqual(least)
        expect(pause).toBeLessThanOrEqual(Math.ceil((given.fixedMs ?? 30_000) * (given.scarce ? 2 : 1) * 1.1))
      }),
    )
  })

  test('a window counts as scarce under a fifth, whatever its header is called', () => {
    expect(isScarce(new Headers({ 'ratelimit-limit': '50', 'ratelimit-remaining': '10' }))).toBe(false)
    expect(isScarce(new Headers({ 'ratelimit-user-limit': '50', 'ratelimit-user-remaining': '9' }))).toBe(true)
    expect(isScarce(new Headers({ 'rate-limit-limit': '50', 'rate-limit-remaining': '0' }))).toBe(true)
    expect(isScarce(new Headers({ 'ratelimit-limit': 'many', 'ratelimit-remaining': '0' }))).toBe(false)
  })

  test('--interval: at least 2 s, 100 ms on this machine', () => {
    expect(checkInterval(2000, 'https://ci.example.test')).toBe(2000)
    expect(() => checkInterval(1999, 'https://ci.example.test')).toThrow('--interval must be at least 2s here')
    expect(checkInterval(100, 'http://127.0.0.1:4010')).toBe(100)
    expect(() => checkInterval(99, 'http://[::1]:4010')).toThrow('at least 0.1s')
  })
})

describe('failed looks', () => {
  const reset = new ConnectionError('reset', { sent: 'unknown', attempts: 3 })

  test('C2: a 502, a reset and an unreadable page do not end a watch; the delay doubles and returns', async () => {
    const { clock, inputs } = poll([
      build(),
      api(502, 'server_error'),
      reset,
      api(502, 'server_error'),
      build(),
      build(),
    ])
    expect((await take(inputs, 6)).map(({ kind }) => kind)).toEqual([
      'snapshot',
      'trouble',
      'trouble',
      'trouble',
      'snapshot',
      'snapshot',
    ])
    expect(clock.sleeps).toEqual([5000, 10_000, 20_000, 40_000, 5000])
  })

  test('the delay stops doubling at a minute, and a server that asks for more gets it', async () => {
    const limited = new RateLimitError('429', {
      status: 429,
      operationId: 'builds.get',
      method: 'GET',
      path: '/v2/…',
      attempts: 1,
      retryAfterMs: 90_000,
      sent: 'yes',
    })
    const { clock, inputs } = poll([build(), ...Array.from({ length: 6 }, () => reset), limited, build()])
    await take(inputs, 9)
    expect(clock.sleeps).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 90_000])
  })

  test.each([
    [401, 'unauthorized'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [400, 'bad_request'],
  ] as const)('C2: %s ends it', async (status, code) => {
    const { inputs } = poll([build(), api(status, code)])
    await expect(take(inputs, 2)).rejects.toMatchObject({ code })
  })

  test('a 404 within 10 s after the build was made does not end it, later it does', async () => {
    const { inputs } = poll([api(404, 'not_found')], { first: build(), intervalMs: 4000 })
    expect((await take(inputs, 2)).map(({ kind }) => kind)).toEqual(['snapshot', 'trouble'])
    await expect(take(inputs, 2)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('an error before anything was read is the answer', async () => {
    await expect(take(poll([reset]).inputs, 1)).rejects.toBe(reset)
  })
})
