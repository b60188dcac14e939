import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DueFacts, mayMove, nextMove } from '../../../mock-server/src/domain/due.js'
import { DueQueue } from '../../../mock-server/src/domain/order.js'
import type {
  BuildRecord,
  CommandStep,
  JobRecord,
  Lifecycle,
} from '../../../mock-server/src/records/records.js'
import { aBuild, aJob } from '../../support/records.js'

describe('the queue of due times', () => {
  it('returns the earliest first, equal times in order of arrival, and drops changed times', () => {
    const queue = new DueQueue()
    for (const [id, due] of Object.entries({ a: 5, b: 3, c: 3, d: 9, e: 1 })) queue.set(id, due)
    queue.set('e', null)
    queue.set('d', 2)
    queue.set('b', 3)
    const order: string[] = []
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      order.push(first.id)
      queue.set(first.id, null)
    }
    expect(order).toEqual(['d', 'b', 'c', 'a'])
  })

  it('agrees with a sorted list for any sequence of changes', () => {
    const change = fc.tuple(fc.nat(12), fc.option(fc.nat(20), { freq: 5 }))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
        const queue = new DueQueue()
        const known = new Map<string, number>()
        for (const [id, due] of changes) {
          queue.set(`${id}`, due)
          if (due === null) known.delete(`${id}`)
          else known.set(`${id}`, due)
        }
        const times: number[] = []
        for (let first = queue.first(); first !== undefined; first = queue.first()) {
          expect(known.get(first.id)).toBe(first.at)
          times.push(first.at)
          queue.set(first.id, null)
        }
        expect(times).toEqual([...known.values()].sort((a, b) => a - b))
      }),
    )
  })
})

const minute = Date.parse('2026-03-01T09:01:00.000Z')
const timed: Lifecycle = { policy: 'timed' }
const facts = (lifecycle: Lifecycle = timed): DueFacts => ({
  lifecycle,
  jobExpiryMs: 3_600_000,
  isPaused: (queueId) => queueId === 'paused',
  dice: (jobId) => (jobId === 'high' ? 0.99999 : 0),
})
const command = (step: Partial<CommandStep> = {}): CommandStep => ({
  command: 'make',
  durationMs: 10_000,
  ...step,
})
/** A job that could be taken at 09:01 and takes 10 s. */
const job = (fields: Partial<JobRecord> = {}, step?: Partial<CommandStep>): JobRecord =>
  aJob({ id: 'j1', runnable_at: '2026-03-01T09:01:00.000Z', step: command(step), ...fields })
const build = (jobs: readonly JobRecord[], fields: Partial<BuildRecord> = {}): BuildRecord =>
  aBuild({ id: 'b1', number: 1, jobs, ...fields })
/** The next move, with its time in ms after 09:01. */
const next = (one: JobRecord, lifecycle?: Lifecycle) => {
  const move = nextMove(build([one]), facts(lifecycle))
  return move === null ? null : { ...move, at: move.at - minute }
}
const event = (at: number, made: object) => ({ at, kind: 'job', jobId: 'j1', event: made })
const running = (fields: Partial<JobRecord> = {}, step?: Partial<CommandStep>) =>
  job({ state: 'running', started_at: '2026-03-01T09:01:00.000Z', ...fields }, step)
const passes = { type: 'exit', exit_status: 0 }

