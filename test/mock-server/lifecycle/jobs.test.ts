import { describe, expect, it } from 'vitest'
import type { Step } from '../../../mock-server/src/store/records.js'
import { start, Workshop } from './workshop.js'

const at = (ms = 0) => new Date(start + ms).toISOString()
const one = (step: Step) => new Workshop({ pipelines: { web: [step] } })
const command = { command: 'make', key: 'make' } as const

describe('a new job', () => {
  it('is scheduled, and runnable at once, when nothing holds it', async () => {
    const shop = one(command)
    const { id } = await shop.create('web')
    expect(shop.job(id, 'make')).toMatchObject({ state: 'scheduled', runnable_at: at(), started_at: null, agent: null })
  })

  it('waits behind a wait and is blocked behind a block, whichever is nearest', async () => {
    const shop = new Workshop({
      pipelines: {
        web: [
          command,
          { wait: true },
          { command: 'b' },
          { block: 'Go?' },
          { command: 'c' },
          { wait: true },
          { command: 'd' },
        ],
      },
    })
    const { id } = await shop.create('web')
    expect(shop.states(id)).toEqual(['scheduled', 'waiting', 'waiting', 'waiting', 'blocked', 'waiting', 'waiting'])
    expect(shop.job(id, 2).runnable_at).toBeNull()
  })

  it('is skipped by its step and broken by a branch filter', async () => {
    const shop = new Workshop({
      pipelines: {
        web: [{ command: 'a', outcome: 'skip' }, { command: 'b', branches: 'release/*' }, { command: 'c' }],
      },
    })
    const { id } = await shop.create('web')
    expect(shop.states(id)).toEqual(['skipped', 'broken', 'scheduled'])
    expect(shop.job(id, 0).finished_at).toBe(at())
  })
})

describe('a script job', () => {
  it('goes scheduled, assigned, accepted, running, passed', async () => {
    const shop = one(command)
    const { id } = await shop.create('web')
    await shop.event(id, 'make', { type: 'assign', agent: 'a1' })
    expect(shop.job(id, 'make')).toMatchObject({ state: 'assigned', agent: 'a1', started_at: null })
    await shop.event(id, 'make', { type: 'accept' })
    expect(shop.job(id, 'make').state).toBe('accepted')
    await shop.event(id, 'make', { type: 'start' })
    expect(shop.job(id, 'make')).toMatchObject({ state: 'running', started_at: at(), exit_status: null })
    await shop.event(id, 'make', { type: 'exit', exit_status: 0 })
    expect(shop.job(id, 'make')).toMatchObject({
      state: 'passed',
      exit_status: 0,
      finished_at: at(),
      soft_failed: false,
    })
  })

  it('fails with its exit status and the signal as reported', async () => {
    const shop = one(command)
    const { id } = await shop.create('web')
    await shop.run(id, 'make')
    await shop.event(id, 'make', { type: 'exit', exit_status: -1, signal: 'SIGTERM', signal_reason: 'agent_stop' })
    expect(shop.job(id, 'make')).toMatchObject({
      state: 'failed',
      exit_status: -1,
      signal: 'SIGTERM',
      signal_reason: 'agent_stop',
    })
  })

  it.each([
    [true, 1, true],
    [[2, 3], 3, true],
    [[2, 3], 1, false],
    [undefined, 1, false],
    [true, 0, false],
  ] as const)('with softFail %j and exit %i is soft: %j', async (softFail, exit_status, soft) => {
    const shop = one({ ...command, ...(softFail === undefined ? {} : { softFail }) })
    const { id } = await shop.create('web')
    await shop.finish(id, 'make', exit_status)
    expect(shop.job(id, 'make').soft_failed).toBe(soft)
    expect(shop.build(id).state).toBe(exit_status === 0 || soft ? 'passed' : 'failed')
  })

  it('times out through timing_out', async () => {
    const shop = one(command)
    const { id } = await shop.create('web')
    await shop.run(id, 'make')
    await shop.event(id, 'make', { type: 'timeOut' })
    expect(shop.job(id, 'make')).toMatchObject({ state: 'timing_out', finished_at: null })
    expect(shop.build(id).state).toBe('running')
    await shop.event(id, 'make', { type: 'stopTimedOut' })
    const killed = { exit_status: -1, signal: 'SIGTERM', signal_reason: 'cancel', finished_at: at() }
    expect(shop.job(id, 'make')).toMatchObject({ state: 'timed_out', ...killed })
    expect(shop.build(id).state).toBe('failed')
  })

  it('expires when scheduled or limited, and fails its build', async () => {
    const shop = new Workshop({ pipelines: { web: [command, { command: 'b', key: 'b' }] } })
    const { id } = await shop.create('web')
    await shop.event(id, 'b', { type: 'limit' })
    expect(shop.job(id, 'b').state).toBe('limited')
    await shop.event(id, 'b', { type: 'unlimit' })
    expect(shop.job(id, 'b').state).toBe('scheduled')
    await shop.event(id, 'b', { type: 'limit' })
    await shop.event(id, 'b', { type: 'expire' })
    expect(shop.job(id, 'b')).toMatchObject({ state: 'expired', finished_at: at(), exit_status: null })
    await shop.event(id, 'make', { type: 'expire' })
    expect(shop.build(id)).toMatchObject({ state: 'failed', started_at: null })
  })

  it('promises once, moves no build by that, and may still pass', async () => {
    const shop = one(command)
    const { id } = await shop.create('web')
    await shop.run(id, 'make')
    await shop.event(id, 'make', { type: 'promise', exit_status: 7 })
    expect(shop.job(id, 'make')).toMatchObject({
      promised_exit_status: 7,
      promised_exit_status_at: at(),
      state: 'running',
    })
    expect(shop.build(id)).toMatchObject({ state: 'running', failing_at: null })
    expect((await shop.event(id, 'make', { type: 'promise', exit_status: 8 })).ok).toBe(false)
    await shop.event(id, 'make', { type: 'exit', exit_status: 0 })
    expect(shop.build(id).state).toBe('passed')
  })

  it('is retried by its step in the same turn, so that the build never fails in between', async () => {
    const shop = new Workshop({
      pipelines: { web: [{ ...command, retry: { automatic: 2 } }, { wait: true }, { command: 'b', key: 'b' }] },
    })
    const { id } = await shop.create('web')
    await shop.finish(id, 'make', 1)
    expect(shop.states(id)).toEqual(['failed', 'scheduled', 'waiting', 'waiting'])
    expect(shop.build(id)).toMatchObject({ state: 'running', failing_at: null })
    const [old, next] = shop.build(id).jobs
    expect(old).toMatchObject({ retried: true, retried_in_job_id: next?.id, retry_type: 'automatic' })
    expect(next).toMatchObject({
      retries_count: 1,
      retry_source: { job_id: old?.id, retry_type: 'automatic' },
      retry_type: null,
      agent: null,
      exit_status: null,
      scheduled_at: shop.build(id).created_at,
    })
    await shop.finish(id, 'make', 1)
    await shop.finish(id, 'make', 1)
    expect(shop.states(id)).toEqual(['failed', 'failed', 'failed', 'waiting_failed', 'waiting_failed'])
    expect(shop.build(id).state).toBe('failed')
    expect(shop.job(id, 'make').retries_count).toBe(2)
  })
})

