import { render } from 'ink-testing-library'
import { describe, expect, test } from 'vitest'
import { say } from '../../../cli/src/io/printable.js'
import { cells } from '../../../cli/src/io/width.js'
import type { ViewOptions } from '../../../cli/src/views/view.js'
import { layoutBoard } from '../../../cli/src/watch/board.js'
import { layoutFrame } from '../../../cli/src/watch/frame.js'
import { emptyWatch, type WatchModel } from '../../../cli/src/watch/model.js'
import { Frame } from '../../../cli/src/watch/ui/screen.js'
import { view as viewOf } from '../support/build.js'
import { build, job } from './builds.js'

const now = Date.parse('2026-11-27T13:08:14Z')

const view = (...options: Parameters<typeof viewOf>): ViewOptions => ({
  ...viewOf(...options),
  now,
})

const part = (index: number, state: string, promised?: number) =>
  job({
    name: ':hammer: Unit tests',
    state,
    parallel_group_index: index,
    parallel_group_total: 8,
    started_at: '2026-11-27T13:06:09.000Z',
    finished_at: state === 'passed' ? '2026-11-27T13:07:09.000Z' : null,
    promised_exit_status: promised ?? null,
  })

function watched(fields: Partial<WatchModel> = {}): WatchModel {
  const passed = Array.from({ length: 4 }, () =>
    job({ state: 'passed', finished_at: '2026-11-27T13:04:00.000Z' }),
  )
  const jobs = [
    ...passed,
    ...[0, 1, 3, 4, 5, 7].map((index) => part(index, 'passed')),
    part(2, 'running', 1),
    part(6, 'running'),
    job({ type: 'waiter', state: 'waiting' }),
    ...Array.from({ length: 3 }, () => job({ state: 'waiting' })),
  ]
  const shown = fields.build ?? build({ jobs })
  return {
    ...emptyWatch('acme/web#4214'),
    at: now,
    delayMs: 5200,
    state: shown.state,
    ...fields,
    build: shown,
  }
}

function frame(
  width: number,
  rows: number,
  model = watched(),
  looks: Partial<ViewOptions['looks']> = {},
): string[] {
  return layoutFrame({ model, rows, tick: 2 }, view(width, looks)).map(String)
}

