import { describe, expect, it } from 'vitest'
import type { Step } from '../../../mock-server/src/records/records.js'
import { gate, openShop, step } from './workshop.js'

describe('a waiter', () => {
  const steps = [step('a'), step('b'), { wait: true }, step('c')] as const

  it('waits again when a retry clears the failure, and passes when that passes', async () => {
    const { shop, id } = await openShop(steps)
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
})

describe('a block step', () => {
  const steps: readonly Step[] = [step('a'), gate, step('b')]

  it('is not reached after a hard failure: jobs behind it become blocked_failed until a retry', async () => {
    const { shop, id } = await openShop(steps)
    await shop.finish(id, 'a', 1)
    expect(shop.states(id)).toEqual(['failed', 'waiting_failed', 'blocked_failed'])
    await shop.retry(id)
    expect(shop.states(id)).toEqual(['failed', 'scheduled', 'waiting', 'blocked'])
    await shop.finish(id, 'a')
    expect(shop.states(id)).toEqual(['failed', 'passed', 'blocked', 'blocked'])
    expect(shop.build(id)).toMatchObject({ state: 'passed', blocked: true })
  })

  it('stays blocked while a soft-failed job above it runs again', async () => {
    const { shop, id } = await openShop([step('a', { softFail: [9] }), ...steps.slice(1)])
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
