import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../mock-server/src/base/virtual-clock.js'
import type { Step } from '../../../mock-server/src/records/records.js'
import { createCommitter } from '../../../mock-server/src/store/committer.js'
import { StoreError } from '../../../mock-server/src/store/errors.js'
import type { Persistence } from '../../../mock-server/src/store/persistence.js'
import { gate, openShop, start, step, Workshop } from './workshop.js'

const at = (ms = 0) => new Date(start + ms).toISOString()
/** Lets what was asked for in this turn happen in the next. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

const steps: readonly Step[] = [
  step('a', { durationMs: 10_000 }),
  step('b', { durationMs: 20_000 }),
  { wait: true },
  step('c', { durationMs: 5_000 }),
]

describe('policy manual', () => {
  it('makes no move', async () => {
    const { shop, id } = await openShop(steps)
    shop.drive()
    const result = await shop.clock.advance(60 * 86_400_000)
    expect(result).toEqual({ fired: [], firedCount: 0 })
    expect(shop.states(id)).toEqual(['scheduled', 'scheduled', 'waiting', 'waiting'])
  })
})

describe('policy immediate', () => {
  it('answers scheduled, and runs to the end before the next request', async () => {
    const shop = new Workshop({ pipelines: { web: steps }, lifecycle: { policy: 'immediate' } })
    shop.drive()
    const created = await shop.create('web')
    expect(created.state).toBe('scheduled')
    await nextTurn()
    expect(shop.build(created.id)).toMatchObject({
      state: 'passed',
      finished_at: at(),
      started_at: at(),
    })
    expect(shop.clock.now()).toBe(start)
  })

  it('stops at the first block step, and continues when it is unblocked', async () => {
    const { shop, id } = await openShop({
      pipelines: { web: [step('a'), gate, step('b')] },
      lifecycle: { policy: 'immediate' },
    })
    shop.drive()
    await nextTurn()
    expect(shop.build(id)).toMatchObject({ state: 'passed', blocked: true })
    await shop.event(id, 'go', { type: 'unblock', user: null })
    await nextTurn()
    expect(shop.build(id)).toMatchObject({ state: 'passed', blocked: false })
  })

  it('plays outcomes: attempts, soft failure, promise, time-out, expiry', async () => {
    const { shop, id } = await openShop({
      pipelines: {
        web: [
          step('a', { outcome: { exit_status: 1, attempts: 2 }, retry: { automatic: 2 } }),
          step('b', { outcome: { exit_status: 2, signal: 'SIGKILL' }, softFail: true }),
          step('c', {
            outcome: { exit_status: 1 },
            promiseFailure: { afterMs: 5, exit_status: 1 },
          }),
          step('d', { outcome: 'timeout' }),
          step('e', { outcome: 'expire' }),
        ],
      },
      lifecycle: { policy: 'immediate' },
    })
    shop.drive()
    await nextTurn()
    expect(shop.states(id)).toEqual([
      'failed',
      'failed',
      'passed',
      'failed',
      'failed',
      'timed_out',
      'expired',
    ])
    expect(shop.job(id, 'b')).toMatchObject({ soft_failed: true, signal: 'SIGKILL' })
    expect(shop.job(id, 'c').promised_exit_status).toBe(1)
    expect(shop.build(id).state).toBe('failed')
  })
})

describe('policy timed', () => {
  const timed = (more: readonly Step[] = steps) => {
    const shop = new Workshop({ pipelines: { web: more }, lifecycle: { policy: 'timed' } })
    shop.drive()
    return shop
  }

  it('takes durationMs for each job, and every transition carries its own due time', async () => {
    const shop = timed()
    const { id } = await shop.create('web')
    const result = await shop.clock.advance(60_000)
    expect(shop.build(id)).toMatchObject({
      state: 'passed',
      started_at: at(1_000),
      finished_at: at(25_000),
    })
    expect(shop.job(id, 'a')).toMatchObject({ started_at: at(1_000), finished_at: at(10_000) })
    expect(shop.job(id, 'b').finished_at).toBe(at(20_000))
    expect(shop.job(id, 'c')).toMatchObject({ runnable_at: at(20_000), finished_at: at(25_000) })
    const times = result.fired.map((fired) => fired.at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(result.firedCount).toBe(result.fired.length)
    const builds = result.fired.filter((fired) => fired.kind === 'build')
    expect(builds.map((fired) => `${fired.at - start} ${fired.state}`)).toEqual([
      '1000 running',
      '25000 passed',
    ])
  })

  it('in many small steps ends where one large step ends', async () => {
    const large = timed()
    const small = timed()
    const one = await large.create('web')
    const other = await small.create('web')
    await large.clock.advance(30_000)
    for (let ms = 0; ms < 30_000; ms += 250) await small.clock.advance(250)
    expect(small.build(other.id)).toEqual(large.build(one.id))
  })

  it('takes 2 to 40 s, always the same for a job, without durationMs', async () => {
    const shop = timed([step('a', { parallelism: 20 })])
    const { id } = await shop.create('web')
    await shop.clock.advance(40_000)
    const { jobs, state } = shop.build(id)
    const took = jobs.map((job) => Date.parse(job.finished_at ?? '') - start)
    expect(state).toBe('passed')
    expect(Math.min(...took)).toBeGreaterThanOrEqual(2_000)
    expect(Math.max(...took)).toBeLessThanOrEqual(40_000)
    expect(new Set(took).size).toBe(20)
  })

  it('starts no job of a paused queue, and continues when the queue is resumed', async () => {
    const shop = timed([step('a', { queue: 'mac', durationMs: 10_000 })])
    const { id } = await shop.create('web')
    await shop.clock.advance(3_600_000)
    expect(shop.job(id, 'a').state).toBe('scheduled')
    await shop.store.update((tx) => {
      const queue = tx.state.get('queues', 'queue-mac')
      if (queue !== undefined) tx.put('queues', { ...queue, paused: false })
    })
    await shop.clock.advance(1)
    expect(shop.job(id, 'a').state).not.toBe('scheduled')
    expect(shop.build(id).started_at).toBe(at(3_600_000))
  })

  it('stops the timers of a canceled build in the same turn', async () => {
    const shop = timed()
    const { id } = await shop.create('web')
    await shop.clock.advance(2_000)
    await shop.cancel(id)
    const before = shop.build(id)
    expect(await shop.clock.advance(100_000)).toMatchObject({ firedCount: 0 })
    expect(shop.build(id)).toEqual(before)
  })

  it('makes overdue moves after a restart, in order, with their due times', async () => {
    const going = timed()
    const restarted = timed()
    const one = await going.create('web')
    const other = await restarted.create('web')
    await going.clock.advance(100_000)
    await restarted.clock.advance(5_000)
    restarted.halt()
    await restarted.clock.advance(95_000)
    expect(restarted.build(other.id).state).toBe('running')
    restarted.drive()
    // A change of the rules before the first of them runs must not move them to now.
    await restarted.store.update((tx) =>
      tx.put('pipelines', { ...restarted.pipeline('web'), name: 'Web' }),
    )
    await nextTurn()
    expect(restarted.build(other.id)).toEqual(going.build(one.id))
  })

  it('ends the cancellation of a single job when the job would have ended', async () => {
    const shop = timed()
    const { id } = await shop.create('web')
    await shop.clock.advance(2_000)
    await shop.event(id, 'a', { type: 'cancel', graceful: true })
    expect(shop.job(id, 'a').state).toBe('canceling')
    await shop.clock.advance(10_000)
    expect(shop.job(id, 'a')).toMatchObject({ state: 'canceled', finished_at: at(10_000) })
    await shop.clock.advance(60_000)
    expect(shop.build(id).state).toBe('failed')
  })

  it('is looked up at the build, then its pipeline, then the sandbox', async () => {
    const shop = new Workshop({
      pipelines: { web: steps, slow: steps },
      lifecycle: { policy: 'manual' },
    })
    shop.drive()
    const build = await shop.create('web')
    const slow = await shop.create('slow')
    await shop.store.update((tx) =>
      tx.put('pipelines', { ...shop.pipeline('slow'), lifecycle: { policy: 'immediate' } }),
    )
    await shop.store.update((tx) => tx.put('builds', { ...build, lifecycle: { policy: 'timed' } }))
    await nextTurn()
    expect(shop.build(slow.id).state).toBe('passed')
    expect(shop.build(build.id).state).toBe('scheduled')
    await shop.clock.advance(1_000)
    expect(shop.build(build.id).state).toBe('running')
  })

  it('gives a job an agent of the organization, and makes one if there is none', async () => {
    const shop = timed()
    const { id } = await shop.create('web')
    await shop.clock.advance(60_000)
    const agents = [...shop.store.state.values('agents')]
    expect(agents).toHaveLength(1)
    expect(shop.job(id, 'a').agent).toBe(agents[0]?.id)
  })
})

describe('a store that cannot write', () => {
  it('pauses the lifecycle; later nothing is lost and every move keeps its due time', async () => {
    let broken = false
    const persistence: Persistence = {
      async *load() {},
      commit: async () => {
        if (broken) throw new Error('ENOSPC')
      },
      close: async () => undefined,
    }
    const host = new VirtualClock({ now: 0 })
    const { shop, id } = await openShop({
      pipelines: { web: steps },
      lifecycle: { policy: 'timed' },
      committer: createCommitter(persistence, host),
    })
    shop.drive(host)
    await shop.clock.advance(2_000)
    broken = true
    await shop.clock.advance(60_000)
    await nextTurn()
    expect(shop.store.readOnlyReason).toBeDefined()
    expect(shop.job(id, 'a').state).toBe('running')
    broken = false
    await host.advance(10_000)
    await nextTurn()
    expect(shop.build(id)).toMatchObject({ state: 'passed', finished_at: at(25_000) })
  })

  it('gives up a build whose move can never be stored, until its next change, and moves the others', async () => {
    let asked = 0
    let unwritable = ''
    const persistence: Persistence = {
      async *load() {},
      commit: async (changes) => {
        if (!changes.some(({ id }) => id === unwritable)) return
        asked += 1
        throw new StoreError('unwritable', 'too large')
      },
      close: async () => undefined,
    }
    const shop = new Workshop({
      pipelines: { web: steps },
      lifecycle: { policy: 'timed' },
      committer: createCommitter(persistence),
    })
    shop.drive()
    const large = await shop.create('web')
    const other = await shop.create('web')
    unwritable = large.id
    // A batch of both is taken apart: what came after the refused move is undone with it, and
    // planned again.
    for (let seconds = 0; seconds < 60; seconds++) {
      await shop.clock.advance(1_000)
      await nextTurn()
    }
    expect(shop.build(other.id).state).toBe('passed')
    expect(shop.build(large.id).state).toBe('scheduled')
    expect(asked).toBeLessThan(5)
    unwritable = ''
    await shop.store.update((tx) =>
      tx.put('builds', { ...shop.build(large.id), message: 'smaller' }),
    )
    await shop.clock.advance(60_000)
    expect(shop.build(large.id).state).toBe('passed')
  })
})