describe('a job without a step', () => {
  it('is not retried by itself', async () => {
    const shop = one(command)
    const build = await shop.create('web')
    const jobs = build.jobs.map(({ step: _, ...job }) => job)
    await shop.store.update((tx) => tx.put('builds', { ...build, jobs }))
    await shop.finish(build.id, 0, 1)
    expect(shop.states(build.id)).toEqual(['failed'])
  })
})

describe('a waiter', () => {
  const steps = (continueOnFailure: boolean): readonly Step[] => [
    { command: 'a', key: 'a' },
    { command: 'b', key: 'b' },
    { wait: true, continueOnFailure },
    { command: 'c', key: 'c' },
  ]

  it('passes when all before it have finished, and lets through what waits', async () => {
    const shop = new Workshop({ pipelines: { web: steps(false) } })
    const { id } = await shop.create('web')
    await shop.finish(id, 'a')
    expect(shop.states(id)).toEqual(['passed', 'scheduled', 'waiting', 'waiting'])
    await shop.finish(id, 'b')
    expect(shop.states(id)).toEqual(['passed', 'passed', 'passed', 'scheduled'])
    expect(shop.job(id, 2).finished_at).toBe(at())
    expect(shop.job(id, 'c').runnable_at).toBe(at())
  })

  it('fails with a hard failure before it, at once, with all that waits for it', async () => {
    const shop = new Workshop({ pipelines: { web: steps(false) } })
    const { id } = await shop.create('web')
    await shop.run(id, 'b')
    await shop.finish(id, 'a', 1)
    expect(shop.states(id)).toEqual(['failed', 'running', 'waiting_failed', 'waiting_failed'])
    expect(shop.build(id)).toMatchObject({ state: 'failing', failing_at: at() })
  })

  it('goes on after a failure when it says so', async () => {
    const shop = new Workshop({ pipelines: { web: steps(true) } })
    const { id } = await shop.create('web')
    await shop.finish(id, 'a', 1)
    expect(shop.states(id)).toEqual(['failed', 'scheduled', 'waiting', 'waiting'])
    await shop.finish(id, 'b')
    expect(shop.states(id)).toEqual(['failed', 'passed', 'passed', 'scheduled'])
    await shop.finish(id, 'c')
    expect(shop.build(id).state).toBe('failed')
  })

  it('waits again when a retry clears the failure, and passes when that passes', async () => {
    const shop = new Workshop({ pipelines: { web: steps(false) } })
    const { id } = await shop.create('web')
    await shop.finish(id, 'a', 1)
    await shop.finish(id, 'b')
    expect(shop.build(id).state).toBe('failed')
    expect(await shop.retry(id)).toBe(1)
    expect(shop.states(id)).toEqual(['failed', 'scheduled', 'passed', 'waiting', 'waiting'])
    expect(shop.build(id).state).toBe('failed')
    await shop.finish(id, 'a')
    expect(shop.states(id)).toEqual(['failed', 'passed', 'passed', 'passed', 'scheduled'])
    expect(shop.build(id).state).toBe('running')
  })

  it('lets go all that waits for it, not the first alone', async () => {
    const shop = new Workshop({ pipelines: { web: [...steps(false), { command: 'd', key: 'd' }] } })
    const { id } = await shop.create('web')
    await shop.finish(id, 'a')
    await shop.finish(id, 'b')
    expect(shop.states(id)).toEqual(['passed', 'passed', 'passed', 'scheduled', 'scheduled'])
  })

  it('is failed by a soft failure no more than by a pass', async () => {
    const shop = new Workshop({
      pipelines: { web: [{ command: 'a', key: 'a', softFail: true }, { wait: true }, { command: 'c', key: 'c' }] },
    })
    const { id } = await shop.create('web')
    await shop.finish(id, 'a', 1)
    expect(shop.states(id)).toEqual(['failed', 'passed', 'scheduled'])
  })
})