describe('the move that is due next', () => {
  it('of a script job goes through the states of an agent in tenths of its duration', () => {
    expect(next(job())).toEqual({ at: 300, kind: 'assign', jobId: 'j1' })
    expect(next(job({ state: 'assigned' }))).toEqual(event(600, { type: 'accept' }))
    expect(next(job({ state: 'accepted' }))).toEqual(event(1000, { type: 'start' }))
    expect(next(running())).toEqual(event(9000, passes))
    expect(next(job({ state: 'canceling' }))).toEqual(event(10_000, { type: 'stopCanceled' }))
  })

  it('of a trigger job is due when it is runnable; there is none while it waits for its build', () => {
    expect(next(job({ type: 'trigger' }))).toEqual({ at: 0, kind: 'trigger', jobId: 'j1' })
    expect(next(job({ type: 'trigger', state: 'running' }))).toBeNull()
  })

  it.each<Partial<JobRecord>>([
    { state: 'waiting' },
    { state: 'blocked' },
    { state: 'passed' },
    { state: 'failed' },
    { type: 'waiter' },
    { type: 'manual' },
    { retried: true },
  ])('is none of a job that is %j', (fields) => {
    expect(next(job(fields))).toBeNull()
  })

  it('expires a job that no agent takes', () => {
    expect(next(job({ state: 'limited' }))).toEqual(event(3_600_000, { type: 'expire' }))
    expect(next(job({ queueId: 'paused' }))).toEqual(event(3_600_000, { type: 'expire' }))
    expect(next(job({ queueId: 'open' }))?.kind).toBe('assign')
    expect(next(job({}, { outcome: 'expire' }))).toEqual(event(10_000, { type: 'expire' }))
  })

  it('ends a job as its outcome says', () => {
    expect(next(running({}, { outcome: 'pass' }))).toEqual(event(9000, passes))
    expect(next(running({}, { outcome: 'timeout' }))).toEqual(event(8000, { type: 'timeOut' }))
    expect(next(running({ state: 'timing_out' }))).toEqual(event(9000, { type: 'stopTimedOut' }))
    expect(next(running({}, { outcome: { exit_status: 3 } }))).toEqual(
      event(9000, { type: 'exit', exit_status: 3, signal: null, signal_reason: null }),
    )
    const outcome = { exit_status: -1, signal: 'SIGTERM', signal_reason: 'agent_stop', attempts: 2 }
    const { attempts: _, ...fails } = outcome
    for (const retries_count of [null, 0, 1]) {
      expect(next(running({ retries_count }, { outcome }))).toEqual(
        event(9000, { type: 'exit', ...fails }),
      )
    }
    expect(next(running({ retries_count: 2 }, { outcome }))).toEqual(event(9000, passes))
  })

  it('promises a failure once, no later than the job ends', () => {
    const promising = (afterMs: number) => ({ promiseFailure: { afterMs, exit_status: 4 } })
    const promise = { type: 'promise', exit_status: 4 }
    expect(next(running({}, promising(2000)))).toEqual(event(2000, promise))
    expect(next(running({}, promising(9000)))).toEqual(event(9000, promise))
    expect(next(running({}, promising(9001)))).toEqual(event(9000, passes))
    expect(next(running({ promised_exit_status: 4 }, promising(2000)))).toEqual(event(9000, passes))
    expect(next(running({}, promising(2000)), { policy: 'immediate' })).toEqual(event(0, promise))
    expect(next(running({}, promising(2001)), { policy: 'timed', speed: 2 })).toEqual(
      event(1001, promise),
    )
  })

  it('is due at once under policy immediate, sooner by the speed under timed, never under manual', () => {
    expect(next(job({ state: 'accepted' }), { policy: 'immediate' })?.at).toBe(0)
    expect(next(job({ state: 'accepted' }), { policy: 'timed', speed: 3 })?.at).toBe(333)
    expect(next(job({ state: 'accepted' }), { policy: 'manual' })).toBeNull()
  })

  it('of a build is the earliest of its jobs; of equal ones, the first in the list', () => {
    const jobs = [
      job({ id: 'slow' }, { durationMs: 20_000 }),
      job({ id: 'a' }),
      job({ id: 'b' }),
      job({ state: 'waiting' }),
    ]
    expect(nextMove(build(jobs), facts())).toMatchObject({ jobId: 'a' })
  })

  it('of a build in its grace period is the end of that period, under any policy', () => {
    const canceling = build([job({ state: 'canceling' })], { state: 'canceling', cancelDueAt: 7 })
    expect(nextMove(canceling, facts({ policy: 'manual' }))).toEqual({
      at: 7,
      kind: 'stopCanceled',
    })
    expect(nextMove({ ...canceling, state: 'running' }, facts({ policy: 'manual' }))).toBeNull()
    const { cancelDueAt: _, ...seeded } = canceling
    expect(nextMove(seeded, facts({ policy: 'manual' }))).toBeNull()
  })
})

describe('a build may move by itself', () => {
  it.each<[Partial<BuildRecord>, Partial<JobRecord>, boolean]>([
    [{ state: 'running' }, { state: 'passed' }, true],
    [{ state: 'passed', blocked: true }, { state: 'passed' }, true],
    [{ state: 'passed' }, { state: 'passed' }, false],
    [{ state: 'failed' }, { state: 'waiting' }, false],
    ...['scheduled', 'limited', 'assigned', 'accepted', 'running', 'timing_out', 'canceling'].map(
      (state): [Partial<BuildRecord>, Partial<JobRecord>, boolean] => [
        { state: 'failed' },
        { state },
        true,
      ],
    ),
    [{ state: 'failed' }, { state: 'scheduled', retried: true }, false],
  ])('that is %j with a job that is %j: %j', (fields, of, expected) => {
    expect(mayMove(build([job({ state: 'passed' }), job({ id: 'j2', ...of })], fields))).toBe(
      expected,
    )
  })
})
