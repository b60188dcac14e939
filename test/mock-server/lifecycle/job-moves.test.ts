import { JOB_STATES } from '@buildwire/sdk/contract'
import { describe, expect, it } from 'vitest'
import { settleBarriers } from '../../../mock-server/src/domain/barriers.js'
import { isFinished, type JobState, type JobType } from '../../../mock-server/src/domain/job.js'
import { type JobEvent, jobMoves, moveJob } from '../../../mock-server/src/domain/job-moves.js'
import type { JobRecord } from '../../../mock-server/src/records/records.js'
import { aJob } from '../../support/records.js'

const at = '2026-03-02T09:00:00.000Z'
const types: readonly JobType[] = ['script', 'waiter', 'manual', 'trigger']

/** Every move there is: event | of | from | to | what a refusal says the job can't do. */
const table = `
assign        | script                | scheduled                                             | assigned                       | be assigned
accept        | script                | assigned                                              | accepted                       | be accepted
start         | script                | accepted                                              | running                        | start
promise       | script                | running                                               | running                        | promise its failure
exit          | script                | running                                               | passed failed                  | exit
timeOut       | script                | running                                               | timing_out                     | time out
stopTimedOut  | script                | timing_out                                            | timed_out                      | end its time-out
limit         | script                | scheduled                                             | limited                        | be limited
unlimit       | script                | limited                                               | scheduled                      | be scheduled
expire        | script                | scheduled limited                                     | expired                        | expire
trigger       | trigger               | scheduled                                             | running passed                 | trigger a build
failTrigger   | trigger               | scheduled                                             | failed                         | fail to trigger a build
mirror        | trigger               | running                                               | passed failed canceled skipped | follow its triggered build's end
unblock       | manual                | blocked                                               | unblocked                      | be unblocked
refuseUnblock | manual                | blocked                                               | unblocked_failed               | fail to be unblocked
cancel        | script waiter manual trigger | waiting blocked scheduled limited assigned accepted running timing_out | canceled canceling | be canceled
stopCanceled  | script                | canceling                                             | canceled                       | end its cancellation
supersede     | script waiter manual trigger | waiting blocked scheduled limited assigned accepted | skipped                     | be skipped
release       | script trigger        | waiting blocked waiting_failed blocked_failed         | scheduled                      | be scheduled
pass          | waiter                | waiting waiting_failed                                | passed                         | be passed
reach         | manual                | waiting waiting_failed                                | blocked                        | be blocked
failBarrier   | script waiter manual trigger | waiting blocked                                | waiting_failed blocked_failed  | fail with its barrier
restore       | script waiter manual trigger | waiting_failed blocked_failed                  | waiting blocked                | wait again`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([event = '', of = '', from = '', to = '', words = '']) => {
    return { event, types: of.split(' '), from: from.split(' '), to: to.split(' '), words }
  })

const eventOf = (type: string): JobEvent => {
  const fields = {
    exit_status: 1,
    agent: 'a',
    buildId: 'b',
    user: null,
    graceful: false,
    state: 'failed',
    log: null,
  }
  return { ...fields, type } as unknown as JobEvent
}
const moved = (job: Partial<JobRecord>, event: JobEvent) => {
  const decision = moveJob(aJob({ id: 'j1', ...job }), event, at)
  return decision.ok ? decision.value : decision.failure
}