describe('the frame of a watch', () => {
  test('at 100 columns shows everything', () => {
    expect(frame(100, 30)).toEqual([
      '▸ acme/web #4214 running  Add rate limiting to the upload endpoint',
      '  feat/uploads · 9b1d4e7c02ab · 6m 03s · poll 5s',
      '  ⠹ running  🔨 Unit tests 3/8  promised exit 1  2m 05s',
      '  ⠹ running  🔨 Unit tests 7/8                   2m 05s',
      '  ◦ waiting  3 jobs',
      '  ✓ passed   10 jobs',
      '  ################################----------------  10 of 15 jobs',
    ])
  })

  test('at 60 columns leaves out commit and poll', () => {
    expect(frame(60, 30)).toEqual([
      '▸ acme/web #4214 running  Add rate limiting to the upload e…',
      '  feat/uploads · 6m 03s',
      '  ⠹ running  🔨 Unit tests 3/8  promised exit 1  2m 05s',
      '  ⠹ running  🔨 Unit tests 7/8                   2m 05s',
      '  ◦ waiting  3 jobs',
      '  ✓ passed   10 jobs',
      '  ###############--------  10 of 15 jobs',
    ])
  })

  test('in ASCII has no other characters', () => {
    const lines = frame(60, 30, watched(), { ascii: true })
    expect(lines.join('\n')).toMatch(/^[\u0020-\u007e\n]*$/u)
    expect(lines[0]).toBe('> acme/web #4214 running  Add rate limiting to the upload...')
  })

  test.each([40, 60, 100, 200])(
    'at %d columns no line is wider, and ink draws the lines unchanged',
    (width) => {
      const lines = frame(width, 30)
      for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(width)
      const { lastFrame, unmount } = render(<Frame lines={lines.map((line) => say`${line}`)} />)
      if (width <= 100) expect(lastFrame()).toBe(lines.join('\n'))
      unmount()
    },
  )

  test.each([40, 60, 100, 200])('at %d columns fits many jobs into any height', (width) => {
    const many = [
      'failed',
      'running',
      'blocked',
      'waiting',
      'scheduled',
      'passed',
      'canceled',
    ].flatMap((state) =>
      Array.from({ length: 12 }, (_, at) =>
        job({ name: `${state} ${at} 修正 🎉`, state, type: 'script' }),
      ),
    )
    const model = watched({ build: build({ jobs: many }) })
    for (let rows = 1; rows < 40; rows++) {
      const lines = frame(width, rows, model)
      expect(lines.length).toBeLessThanOrEqual(rows)
      for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(width)
    }
    expect(frame(width, 12, model)).toHaveLength(12)
    expect(frame(width, 12, model).some((line) => line.includes('+ more'))).toBe(true)
  })

  test('shows the error of a failed request below the last frame', () => {
    const failing = watched({ trouble: 'GET /v2 answered 502', delayMs: 10_000 })
    expect(frame(100, 30, failing).at(-1)).toBe(
      '  ! no news, next try in 10 s: GET /v2 answered 502',
    )
  })

  test('shows a build that is over', () => {
    const failed = build({
      state: 'failed',
      finished_at: '2026-11-27T13:08:52.000Z',
      jobs: [
        job({
          name: 'Unit',
          state: 'failed',
          exit_status: 1,
          finished_at: '2026-11-27T13:08:52.000Z',
        }),
      ],
    })
    expect(frame(100, 30, watched({ build: failed, outcome: 'failed' }))).toEqual([
      '✗ acme/web #4214 failed  Add rate limiting to the upload endpoint',
      '  Unit failed: exit 1',
      '  feat/uploads · 9b1d4e7c02ab · 6m 41s',
      '  ✗ failed  Unit  exit 1',
      `  ${'#'.repeat(48)}  1 of 1 job, 1 failed`,
    ])
  })

  test('shows a build whose jobs were retried as `retried` until its state changes', () => {
    const old = {
      state: 'failed',
      finished_at: '2026-11-27T13:08:52.000Z',
      jobs: [job({ state: 'scheduled' })],
    }
    expect(frame(100, 30, watched({ build: build(old), state: null })).slice(0, 2)).toEqual([
      '◦ acme/web #4214 retried  Add rate limiting to the upload endpoint',
      '  feat/uploads · 9b1d4e7c02ab · poll 5s',
    ])
  })
})

describe('the board of several builds', () => {
  const over = { finished_at: '2026-11-27T13:08:00.000Z' }
  const of = (ref: string, fields: Partial<WatchModel>) => ({
    model: { ...watched(fields), ref },
    now,
  })
  const watchedAll = [
    of('acme/docs#7', { build: build({ number: 7, state: 'passed', ...over }), outcome: 'passed' }),
    of('acme/web#4214', {}),
    of('acme/api#93', {
      build: build({ state: 'failed', ...over, jobs: [job({ state: 'failed', ...over })] }),
      outcome: 'failed',
    }),
    of('acme/mobile#12', { trouble: 'GET /v2 answered 502', delayMs: 10_000 }),
    { model: emptyWatch('acme/site#1'), now },
  ]
  const board = (rows: number, width = 80) =>
    layoutBoard({ watched: watchedAll, rows, tick: 2 }, view(width)).map(String)

  test('has one line per build, failed ones first, and the number of builds that are over', () => {
    expect(board(30)).toEqual([
      '  ✗ failed   acme/api#93     1 of 1 job, 1 failed       5m 49s',
      '  ⠹ running  acme/web#4214   10 of 15 jobs              6m 03s',
      '  ⠹ running  acme/mobile#12  no news, next try in 10 s  6m 03s',
      '  ◦ waiting  acme/site#1',
      '  ✓ passed   acme/docs#7                                5m 49s',
      '  #################--------------------------  2 of 5 builds, 1 failed',
    ])
  })

  test.each([1, 2, 3, 4, 5, 6])('fits into %d rows', (rows) => {
    for (const width of [40, 60, 100]) {
      const lines = board(rows, width)
      expect(lines.length).toBeLessThanOrEqual(rows)
      for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(width)
    }
    if (rows === 4) expect(board(4)[2]).toBe('  + 3 more')
  })
})
