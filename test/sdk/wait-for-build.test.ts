import { buildOutcome, type CiEvent, type OutcomeOptions, waitForBuild } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { buildPath, client, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { build, type Look, sequence, serve } from './support/server.js'

const time = '2026-03-01T09:05:00.120Z'

test.each<[object, OutcomeOptions, string | null]>([
  [{ state: 'canceled', blocked: true }, {}, 'canceled'],
  [{ state: 'skipped' }, {}, 'skipped'],
  [{ state: 'not_run' }, {}, 'not_run'],
  [{ state: 'passed', blocked: true }, {}, 'blocked'],
  [{ state: 'passed', blocked: true }, { onBlocked: 'wait' }, null],
  [{ state: 'blocked' }, {}, 'blocked'],
  [{ state: 'passed' }, {}, 'passed'],
  [{ state: 'failed', failing_at: time }, { until: 'failing' }, 'failed'],
  [{ state: 'passed', failing_at: time }, { until: 'failing' }, 'passed'],
  [{ state: 'running', failing_at: time }, { until: 'failing' }, 'failing'],
  [{ state: 'failing' }, { until: 'failing' }, 'failing'],
  [{ state: 'failing', failing_at: time }, {}, null],
  [{ state: 'scheduled', started_at: time }, { until: 'started' }, 'started'],
  [{ state: 'running' }, { until: 'started' }, 'started'],
  [{ state: 'scheduled', started_at: null }, { until: 'started' }, null],
  [{ state: 'creating' }, {}, null],
  [{ state: 'canceling' }, {}, null],
  [{ state: 'waiting' }, { unfamiliarAndFinished: 2 }, null],
  [{ state: 'waiting' }, { unfamiliarAndFinished: 3 }, 'unknown'],
  [{ state: 'hibernating' }, { unfamiliarAndFinished: 3 }, 'unknown'],
  [{ state: 'running' }, { unfamiliarAndFinished: 3 }, null],
  [{ state: 'failed', jobs: [{ id: 'j', type: 'script', state: 'scheduled' }] }, {}, null],
  [{ state: 'failed', jobs: [{ id: 'j', type: 'script', state: 'failed' }] }, {}, 'failed'],
  [
    { state: 'running', jobs: [{ id: 'j', type: 'script', promised_exit_status: 1 }] },
    { until: 'failing' },
    'failing',
  ],
])('buildOutcome of %j with %j is %j', (more, options, expected) => {
  expect(buildOutcome(build(42, more), options)).toBe(expected)
})

/** A build that answers so, and what is told of the wait for it. */
async function waiting(...answers: Look[]) {
  const server = await serve(sequence(answers))
  const clock = new SleeplessClock()
  const events: CiEvent[] = []
  const ci = client(server.url, {
    clock,
    maxRetries: 0,
    onEvent: (event) => void (event.type === 'build' && events.push(event)),
  })
  return { server, clock, events, ci }
}

describe('waitForBuild', () => {
  test('asks every five seconds, without jobs, until the build is over', async () => {
    const { server, clock, events, ci } = await waiting(
      {},
      { state: 'running' },
      { state: 'running' },
      { state: 'passed' },
    )
    const { outcome, build: last } = await waitForBuild(ci, buildPath)
    expect(outcome).toBe('passed')
    expect(last.state).toBe('passed')
    expect(clock.slept).toEqual([5_250, 5_250, 5_250])
    expect(server.requests[0]?.url).toContain('?exclude_jobs=true')
    expect(events.map((event) => event.type === 'build' && event.state)).toEqual([
      'scheduled',
      'running',
      'passed',
    ])
  })

  test('asks for jobs when told to', async () => {
    const { server, ci } = await waiting({ state: 'passed' })
    await waitForBuild(ci, { ...buildPath, exclude_jobs: false })
    expect(server.requests[0]?.url).not.toContain('?')
  })

  test('rides out failures that say nothing about the build, ever more slowly', async () => {
    const { clock, events, ci } = await waiting(503, 502, 500, 503, 503, { state: 'failed' })
    expect(await waitForBuild(ci, buildPath)).toMatchObject({ outcome: 'failed' })
    expect(clock.slept).toEqual([10_000, 20_000, 40_000, 60_000, 60_000])
    expect(events.filter((event) => event.type === 'build' && event.kind === 'error')).toHaveLength(
      5,
    )
  })

  test('ends as timeout with the build as last read', async () => {
    const { ci, clock } = await waiting({ state: 'running' })
    const { outcome, build: last } = await waitForBuild(ci, buildPath, { timeoutMs: 12_000 })
    expect(outcome).toBe('timeout')
    expect(last.state).toBe('running')
    expect(clock.monotonic()).toBe(12_000)
  })

  test.each([0, 60_000])(
    'throws the last error when no answer came in time, woken %d ms late',
    async (lateMs) => {
      const { ci, clock } = await waiting(503)
      clock.onSleep = () => {
        clock.trueMs += lateMs
        return 0
      }
      expect(await rejection(waitForBuild(ci, buildPath, { timeoutMs: 30_000 }))).toMatchObject({
        code: 'server_error',
      })
    },
  )

  test('ends as unknown when a state it does not know is finished three times in a row', async () => {
    const odd = { state: 'hibernating', finished_at: time }
    const { ci, events, server } = await waiting(
      odd,
      { state: 'waiting' },
      { state: 'waiting_failed' },
      odd,
      odd,
      odd,
    )
    expect(await waitForBuild(ci, buildPath)).toMatchObject({ outcome: 'unknown' })
    expect(server.requests).toHaveLength(6)
    const unknown = events.filter(
      (event) => event.type === 'build' && event.kind === 'unknown_state',
    )
    expect(unknown).toMatchObject([{ state: 'hibernating' }, { state: 'waiting_failed' }])
  })
})
