import { describe, expect, it } from 'vitest'
import { buildState, hasEnded, recomputeBuild } from '../../../mock-server/src/domain/build.js'
import type { BuildRecord, JobRecord } from '../../../mock-server/src/records/records.js'
import { aBuild, aJob } from '../../support/records.js'

const now = Date.parse('2026-03-02T09:00:00.000Z')
const at = '2026-03-02T09:00:00.000Z'
const before = '2026-03-02T08:00:00.000Z'
const s = (state: string, fields: Partial<JobRecord> = {}) => aJob({ id: state, state, ...fields })
const block = (state: string, blockedState?: 'passed' | 'failed' | 'running') =>
  s(state, { type: 'manual', step: { block: 'Go?', ...(blockedState ? { blockedState } : {}) } })
const retried = { retried: true }

describe('what jobs say about their build', () => {
  it.each<[readonly JobRecord[], boolean, string, boolean, boolean]>([
    [[s('passed'), s('passed')], true, 'passed', false, true],
    [[s('passed'), s('failed')], true, 'failed', false, true],
    [[s('failed', retried), s('passed')], true, 'passed', false, true],
    [[s('failed', retried), s('scheduled')], true, 'running', false, false],
    [[s('skipped'), s('broken'), s('passed', { type: 'waiter' })], false, 'not_run', false, true],
    [[s('expired', retried), s('skipped')], false, 'not_run', false, true],
    [[s('skipped'), s('skipped')], true, 'passed', false, true],
    [[s('skipped'), s('expired')], false, 'failed', false, true],
    [[s('skipped'), s('unblocked', { type: 'manual' })], false, 'passed', false, true],
    [[s('scheduled'), s('waiting')], false, 'scheduled', false, false],
    [[s('expired'), s('scheduled')], false, 'scheduled', false, false],
    [[s('passed'), s('scheduled')], true, 'running', false, false],
    [[s('failed'), s('running')], true, 'failing', false, false],
    [[s('passed'), block('blocked'), s('blocked')], true, 'passed', true, true],
    [[s('passed'), block('blocked', 'failed'), s('blocked')], true, 'failed', true, true],
    [
      [s('passed'), block('unblocked', 'failed'), block('blocked', 'running')],
      true,
      'running',
      true,
      true,
    ],
    [
      [
        s('passed'),
        s('blocked', { step: { block: 'x', blockedState: 'failed' } }),
        block('blocked'),
      ],
      true,
      'passed',
      true,
      true,
    ],
    [[s('passed'), s('blocked', { type: 'manual' })], true, 'passed', true, true],
    [[s('passed'), s('waiting')], true, 'passed', true, true],
    [[block('blocked', 'failed'), s('blocked')], false, 'scheduled', true, false],
  ])('%#: is read off the latest executions', (jobs, started, state, blocked, finished) => {
    expect(buildState(jobs, started)).toEqual({ state, blocked, finished })
  })

  it('ends it, unless it only shows an end at a block step', () => {
    const ended = ['passed', 'failed', 'canceled', 'skipped', 'not_run']
    const all = [...ended, 'scheduled', 'running', 'failing', 'canceling', 'waiting']
    expect(all.filter((state) => hasEnded(aBuild({ id: 'b', number: 1, state })))).toEqual(ended)
    expect(
      all.filter((state) => hasEnded(aBuild({ id: 'b', number: 1, state, blocked: true }))),
    ).toEqual([])
  })
})

describe('a build that is recomputed', () => {
  const build = (fields: Partial<BuildRecord>) => aBuild({ id: 'b1', number: 1, ...fields })
  const recomputed = (fields: Partial<BuildRecord>) => recomputeBuild(build(fields), now)

  it('stays skipped or not run for ever', () => {
    for (const state of ['skipped', 'not_run']) {
      const ended = { state, finished_at: before, jobs: [s('running', { started_at: before })] }
      expect(recomputed(ended)).toEqual(build(ended))
    }
  })

  it('that has ended comes back only with a job that runs', () => {
    const ended = { state: 'failed', started_at: before, finished_at: before }
    const again = { ...ended, jobs: [s('failed', retried), s('scheduled')] }
    expect(recomputed(again)).toEqual(build(again))
    for (const state of ['running', 'timing_out']) {
      const jobs = [s('failed', retried), s(state, { started_at: at })]
      expect(recomputed({ ...ended, jobs })).toMatchObject({
        state: 'running',
        started_at: before,
        finished_at: null,
      })
    }
    const old = [s('running', { ...retried, started_at: before }), s('scheduled')]
    expect(recomputed({ ...ended, jobs: old })).toEqual(build({ ...ended, jobs: old }))
  })

  it('that has ended takes another end at its old time, but for one that was canceled', () => {
    const ended = { state: 'failed', started_at: before, finished_at: before }
    const jobs = [s('failed', retried), s('passed')]
    expect(recomputed({ ...ended, jobs })).toEqual(build({ ...ended, state: 'passed', jobs }))
    const canceled = { ...ended, state: 'canceled', jobs }
    expect(recomputed(canceled)).toEqual(build(canceled))
    const gated = { ...ended, jobs: [s('failed', retried), s('passed'), block('blocked')] }
    expect(recomputed(gated)).toEqual(build(gated))
  })

  it('keeps when it first was failing, and when it was first held at a block step', () => {
    const failing = { jobs: [s('failed'), s('running')], started_at: before }
    expect(recomputed(failing)).toMatchObject({ state: 'failing', failing_at: at })
    expect(recomputed({ ...failing, failing_at: before })).toMatchObject({ failing_at: before })
    const held = { state: 'passed', jobs: [s('passed'), block('blocked')], started_at: before }
    expect(recomputed({ ...held, state: 'running' })).toMatchObject({
      blocked: true,
      finished_at: at,
    })
    expect(recomputed({ ...held, blocked: true, finished_at: before })).toMatchObject({
      finished_at: before,
    })
    const on = { ...held, blocked: true, finished_at: before, jobs: [s('passed'), s('scheduled')] }
    expect(recomputed(on)).toMatchObject({ state: 'running', blocked: false, finished_at: null })
    expect(recomputed({ ...on, jobs: [s('passed')] })).toMatchObject({
      state: 'passed',
      finished_at: at,
    })
  })
})