describe('the moves of jobs', () => {
  it('are exactly these', () => {
    expect(jobMoves).toEqual(table.map(({ words: _, ...move }) => move))
  })

  it.each(table)(
    '$event is only for its types and states, and the refusal says so',
    ({ event, words, ...move }) => {
      for (const type of types) {
        for (const state of JOB_STATES) {
          const decision = moveJob(aJob({ id: 'j1', type, state, agent: 'a' }), eventOf(event), at)
          expect(decision.ok).toBe(move.types.includes(type) && move.from.includes(state))
          if (!decision.ok) {
            const message = `A ${type} job that is ${state} can't ${words}`
            expect(decision.failure).toEqual({ code: 'unprocessable', message })
            continue
          }
          expect(move.to).toContain(decision.value.state)
          const ended = isFinished(decision.value) && !decision.value.state.endsWith('_failed')
          if (ended) expect(decision.value.finished_at).toBe(at)
        }
      }
    },
  )

  it('leave no final state, and reach every state except those of seeds', () => {
    const final: readonly JobState[] = [
      'passed',
      'failed',
      'timed_out',
      'canceled',
      'skipped',
      'broken',
      'expired',
    ]
    for (const { from } of jobMoves) for (const state of final) expect(from).not.toContain(state)
    const reachable = new Set(jobMoves.flatMap(({ to }) => to))
    expect(JOB_STATES.filter((state) => !reachable.has(state))).toEqual(['pending', 'broken'])
  })
})

describe('a move', () => {
  it('that promises needs an integer other than 0, and is made once', () => {
    const promise = (exit_status: number, job: Partial<JobRecord> = {}) =>
      moved({ state: 'running', ...job }, { type: 'promise', exit_status })
    const refused = {
      code: 'unprocessable',
      message: 'A promised exit_status must be an integer other than 0',
    }
    for (const status of [0, 1.5, Number.NaN]) expect(promise(status)).toEqual(refused)
    expect(promise(-1)).toMatchObject({
      promised_exit_status: -1,
      promised_exit_status_at: at,
      state: 'running',
    })
    const twice = promise(2, { promised_exit_status: 1 })
    expect(twice).toEqual({
      code: 'unprocessable',
      message: 'The job has already promised its failure',
    })
  })

  it('of a job without a step fails hard', () => {
    const failed = moved({ state: 'running' }, { type: 'exit', exit_status: 1 })
    expect(failed).toMatchObject({
      state: 'failed',
      soft_failed: false,
      signal: null,
      signal_reason: null,
    })
  })

  it.each([
    [true, 1, true],
    [true, 0, false],
    [false, 1, false],
    [[2, 3], 3, true],
    [[2, 3], 1, false],
    [[0], 0, false],
    [undefined, 1, false],
  ] as const)(
    'that exits is soft by the step alone: softFail %j, status %i: %j',
    (softFail, exit_status, soft_failed) => {
      const step = { command: 'make', ...(softFail === undefined ? {} : { softFail }) }
      expect(moved({ state: 'running', step }, { type: 'exit', exit_status })).toMatchObject({
        state: exit_status === 0 ? 'passed' : 'failed',
        exit_status,
        soft_failed,
        finished_at: at,
      })
    },
  )

  it('that stops a job on an agent sets the signal; other jobs only end', () => {
    const killed = { exit_status: -1, signal: 'SIGTERM', signal_reason: 'cancel', finished_at: at }
    const onAgent = { state: 'running', agent: 'a1' }
    const cancel = (graceful: boolean) => ({ type: 'cancel', graceful }) as const
    expect(moved(onAgent, cancel(false))).toMatchObject({ state: 'canceled', ...killed })
    expect(moved(onAgent, cancel(true))).toEqual(aJob({ id: 'j1', ...onAgent, state: 'canceling' }))
    for (const graceful of [true, false]) {
      expect(moved({}, cancel(graceful))).toEqual(
        aJob({ id: 'j1', state: 'canceled', finished_at: at }),
      )
    }
    const canceled = moved({ ...onAgent, state: 'canceling' }, { type: 'stopCanceled' })
    expect(canceled).toMatchObject({ state: 'canceled', ...killed })
    const timedOut = moved({ ...onAgent, state: 'timing_out' }, { type: 'stopTimedOut' })
    expect(timedOut).toMatchObject({ state: 'timed_out', ...killed })
  })

  it('out of a limit keeps runnable_at, or sets it if it is null', () => {
    const earlier = '2026-03-02T08:00:00.000Z'
    const kept = moved({ state: 'limited', runnable_at: earlier }, { type: 'unlimit' })
    expect(kept).toMatchObject({ state: 'scheduled', runnable_at: earlier })
    expect(moved({ state: 'limited' }, { type: 'unlimit' })).toMatchObject({ runnable_at: at })
  })

  it('that triggers a build ends an async job at once, and starts other jobs', () => {
    const trigger = (async?: boolean) =>
      moved(
        { type: 'trigger', ...(async === undefined ? {} : { async }) },
        { type: 'trigger', buildId: 'b1' },
      )
    const running = { state: 'running', started_at: at, finished_at: null, triggeredBuildId: 'b1' }
    expect(trigger()).toMatchObject(running)
    expect(trigger(false)).toMatchObject(running)
    expect(trigger(true)).toMatchObject({ ...running, state: 'passed', finished_at: at })
    const failed = moved({ type: 'trigger' }, { type: 'failTrigger', log: 'No pipeline' })
    expect(failed).toMatchObject({ state: 'failed', finished_at: at, log: 'No pipeline' })
  })
})

