import type { ServerResponse } from 'node:http'
import { type BuildChange, type WatchOptions, watchBuild } from '@buildwire/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pauseMs } from '../../sdk/src/client/watch-build.js'
import { isScarce } from '../../sdk/src/http/rate-limit.js'
import { client, path, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { build, json, type Look, sequence, serve } from './support/server.js'

const ref = { ...path, number: 42 }

/** Watches a build that answers so. */
async function watching(answers: readonly Look[], options: WatchOptions = {}) {
  const server = await serve(sequence(answers))
  const clock = new SleeplessClock()
  const ci = client(server.url, { clock, maxRetries: 0 })
  const changes = watchBuild(ci, ref, options)
  const take = async (count: number): Promise<BuildChange[]> => {
    const taken: BuildChange[] = []
    while (taken.length < count) {
      const next = await changes.next()
      if (next.done === true) break
      taken.push(next.value)
    }
    return taken
  }
  return {
    server,
    clock,
    take,
    types: async (count: number) => (await take(count)).map(({ type }) => type),
  }
}

const running = { state: 'running' }
const page = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<b>')

describe('what a watch yields', () => {
  test('each answer with the fields that changed, the jobs that moved before it, and the end', async () => {
    const job = { id: 'j1', type: 'script', name: 'Tests' }
    const { take } = await watching([
      { state: 'scheduled', jobs: [{ ...job, state: 'scheduled' }] },
      { state: 'running', jobs: [{ ...job, state: 'running' }] },
      { state: 'running', jobs: [{ ...job, state: 'running', promised_exit_status: 1 }] },
      {
        state: 'passed',
        jobs: [
          { ...job, state: 'passed', promised_exit_status: 1 },
          { ...job, id: 'j2', state: 'passed' },
        ],
      },
    ])
    expect(await take(20)).toMatchObject([
      { type: 'build', build: { state: 'scheduled' }, nextMs: 5250 },
      { type: 'job', job: { id: 'j1' }, from: 'scheduled', to: 'running', promised: null },
      { type: 'build', changed: ['state', 'jobs'], outcome: null },
      { type: 'job', job: { id: 'j1' }, from: 'running', to: 'running', promised: 1 },
      { type: 'build', changed: ['jobs'] },
      { type: 'job', job: { id: 'j1' }, from: 'running', to: 'passed', promised: null },
      { type: 'job', job: { id: 'j2' }, from: null, to: 'passed' },
      { type: 'build', changed: ['state', 'jobs'], outcome: 'passed' },
      { type: 'finished', outcome: 'passed', build: { state: 'passed' } },
    ])
  })

  test('its time is the server’s', async () => {
    const date = 'Sun, 01 Mar 2026 09:05:00 GMT'
    const { take } = await watching([(response) => json(response, 200, build(42), { date })])
    expect(await take(1)).toMatchObject([{ at: Date.parse(date) }])
  })

  test('a record that was just answered comes first; until it moves, its jobs are asked for', async () => {
    const retried = build(42, {
      state: 'failed',
      jobs: [{ id: 'j1', type: 'script', state: 'scheduled' }],
    })
    const { server, types } = await watching([running, { state: 'passed' }], {
      first: retried as never,
    })
    expect(await types(9)).toEqual(['build', 'build', 'build', 'finished'])
    expect(server.requests).toHaveLength(2)
  })
})

describe('failed looks', () => {
  test('a 502, a page for people, a 429 and a lost connection are trouble; the delay doubles and returns (C2)', async () => {
    const lost = (response: ServerResponse): void => void response.destroy()
    const { clock, take } = await watching([running, 502, page, lost, 429, running])
    const changes = await take(6)
    expect(changes.map(({ type }) => type)).toEqual([
      'build',
      'trouble',
      'trouble',
      'trouble',
      'trouble',
      'build',
    ])
    expect(
      changes.flatMap((change) =>
        change.type === 'trouble' ? [[change.error.code, change.failures]] : [],
      ),
    ).toEqual([
      ['server_error', 1],
      ['invalid_response', 2],
      ['connection', 3],
      ['rate_limited', 4],
    ])
    expect(clock.slept).toEqual([5250, 10_000, 20_000, 40_000, 60_000])
  })

  test('a server that asks for more time gets it', async () => {
    const busy = (response: ServerResponse): void =>
      json(response, 503, { message: 'no' }, { 'retry-after': '90' })
    const { take } = await watching([running, busy])
    expect(await take(2)).toMatchObject([{ type: 'build' }, { type: 'trouble', nextMs: 90_000 }])
  })

  test('five in a row are ridden out, the sixth ends it', async () => {
    const { take, server } = await watching([running, 503])
    expect(await rejection(take(9))).toMatchObject({ code: 'server_error' })
    expect(server.requests).toHaveLength(7)
  })

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [400, 'bad_request'],
  ])('a %d ends it (C2)', async (status, code) => {
    const { take } = await watching([running, status])
    expect(await rejection(take(2))).toMatchObject({ code })
  })

  test('a 404 within 10 s after the build was made does not end it, later it does', async () => {
    const { take } = await watching([404], { first: build(42) as never, pollIntervalMs: 4000 })
    expect(await take(2)).toMatchObject([
      { type: 'build' },
      { type: 'trouble', error: { code: 'not_found' } },
    ])
    expect(await rejection(take(2))).toMatchObject({ code: 'not_found' })
  })
})

describe('how often a watch looks', () => {
  test('C4: an hour of watching a running build takes at most 300 requests, half of them while requests are scarce', async () => {
    const headers = { 'ratelimit-limit': '200', 'ratelimit-remaining': '12' }
    const scarce = (response: ServerResponse): void =>
      json(response, 200, build(42, running), headers)
    for (const [answer, most] of [
      [running, 300],
      [scarce, 152],
    ] as const) {
      const { server, take } = await watching([answer], { timeoutMs: 3_600_000 })
      expect((await take(1000)).at(-1)).toMatchObject({ type: 'finished', outcome: 'timeout' })
      expect(server.requests.length).toBeLessThanOrEqual(most)
    }
  })

  test('30 s once nothing has run for a minute, 5 s again when something does', async () => {
    const idle = Array.from({ length: 15 }, () => ({ state: 'scheduled' }))
    const { take } = await watching([...idle, running])
    const pauses = (await take(16)).map((change) => (change.type === 'build' ? change.nextMs : 0))
    expect([...new Set(pauses)]).toEqual([5250, 31_500])
    expect(pauses.at(-1)).toBe(5250)
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
        const times = given.scarce ? 2 : 1
        expect(pause).toBeGreaterThanOrEqual((given.fixedMs ?? 5000) * times)
        expect(pause).toBeLessThanOrEqual(Math.ceil((given.fixedMs ?? 30_000) * times * 1.1))
      }),
    )
  })

  test('a window counts as scarce under a fifth, whatever its header is called', () => {
    expect(isScarce(new Headers({ 'ratelimit-limit': '50', 'ratelimit-remaining': '10' }))).toBe(
      false,
    )
    expect(
      isScarce(new Headers({ 'ratelimit-user-limit': '50', 'ratelimit-user-remaining': '9' })),
    ).toBe(true)
    expect(isScarce(new Headers({ 'rate-limit-limit': '50', 'rate-limit-remaining': '0' }))).toBe(
      true,
    )
    expect(isScarce(new Headers({ 'ratelimit-limit': 'many', 'ratelimit-remaining': '0' }))).toBe(
      false,
    )
  })
})
