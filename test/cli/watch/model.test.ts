import { describe, expect, test } from 'vitest'
import { jsonlRecords, watchEnd } from '../../../cli/src/watch/jsonl.js'
import { emptyWatch, reduceWatch, type WatchInput, type WatchModel } from '../../../cli/src/watch/model.js'
import { plainLines as draw } from '../../../cli/src/watch/plain.js'
import { build, job } from './builds.js'

const plainLines = (model: WatchModel) => draw(model).map(String)
const rules = { until: 'finished', allowBlocked: false } as const
const at = (time: string) => Date.parse(`2026-11-27T${time}Z`)

function steps(inputs: readonly WatchInput[]): WatchModel[] {
  const models: WatchModel[] = []
  let model = emptyWatch
  for (const input of inputs) {
    model = reduceWatch(model, input, rules)
    models.push(model)
  }
  return models
}

describe('what a watch tells', () => {
  const tests = job({ id: 'j1', name: ':hammer: Unit tests 3/8', state: 'running' })
  const story = steps([
    {
      kind: 'snapshot',
      at: at('13:02:00'),
      build: build({ state: 'scheduled', started_at: null, jobs: [{ ...tests, state: 'scheduled' }] }),
      delayMs: 5000,
    },
    { kind: 'snapshot', at: at('13:02:11'), build: build({ jobs: [tests] }), delayMs: 5000 },
    { kind: 'trouble', at: at('13:02:20'), code: 'server_error', message: 'GET … answered 502', delayMs: 10_000 },
    { kind: 'trouble', at: at('13:02:30'), code: 'server_error', message: 'GET … answered 502', delayMs: 20_000 },
    {
      kind: 'snapshot',
      at: at('13:03:40'),
      build: build({ jobs: [{ ...tests, promised_exit_status: 1 }] }),
      delayMs: 5000,
    },
    {
      kind: 'snapshot',
      at: at('13:07:00'),
      build: build({
        state: 'failing',
        failing_at: '2026-11-27T13:07:00.000Z',
        jobs: [{ ...tests, state: 'failed', promised_exit_status: 1, exit_status: 1 }],
      }),
      delayMs: 5000,
    },
    {
      kind: 'snapshot',
      at: at('13:08:52'),
      build: build({
        state: 'failed',
        failing_at: '2026-11-27T13:07:00.000Z',
        finished_at: '2026-11-27T13:08:52.000Z',
        jobs: [{ ...tests, state: 'failed', promised_exit_status: 1, exit_status: 1 }],
      }),
      delayMs: 5000,
    },
  ])

  test('plain lines: one per change, in UTC, the last with duration and address', () => {
    expect(story.flatMap(plainLines)).toEqual([
      '2026-11-27T13:02:00Z build 4214: scheduled',
      '2026-11-27T13:02:11Z job ":hammer: Unit tests 3/8": scheduled -> running',
      '2026-11-27T13:02:11Z build 4214: scheduled -> running',
      '2026-11-27T13:03:40Z job ":hammer: Unit tests 3/8": promised exit 1',
      '2026-11-27T13:07:00Z job ":hammer: Unit tests 3/8": running -> failed',
      '2026-11-27T13:07:00Z build 4214: running -> failing',
      '2026-11-27T13:08:52Z build 4214: failing -> failed after 6m 41s https://ci.example.test/acme/web/builds/4214',
    ])
  })

  test('jsonl: every event with type, at and number; the last one says outcome and exit code', () => {
    const records = story.flatMap(jsonlRecords)
    expect(records.map((record) => 'type' in record && record.type)).toEqual([
      'build.state',
      'job.state',
      'build.state',
      'poll.error',
      'poll.error',
      'job.promised_failure',
      'job.state',
      'build.failing',
      'build.state',
      'build.state',
    ])
    for (const record of records) expect(record).toMatchObject({ at: expect.stringMatching(/Z$/u), number: 4214 })
    expect(records[1]).toEqual({
      type: 'job.state',
      at: '2026-11-27T13:02:11.000Z',
      number: 4214,
      job_id: 'j1',
      name: ':hammer: Unit tests 3/8',
      from: 'scheduled',
      to: 'running',
    })
    expect(watchEnd(story.at(-1) ?? emptyWatch, 'finished')).toEqual({
      type: 'build.finished',
      at: '2026-11-27T13:08:52.000Z',
      number: 4214,
      state: 'failed',
      outcome: 'failed',
      exitCode: 1,
    })
    expect(story.slice(0, -1).map((model) => watchEnd(model, 'finished'))).not.toContainEqual(expect.anything())
  })

  test('C1: a build that is over already prints its result once', () => {
    const over = build({ state: 'failed', finished_at: '2026-11-27T13:08:52.000Z', jobs: [job({ state: 'failed' })] })
    const [only] = steps([{ kind: 'snapshot', at: at('14:00:00'), build: over, delayMs: 5000 }])
    expect(plainLines(only ?? emptyWatch)).toEqual([
      '2026-11-27T14:00:00Z build 4214: failed after 6m 41s https://ci.example.test/acme/web/builds/4214',
    ])
    expect(only?.outcome).toBe('failed')
  })

  test('errors of one streak are one piece of news', () => {
    expect(
      story.flatMap(({ events }) => events.flatMap((event) => (event.type === 'poll.error' ? event.first : []))),
    ).toEqual([true, false])
    expect(story[3]?.build?.state).toBe('running')
    expect(story[4]?.trouble).toBeNull()
  })

  test('names from the server cannot steer the terminal', () => {
    const nasty = job({ id: 'n', name: 'a\u001b[2Jb\u202ec\nsecond line', state: 'scheduled' })
    const models = steps([
      { kind: 'snapshot', at: 0, build: build({ jobs: [nasty] }), delayMs: 1 },
      { kind: 'snapshot', at: 0, build: build({ jobs: [{ ...nasty, state: 'running' }] }), delayMs: 1 },
    ])
    expect(models.flatMap(plainLines).at(-1)).toBe(
      '1970-01-01T00:00:00Z job "a\\u001b[2Jb\ufffdc": scheduled -> running',
    )
  })

  test('an answer without jobs keeps those of the answer before', () => {
    const models = steps([
      { kind: 'snapshot', at: 0, build: build({ jobs: [tests] }), delayMs: 1 },
      { kind: 'snapshot', at: 0, build: build(), delayMs: 1 },
    ])
    expect(models.at(-1)?.build?.jobs).toHaveLength(1)
  })
})
