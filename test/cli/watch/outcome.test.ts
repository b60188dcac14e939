import type { Build } from '@buildwire/sdk/contract'
import { describe, expect, test } from 'vitest'
import { emptyWatch, reduceWatch, type WatchModel } from '../../../cli/src/watch/model.js'
import { judge, outcomeExitCode, type Until } from '../../../cli/src/watch/outcome.js'
import { build, job } from './builds.js'

const finished = { finished_at: '2026-11-27T13:08:52.000Z' }

function exitCode(found: Build, until: Until = 'finished', allowBlocked = false): number | null {
  const verdict = judge(found, { until, allowBlocked })
  return verdict === null ? null : outcomeExitCode(verdict.outcome, until)
}

function follow(builds: readonly Build[]): WatchModel {
  const rules = { until: 'finished', allowBlocked: false } as const
  return builds.reduce<WatchModel>(
    (model, each) => reduceWatch(model, { kind: 'snapshot', at: 0, build: each, delayMs: 1 }, rules),
    emptyWatch,
  )
}

describe('the outcome of a watch', () => {
  test.each([
    ['passed', { ...finished }, 0],
    ['failed', { ...finished }, 1],
    ['canceled', { ...finished }, 6],
    ['skipped', { ...finished }, 12],
    ['not_run', { ...finished }, 12],
    ['running', {}, null],
    ['scheduled', { started_at: null }, null],
    ['canceling', {}, null],
    ['passed', { ...finished, blocked: true }, 11],
    ['scheduled', { blocked: true, started_at: null }, 11],
    ['canceled', { ...finished, blocked: true }, 6],
    ['passed', { ...finished, failing_at: '2026-11-27T13:04:00.000Z' }, 0],
  ] as const)('C1: state %s with %o exits with %s', (state, fields, code) => {
    expect(exitCode(build({ state, ...fields }))).toBe(code)
  })

  test('soft failures do not count', () => {
    const soft = job({ state: 'failed', soft_failed: true, exit_status: 2, promised_exit_status: 2 })
    expect(exitCode(build({ state: 'passed', ...finished, jobs: [soft] }))).toBe(0)
    expect(exitCode(build({ jobs: [soft] }), 'failing')).toBeNull()
  })

  test('--allow-blocked goes on waiting', () => {
    expect(exitCode(build({ state: 'passed', ...finished, blocked: true }), 'finished', true)).toBeNull()
  })

  test('--until blocked: 0 when blocked, its outcome when it finished before', () => {
    expect(exitCode(build({ state: 'passed', ...finished, blocked: true }), 'blocked')).toBe(0)
    expect(exitCode(build({ state: 'failed', ...finished }), 'blocked')).toBe(1)
  })

  test('--until started: 0 when it runs or has passed, its outcome when it failed', () => {
    expect(exitCode(build({ state: 'scheduled', started_at: null }), 'started')).toBeNull()
    expect(exitCode(build({ state: 'running' }), 'started')).toBe(0)
    expect(exitCode(build({ state: 'passed', ...finished }), 'started')).toBe(0)
    expect(exitCode(build({ state: 'failed', ...finished }), 'started')).toBe(1)
  })

  test('C3: --until failing ends at a promise, and names the job', () => {
    const promising = job({ name: 'Unit tests', state: 'running', promised_exit_status: 1 })
    expect(
      judge(build({ jobs: [job({ state: 'running' }), promising] }), { until: 'failing', allowBlocked: false }),
    ).toEqual({ outcome: 'failing', job: promising })
    expect(exitCode(build({ jobs: [promising] }), 'failing')).toBe(1)
    expect(exitCode(build({ failing_at: '2026-11-27T13:04:00.000Z' }), 'failing')).toBe(1)
    expect(
      exitCode(build({ state: 'passed', ...finished, jobs: [{ ...promising, state: 'passed' }] }), 'failing'),
    ).toBe(0)
  })

  test('a terminal state from before a retry does not count while its jobs still move', () => {
    const retried = job({ state: 'failed', retried: true })
    const waiting = build({ state: 'failed', ...finished, jobs: [retried, job({ state: 'scheduled' })] })
    expect(exitCode(waiting)).toBeNull()
    expect(exitCode(build({ state: 'failed', ...finished, jobs: [job({ state: 'failed' })] }))).toBe(1)
  })

  test('an unknown state with an end time ends after three answers in a row, with 1', () => {
    const odd = build({ state: 'exploded', ...finished })
    expect(follow([odd, odd]).outcome).toBeNull()
    expect(follow([odd, build(), odd, odd]).outcome).toBeNull()
    expect(follow([odd, odd, odd]).outcome).toBe('unknown')
    expect(outcomeExitCode('unknown', 'finished')).toBe(1)
    expect(
      follow([build({ state: 'exploded' }), build({ state: 'exploded' }), build({ state: 'exploded' })]).outcome,
    ).toBeNull()
  })
})
