import { describe, expect, it } from 'vitest'
import type { Step } from '../../../mock-server/src/records/records.js'
import { openShop, start, step, Workshop } from './workshop.js'

const at = (ms = 0) => new Date(start + ms).toISOString()
const two: readonly Step[] = [step('a'), step('b')]
describe('a new build', () => {
  it('is not_run, and finished, when every job is skipped or broken', async () => {
    const shop = new Workshop({
      pipelines: {
        web: [
          { command: 'a', outcome: 'skip' },
          { wait: true },
          { command: 'b', branches: '!main' },
        ],
      },
    })
    const build = await shop.create('web')
    expect(build).toMatchObject({ state: 'not_run', finished_at: at(), started_at: null })
    expect(shop.states(build.id)).toEqual(['skipped', 'passed', 'broken'])
  })

  it('of a pipeline without steps has one job', async () => {
    const shop = new Workshop({ pipelines: { web: [] } })
    const build = await shop.create('web')
    expect(build).toMatchObject({
      state: 'scheduled',
      jobs: [{ type: 'script', state: 'scheduled' }],
    })
  })
})

describe('a build', () => {
  it('never was failing when its last job is the first to fail', async () => {
    const { shop, id } = await openShop(two)
    await shop.finish(id, 'a')
    await shop.finish(id, 'b', 1)
    expect(shop.build(id)).toMatchObject({ state: 'failed', failing_at: null })
  })

  it('keeps the time of its first hard failure when that came before anything ran', async () => {
    const { shop, id } = await openShop(two)
    await shop.event(id, 'a', { type: 'expire' })
    expect(shop.build(id)).toMatchObject({ state: 'scheduled', failing_at: at(), started_at: null })
    await shop.clock.advance(1_000)
    await shop.run(id, 'b')
    expect(shop.build(id)).toMatchObject({ state: 'failing', failing_at: at() })
    await shop.event(id, 'b', { type: 'exit', exit_status: 0 })
    expect(shop.build(id)).toMatchObject({ state: 'failed', failing_at: at() })
  })

  it('stays failing after a retry while jobs only come nearer to their start or end', async () => {
    const { shop, id } = await openShop(two)
    await shop.run(id, 'b')
    await shop.finish(id, 'a', 1)
    await shop.retry(id)
    const quiet = [
      ['a', { type: 'limit' }],
      ['a', { type: 'unlimit' }],
      ['a', { type: 'assign', agent: 'x' }],
      ['a', { type: 'accept' }],
      ['b', { type: 'promise', exit_status: 1 }],
      ['b', { type: 'timeOut' }],
    ] as const
    for (const [key, event] of quiet) {
      expect((await shop.event(id, key, event)).ok).toBe(true)
      expect(shop.build(id).state).toBe('failing')
    }
    await shop.event(id, 'a', { type: 'start' })
    expect(shop.build(id).state).toBe('running')
  })

  it('that was canceled comes back failing, because the other canceled jobs are hard failures', async () => {
    const { shop, id } = await openShop(two)
    await shop.cancel(id)
    const job = shop.job(id, 'a')
    expect((await shop.retryOne(id, job.id)).ok).toBe(true)
    expect(shop.build(id).state).toBe('canceled')
    await shop.run(id, 'a')
    expect(shop.build(id)).toMatchObject({ state: 'failing', failing_at: at() })
    await shop.event(id, 'a', { type: 'exit', exit_status: 0 })
    expect(shop.build(id).state).toBe('failed')
  })

  it('that was canceled passes once all its jobs pass: its canceled waiter fails nothing', async () => {
    const steps: readonly Step[] = [step('a'), { wait: true }, step('b')]
    const { shop, id } = await openShop(steps)
    await shop.cancel(id)
    expect(shop.states(id)).toEqual(['canceled', 'canceled', 'canceled'])
    expect(await shop.retry(id)).toBe(2)
    await shop.finish(id, 'a')
    await shop.finish(id, 'b')
    expect(shop.build(id)).toMatchObject({ state: 'passed', failing_at: null, finished_at: at() })
  })
})
