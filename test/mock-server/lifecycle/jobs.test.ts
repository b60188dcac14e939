import { describe, expect, it } from 'vitest'
import type { Step } from '../../../mock-server/src/records/records.js'
import { Workshop } from './workshop.js'

const one = (step: Step) => new Workshop({ pipelines: { web: [step] } })
const command = { command: 'make', key: 'make' } as const

describe('a new job', () => {
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
})

describe('a script job', () => {
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
