import { JOB_STATES } from '@buildwire/sdk/contract'
import { describe, expect, it } from 'vitest'
import { settleBarriers } from '../../../mock-server/src/domain/barriers.js'
import {
  isActive,
  isBarrier,
  isFinished,
  isHardFailure,
  isHeld,
  isLatest,
  isRunning,
  newJob,
} from '../../../mock-server/src/domain/job.js'
import type { JobRecord } from '../../../mock-server/src/store/records.js'
import { aJob } from '../../support/records.js'

const at = '2026-03-02T09:00:00.000Z'
const job = (fields: Partial<JobRecord>): JobRecord => aJob({ id: 'j1', ...fields })
const statesThat = (holds: (job: JobRecord) => boolean, fields: Partial<JobRecord> = {}) =>
  JOB_STATES.filter((state) => holds(job({ ...fields, state })))

describe('the states of a job', () => {
  it('are those of the spec', () => {
    expect(JOB_STATES).toHaveLength(21)
    expect(new Set(JOB_STATES).size).toBe(21)
  })

  it('are finished, held, or active', () => {
    const held = ['pending', 'waiting', 'blocked']
    const active = ['scheduled', 'assigned', 'accepted', 'running', 'timing_out', 'canceling', 'limited']
    expect(statesThat(isHeld)).toEqual(held)
    expect(statesThat(isActive)).toEqual(active)
    expect(statesThat(isFinished)).toEqual(
      JOB_STATES.filter((state) => !held.includes(state) && !active.includes(state)),
    )
    expect(statesThat(isRunning)).toEqual(['running', 'timing_out'])
  })

  it('fail the build hard when work ended badly and may not be forgiven', () => {
    const bad = ['failed', 'timed_out', 'canceled', 'expired']
    expect(statesThat(isHardFailure)).toEqual(bad)
    expect(statesThat(isHardFailure, { type: 'trigger' })).toEqual(bad)
    expect(statesThat(isHardFailure, { soft_failed: true })).toEqual(bad.slice(1))
    expect(statesThat(isHardFailure, { retried: true })).toEqual([])
    for (const type of ['waiter', 'manual'] as const) expect(statesThat(isHardFailure, { type })).toEqual([])
  })

  it('belong to work or to barriers, and to the latest execution or an earlier one', () => {
    const types = ['script', 'waiter', 'manual', 'trigger'] as const
    expect(types.filter((type) => isBarrier(job({ type })))).toEqual(['waiter', 'manual'])
    expect([isLatest(job({})), isLatest(job({ retried: true }))]).toEqual([true, false])
  })

  it('begin with pending', () => {
    const own = { id: 'j1', type: 'script', stepId: 's1', created_at: at, scheduled_at: at } as const
    expect(newJob(own)).toMatchObject({ ...own, state: 'pending', priority: 0, command: '', agent_query_rules: [] })
  })
})

describe('barriers', () => {
  const s = (state: string, fields: Partial<JobRecord> = {}) => job({ state, ...fields })
  const wait = (state: string, fields: Partial<JobRecord> = {}) => job({ type: 'waiter', state, ...fields })
  const block = (state: string) => job({ type: 'manual', state })
  const settled = (...jobs: readonly JobRecord[]) => settleBarriers(jobs, at).map(({ state }) => state)
  const goesOn = { step: { wait: true, continueOnFailure: true } } as const

  it.each<[string, readonly JobRecord[], readonly string[]]>([
    ['lets work go that waits for none', [s('waiting')], ['scheduled']],
    [
      'holds work behind a barrier that is not passed',
      [s('running'), wait('waiting'), s('waiting')],
      ['running', 'waiting', 'waiting'],
    ],
    [
      'passes a waiter once all before it ended',
      [s('passed'), wait('waiting'), s('waiting'), s('waiting')],
      ['passed', 'passed', 'scheduled', 'scheduled'],
    ],
    [
      'reaches a block step once all before it ended',
      [s('passed'), block('waiting'), s('blocked')],
      ['passed', 'blocked', 'blocked'],
    ],
    [
      'leaves a reached block step reached',
      [s('running'), block('blocked'), s('blocked')],
      ['running', 'blocked', 'blocked'],
    ],
    [
      'lets work go behind a block step that was unblocked',
      [block('unblocked'), s('blocked')],
      ['unblocked', 'scheduled'],
    ],
    ['lets work go behind a barrier that was skipped', [wait('skipped'), s('waiting')], ['skipped', 'scheduled']],
    ['fails work behind a barrier that was canceled', [wait('canceled'), s('waiting')], ['canceled', 'waiting_failed']],
    [
      'fails work behind a block step that failed',
      [block('unblocked_failed'), s('blocked')],
      ['unblocked_failed', 'blocked_failed'],
    ],
    [
      'fails barriers after a hard failure',
      [s('failed'), s('running'), wait('waiting'), s('waiting'), block('blocked')],
      ['failed', 'running', 'waiting_failed', 'waiting_failed', 'blocked_failed'],
    ],
    [
      'goes on after one where the wait says so',
      [s('failed'), wait('waiting', goesOn), s('waiting')],
      ['failed', 'passed', 'scheduled'],
    ],
    [
      'does not where the wait does not say so',
      [s('failed'), wait('waiting', { step: { wait: true } })],
      ['failed', 'waiting_failed'],
    ],
    [
      'waits even there for what still runs',
      [s('failed'), s('running'), wait('waiting', goesOn)],
      ['failed', 'running', 'waiting'],
    ],
    [
      'is not told so by the step of a block',
      [s('failed'), job({ type: 'manual', state: 'waiting', step: { block: 'Go?' } })],
      ['failed', 'waiting_failed'],
    ],
    [
      'restores what failed once the failure is gone',
      [s('scheduled'), wait('waiting_failed'), s('waiting_failed')],
      ['scheduled', 'waiting', 'waiting'],
    ],
    [
      'restores a block step that was reached before',
      [s('passed'), block('blocked_failed'), s('blocked_failed')],
      ['passed', 'blocked', 'blocked'],
    ],
    [
      'opens at once what failed and need not wait',
      [s('passed'), wait('waiting_failed'), s('waiting_failed')],
      ['passed', 'passed', 'scheduled'],
    ],
    [
      'looks at the latest executions alone',
      [s('failed', { retried: true }), s('passed'), wait('waiting')],
      ['failed', 'passed', 'passed'],
    ],
    ['moves no earlier execution', [s('waiting', { retried: true }), s('waiting')], ['waiting', 'scheduled']],
    [
      'ends nothing twice',
      [s('passed'), wait('passed'), s('canceled'), block('canceled')],
      ['passed', 'passed', 'canceled', 'canceled'],
    ],
  ])('%s', (_name, jobs, states) => {
    expect(settled(...jobs)).toEqual(states)
  })

  it('gives each move its time', () => {
    const [, waiter, next] = settleBarriers([s('passed'), wait('waiting'), s('waiting')], at)
    expect([waiter?.finished_at, next?.runnable_at]).toEqual([at, at])
  })
})