const job = (fields: Partial<JobRecord>): JobRecord => aJob({ id: 'j1', ...fields })

describe('barriers', () => {
  const kinds: Readonly<Record<string, Partial<JobRecord>>> = {
    wait: { type: 'waiter' },
    block: { type: 'manual' },
    onward: { type: 'waiter', step: { wait: true, continueOnFailure: true } },
    strict: { type: 'waiter', step: { wait: true } },
    gate: { type: 'manual', step: { block: 'Go?' } },
    old: { retried: true },
    soft: { soft_failed: true },
  }
  /** Jobs by their states, each with its kind before it: `passed wait:waiting`. */
  const jobsOf = (text: string): readonly JobRecord[] =>
    text.split(' ').map((word) => {
      const [kind = '', state = kind] = word.split(':')
      return job({ ...kinds[kind], state })
    })

  it.each(
    `
lets work go that waits for none | waiting | scheduled
holds work behind a barrier that is not passed | running wait:waiting waiting | running waiting waiting
passes a waiter once all before it ended | passed wait:waiting waiting waiting | passed passed scheduled scheduled
reaches a block step once all before it ended | passed block:waiting blocked | passed blocked blocked
leaves a reached block step reached | running block:blocked blocked | running blocked blocked
lets work go behind a block step that was unblocked | block:unblocked blocked | unblocked scheduled
lets work go behind a barrier that was skipped | wait:skipped waiting | skipped scheduled
fails work behind a barrier that was canceled | wait:canceled waiting | canceled waiting_failed
fails work behind a block step that failed | block:unblocked_failed blocked | unblocked_failed blocked_failed
fails barriers after a hard failure | failed running wait:waiting waiting block:blocked | failed running waiting_failed waiting_failed blocked_failed
passes after a soft failure | soft:failed wait:waiting | failed passed
goes on after one where the wait says so | failed onward:waiting waiting | failed passed scheduled
does not where the wait does not say so | failed strict:waiting | failed waiting_failed
waits even there for what still runs | failed running onward:waiting | failed running waiting
is not told so by the step of a block | failed gate:waiting | failed waiting_failed
restores what failed once the failure is gone | scheduled wait:waiting_failed waiting_failed | scheduled waiting waiting
restores a block step that was reached before | passed block:blocked_failed blocked_failed | passed blocked blocked
opens at once what failed and need not wait | passed wait:waiting_failed waiting_failed | passed passed scheduled
looks at the latest executions alone | old:failed passed wait:waiting | failed passed passed
moves no earlier execution | old:waiting waiting | waiting scheduled
ends nothing twice | passed wait:passed canceled block:canceled | passed passed canceled canceled`
      .trim()
      .split('\n')
      .map((line) => line.split(' | ')),
  )('%s', (_name, jobs = '', states = '') => {
    expect(
      settleBarriers(jobsOf(jobs), at)
        .map(({ state }) => state)
        .join(' '),
    ).toBe(states)
  })

  it('gives each move its time', () => {
    const [, waiter, next] = settleBarriers(jobsOf('passed wait:waiting waiting'), at)
    expect([waiter?.finished_at, next?.runnable_at]).toEqual([at, at])
  })
})