describe('a block step', () => {
  const steps: readonly Step[] = [
    { command: 'a', key: 'a' },
    { block: 'Go?', key: 'go' },
    { command: 'b', key: 'b' },
  ]

  it('is reached when all before it have finished, and unblocked by a person', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    expect(shop.states(id)).toEqual(['scheduled', 'waiting', 'blocked'])
    expect((await shop.event(id, 'go', { type: 'unblock', user: null })).ok).toBe(false)
    await shop.finish(id, 'a')
    expect(shop.states(id)).toEqual(['passed', 'blocked', 'blocked'])
    await shop.event(id, 'go', { type: 'unblock', user: 'u1' })
    expect(shop.states(id)).toEqual(['passed', 'unblocked', 'scheduled'])
    expect(shop.job(id, 'go')).toMatchObject({ unblockedBy: 'u1', unblocked_at: at(), finished_at: at() })
  })

  it('is not reached after a hard failure: what is behind it becomes blocked_failed, and comes back by a retry', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    await shop.finish(id, 'a', 1)
    expect(shop.states(id)).toEqual(['failed', 'waiting_failed', 'blocked_failed'])
    await shop.retry(id)
    expect(shop.states(id)).toEqual(['failed', 'scheduled', 'waiting', 'blocked'])
    await shop.finish(id, 'a')
    expect(shop.states(id)).toEqual(['failed', 'passed', 'blocked', 'blocked'])
    expect(shop.build(id)).toMatchObject({ state: 'passed', blocked: true })
  })

  it('that fails to be unblocked takes what is behind it along', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    await shop.finish(id, 'a')
    await shop.event(id, 'go', { type: 'refuseUnblock' })
    expect(shop.states(id)).toEqual(['passed', 'unblocked_failed', 'blocked_failed'])
  })

  it('stays reached while a soft-failed job above it runs again', async () => {
    const shop = new Workshop({
      pipelines: { web: [{ command: 'a', key: 'a', softFail: [9] }, ...steps.slice(1)] },
    })
    const { id } = await shop.create('web')
    await shop.finish(id, 'a', 9)
    expect(shop.build(id).blocked).toBe(true)
    await shop.retry(id)
    expect(shop.build(id).blocked).toBe(true)
    await shop.run(id, 'a')
    expect(shop.build(id)).toMatchObject({ state: 'running', blocked: false, finished_at: null })
    expect(shop.job(id, 'go').state).toBe('blocked')
    await shop.event(id, 'a', { type: 'exit', exit_status: 1 })
    expect(shop.job(id, 'go').state).toBe('blocked_failed')
    expect(shop.build(id).state).toBe('failed')
    await shop.retry(id)
    expect(shop.job(id, 'go').state).toBe('blocked')
  })
})
