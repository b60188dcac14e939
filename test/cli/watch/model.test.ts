import type { CiError } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import { describe, expect, test } from 'vitest'
import {
  emptyWatch,
  reduceWatch,
  type WatchChange,
  type WatchModel,
} from '../../../cli/src/watch/model.js'
import { plainLines as draw, jsonlRecords } from '../../../cli/src/watch/presenter.js'
import { build, job } from './builds.js'

const REF = 'acme/web#4214'
const plainLines = (model: WatchModel) => draw(model, false).map(String)
const at = (time: string) => Date.parse(`2026-11-27T${time}Z`)

function steps(changes: readonly WatchChange[], now = 0): WatchModel[] {
  const models: WatchModel[] = []
  for (const change of changes)
    models.push(reduceWatch(models.at(-1) ?? emptyWatch(REF), change, now))
  return models
}

const answer = (time: string, read: Build, outcome: 'failed' | null = null): WatchChange => ({
  type: 'build',
  build: read,
  changed: [],
  at: at(time),
  nextMs: 5000,
  outcome,
})
const trouble = (nextMs: number, failures: number): WatchChange => {
  const error = { code: 'server_error', message: 'GET … answered 502' } as CiError
  return { type: 'trouble', error, failures, nextMs }
}

describe('the output of a watch', () => {
  const tests = job({ id: 'j1', name: ':hammer: Unit tests 3/8', state: 'running' })
  const moved = (
    time: string,
    to: string,
    from: string,
    promised: number | null = null,
  ): WatchChange => {
    return { type: 'job', job: { ...tests, state: to }, from, to, promised, at: at(time) }
  }
  const failing = { failing_at: '2026-11-27T13:07:00.000Z' }
  const story = steps(
    [
      answer('13:02:00', build({ state: 'scheduled', started_at: null })),
      moved('13:02:11', 'running', 'scheduled'),
      answer('13:02:11', build()),
      trouble(10_000, 1),
      trouble(20_000, 2),
      moved('13:03:40', 'running', 'running', 1),
      answer('13:03:40', build()),
      moved('13:07:00', 'failed', 'running'),
      answer('13:07:00', build({ state: 'failing', ...failing })),
      answer(
        '13:08:52',
        build({ state: 'failed', ...failing, finished_at: '2026-11-27T13:08:52.000Z' }),
        'failed',
      ),
    ],
    at('13:02:30'),
  )

  test('plain lines have one line per change, in UTC; the last one has duration and address', () => {
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

  test('jsonl records have type, at and number; the last one has outcome and exit code', () => {
    const records = story.flatMap((model) => jsonlRecords(model, 'finished'))
    expect(records.map((record) => 'type' in record && record.type)).toEqual(
      'build.state job.state build.state poll.error poll.error job.promised_failure job.state build.failing build.state build.state build.finished'.split(
        ' ',
      ),
    )
    const about = { at: expect.stringMatching(/Z$/u), build: REF, number: 4214 }
    for (const record of records) expect(record).toMatchObject(about)
    const ran = { job_id: 'j1', name: ':hammer: Unit tests 3/8', from: 'scheduled', to: 'running' }
    expect(records[1]).toEqual({
      type: 'job.state',
      ...about,
      at: '2026-11-27T13:02:11.000Z',
      ...ran,
    })
    const ended = { state: 'failed', outcome: 'failed', exitCode: 1 }
    expect(records.at(-1)).toEqual({
      type: 'build.finished',
      ...about,
      at: '2026-11-27T13:08:52.000Z',
      ...ended,
    })
  })

  test('the state from before a retry is not printed; with several builds each line names its build', () => {
    const retried = build({ state: 'failed', ...failing, jobs: [job({ state: 'scheduled' })] })
    const models = steps([
      answer('13:20:00', retried),
      moved('13:21:00', 'running', 'scheduled'),
      answer('13:21:00', build()),
    ])
    expect(models[0]).toMatchObject({ state: null, events: [] })
    expect(models.flatMap((model) => draw(model, true).map(String))).toEqual([
      '2026-11-27T13:21:00Z build acme/web#4214 job ":hammer: Unit tests 3/8": scheduled -> running',
      '2026-11-27T13:21:00Z build acme/web#4214: running',
    ])
  })

  test('only the first error of a streak is printed', () => {
    expect(
      story.flatMap(({ events }) =>
        events.flatMap((event) => (event.type === 'poll.error' ? event.first : [])),
      ),
    ).toEqual([true, false])
    expect(story[4]).toMatchObject({ build: { state: 'running' }, trouble: 'GET … answered 502' })
    expect(story[6]?.trouble).toBeNull()
  })

  test('names from the server cannot control the terminal', () => {
    const nasty = job({ id: 'n', name: 'a\u001b[2Jb\u202ec\nsecond line', state: 'running' })
    const [only] = steps([
      { type: 'job', job: nasty, from: 'scheduled', to: 'running', promised: null, at: 0 },
    ])
    expect(plainLines(only ?? emptyWatch(REF))).toEqual([
      '1970-01-01T00:00:00Z job "a\\u001b[2Jb\ufffdc": scheduled -> running',
    ])
  })

  test('an answer without jobs keeps the jobs of the answer before', () => {
    const models = steps([
      answer('13:02:00', build({ jobs: [tests] })),
      answer('13:03:00', build()),
    ])
    expect(models.at(-1)?.build?.jobs).toHaveLength(1)
  })
})
