import { RETRY_STATES } from '@buildwire/sdk/contract'
import { describe, expect, it } from 'vitest'
import { retryFailedJobs } from '../../../mock-server/src/domain/retry.js'
import type { Step } from '../../../mock-server/src/records/records.js'
import { openShop, start, step } from './workshop.js'

const at = (ms = 0) => new Date(start + ms).toISOString()
const two: readonly Step[] = [step('a'), step('b')]

describe('cancel', () => {
  it('with a grace but nothing on an agent is done at once', async () => {
    const { shop, id } = await openShop({
      pipelines: { web: two },
      settings: { cancelGraceMs: 3_000 },
    })
    await shop.cancel(id)
    expect(shop.build(id)).toMatchObject({ state: 'canceled', finished_at: at() })
  })

  it('with a grace is done when the last job on an agent is', async () => {
    const { shop, id } = await openShop({
      pipelines: { web: two },
      settings: { cancelGraceMs: 3_000 },
    })
    for (const key of ['a', 'b']) await shop.run(id, key)
    await shop.cancel(id)
    await shop.event(id, 'a', { type: 'stopCanceled' })
    expect(shop.build(id)).toMatchObject({ state: 'canceling', finished_at: null })
    await shop.event(id, 'b', { type: 'stopCanceled' })
    expect(shop.build(id)).toMatchObject({ state: 'canceled', finished_at: at() })
  })
})

describe('retry of failed jobs', () => {
  const steps: readonly Step[] = [
    { command: 'f', key: 'failed' },
    { command: 's', key: 'soft_failed', softFail: true },
    { command: 't', key: 'timed_out' },
    { command: 'e', key: 'expired' },
    { command: 'c', key: 'canceled' },
    { command: 'p', key: 'passed' },
  ]
  const prepared = async () => {
    const { shop, id } = await openShop(steps)
    await shop.finish(id, 'failed', 1)
    await shop.finish(id, 'soft_failed', 1)
    await shop.run(id, 'timed_out')
    await shop.event(id, 'timed_out', { type: 'timeOut' })
    await shop.event(id, 'timed_out', { type: 'stopTimedOut' })
    await shop.event(id, 'expired', { type: 'expire' })
    await shop.event(id, 'canceled', { type: 'cancel', graceful: false })
    await shop.finish(id, 'passed')
    return { shop, id }
  }

  it('takes all five by default, each once, and nothing the second time', async () => {
    const { shop, id } = await prepared()
    expect(await shop.retry(id)).toBe(5)
    expect(await shop.retry(id)).toBe(0)
    await shop.turn((turn) => {
      const build = shop.build(id)
      expect(retryFailedJobs(turn, build, RETRY_STATES).build).toBe(build)
      return { ok: true, value: null }
    })
    expect(new Set(shop.build(id).jobs.map((job) => job.id)).size).toBe(11)
  })

  it('is not for trigger jobs, which make their build once', async () => {
    const { shop, id } = await openShop([{ trigger: 'nowhere', key: 't' }])
    await shop.trigger(id, 't')
    expect(shop.build(id).state).toBe('failed')
    expect(await shop.retry(id)).toBe(0)
  })
})
