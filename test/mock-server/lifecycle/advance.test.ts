import { describe, expect, it } from 'vitest'
import { advanceBuild } from '../../../mock-server/src/domain/advance-build.js'
import { requestTransition } from '../../../mock-server/src/domain/request-transition.js'
import type { Step } from '../../../mock-server/src/records/records.js'
import { gate, openShop, step, Workshop } from './workshop.js'

const steps: readonly Step[] = [step('a'), step('b', { softFail: true }), gate, step('c')]
const send = (shop: Workshop, id: string, key: string, state: string, fields = {}) =>
  shop.turn((turn) =>
    requestTransition(turn, shop.build(id), shop.job(id, key).id, { state, ...fields }),
  )

const refused = (message: string) => ({ ok: false, failure: { code: 'unprocessable', message } })
const failedOnce = refused(
  "Build can't finish passed: a job of it has failed, and only a retry clears that",
)

describe('advance', () => {
  const advance = (
    shop: Workshop,
    id: string,
    ...to: [Parameters<typeof advanceBuild>[2], Parameters<typeof advanceBuild>[3]?]
  ) => shop.turn((turn) => advanceBuild(turn, shop.build(id), ...to))

  it.each([
    ['started', undefined, { state: 'running' }],
    ['failing', undefined, { state: 'failing' }],
    ['blocked', undefined, { state: 'passed', blocked: true }],
    ['finished', undefined, { state: 'passed', blocked: false }],
    ['finished', 'passed', { state: 'passed' }],
    ['finished', 'failed', { state: 'failed' }],
  ] as const)('leads a build to %s %s', async (to, outcome, shape) => {
    const { shop, id } = await openShop(steps)
    expect(await advance(shop, id, to, outcome)).toMatchObject({ ok: true, value: shape })
    expect(shop.build(id)).toMatchObject(shape)
  })

  it('gets through automatic retries, trigger jobs and jobs behind waits', async () => {
    const shop = new Workshop({
      pipelines: {
        web: [
          { command: 'a', retry: { automatic: 2 } },
          { wait: true },
          { trigger: 'next', key: 't' },
          { trigger: 'next', async: true },
        ],
        next: [{ block: 'Go?' }, { command: 'x' }],
      },
    })
    const good = await shop.create('web')
    expect(await advance(shop, good.id, 'finished')).toMatchObject({ value: { state: 'passed' } })
    expect(shop.build(shop.job(good.id, 't').triggeredBuildId ?? '').state).toBe('passed')
    const bad = await shop.create('web')
    expect(await advance(shop, bad.id, 'finished', 'failed')).toMatchObject({
      value: { state: 'failed' },
    })
    expect(shop.states(bad.id).slice(0, 3)).toEqual(['failed', 'failed', 'failed'])
  })

  it('finishes the jobs that run again behind a build that has ended', async () => {
    const { shop, id } = await openShop([step('a')])
    await shop.finish(id, 'a', 1)
    await shop.retry(id)
    expect(await advance(shop, id, 'finished')).toMatchObject({
      ok: true,
      value: { state: 'passed' },
    })
    expect(shop.states(id)).toEqual(['failed', 'passed'])
  })

  it('makes one job fail, the first that can, by a status that its step does not forgive', async () => {
    const { shop, id } = await openShop({
      pipelines: {
        web: [step('a', { softFail: true }), step('b', { softFail: [1, 2] }), step('c')],
        all: [step('a', { softFail: [1, 2, 3] })],
      },
    })
    expect(await advance(shop, id, 'finished', 'failed')).toMatchObject({
      value: { state: 'failed' },
    })
    expect(['a', 'b', 'c'].map((key) => shop.job(id, key).exit_status)).toEqual([0, 3, 0])
    const all = await shop.create('all')
    await advance(shop, all.id, 'finished', 'failed')
    expect(shop.job(all.id, 'a').exit_status).toBe(255)
  })

  it('brings jobs on from every state they may be in, one to its end before the next begins', async () => {
    const keys = ['limited', 'assigned', 'accepted', 'running', 'timing_out', 'canceling'] as const
    const { shop, id } = await openShop({
      pipelines: { web: keys.map((key) => ({ command: key, key })) },
    })
    for (const key of keys)
      await send(shop, id, key, key === 'timing_out' || key === 'canceling' ? 'running' : key)
    await send(shop, id, 'timing_out', 'timing_out')
    await send(shop, id, 'canceling', 'canceling')
    expect(await advance(shop, id, 'finished', 'failed')).toMatchObject({
      value: { state: 'failed' },
    })
    expect(shop.states(id)).toEqual([
      'passed',
      'failed',
      'passed',
      'passed',
      'timed_out',
      'canceled',
    ])
    const order = await shop.create('web')
    await send(shop, order.id, 'accepted', 'running')
    await advance(shop, order.id, 'failing')
    expect(shop.job(order.id, 'accepted').state).toBe('failed')
    expect(shop.job(order.id, 'limited').state).toBe('scheduled')
  })

  it('brings the triggered build to the end that is wanted, also when it has ended already', async () => {
    const shop = new Workshop({
      pipelines: { web: [{ trigger: 'next', key: 't' }], next: [step('x', { softFail: [1] })] },
    })
    const bad = await shop.create('web')
    expect(await advance(shop, bad.id, 'finished', 'failed')).toMatchObject({
      ok: true,
      value: { state: 'failed' },
    })
    expect(shop.build(shop.job(bad.id, 't').triggeredBuildId ?? '').state).toBe('failed')
    for (const outcome of ['passed', 'failed'] as const) {
      const { id } = await shop.create('web')
      await send(shop, id, 't', 'running')
      await shop.store.update((tx) => tx.delete('builds', shop.job(id, 't').triggeredBuildId ?? ''))
      expect(await advance(shop, id, 'finished', outcome)).toMatchObject({
        ok: true,
        value: { state: outcome },
      })
    }
  })

  it('stops where it is asked to, and does nothing there', async () => {
    const { shop, id } = await openShop(steps)
    await advance(shop, id, 'started')
    expect(shop.states(id)).toEqual(['running', 'scheduled', 'waiting', 'blocked'])
    await advance(shop, id, 'blocked')
    expect(shop.states(id)).toEqual(['passed', 'passed', 'blocked', 'blocked'])
    await advance(shop, id, 'started')
    expect(shop.states(id)).toEqual(['passed', 'passed', 'blocked', 'blocked'])
    await advance(shop, id, 'finished')
    expect(shop.states(id)).toEqual(['passed', 'passed', 'unblocked', 'passed'])
    await shop.retry(id)
    expect(await advance(shop, id, 'finished')).toMatchObject({ ok: true })
  })

  it('takes a build that has failed where that is no hindrance, and says where it is', async () => {
    const { shop, id } = await openShop({
      pipelines: { web: [step('a'), step('b')], parent: [{ trigger: 'web', key: 't' }] },
    })
    await shop.finish(id, 'a', 1)
    expect(await advance(shop, id, 'started', 'passed')).toEqual({
      ok: true,
      value: shop.build(id),
    })
    expect(await advance(shop, id, 'finished')).toEqual(failedOnce)
    expect(await advance(shop, id, 'finished', 'failed')).toEqual({
      ok: true,
      value: shop.build(id),
    })
    expect(shop.states(id)).toEqual(['failed', 'passed'])
    const parent = await shop.create('parent')
    await send(shop, parent.id, 't', 'running')
    await shop.finish(shop.job(parent.id, 't').triggeredBuildId ?? '', 'a', 1)
    expect(await advance(shop, parent.id, 'finished')).toEqual(failedOnce)
  })

  it('is refused where no legal moves lead', async () => {
    const shop = new Workshop({
      pipelines: {
        web: [step('a')],
        soft: [{ command: 'a', softFail: true }],
        gate: [{ block: 'Go?' }],
      },
    })
    const one = await shop.create('web')
    const noWay = (to: string, is: string) =>
      refused(`Build can't become ${to}: it is ${is} and no move leads there`)
    expect(await advance(shop, one.id, 'failing')).toEqual(noWay('failing', 'failed'))
    expect(await advance(shop, one.id, 'finished')).toEqual(failedOnce)
    const gate = await shop.create('gate')
    expect(await advance(shop, gate.id, 'started')).toEqual(noWay('started', 'blocked'))
    const two = await shop.create('web')
    expect(await advance(shop, two.id, 'blocked')).toEqual(noWay('blocked', 'passed'))
    const soft = await shop.create('soft')
    expect(await advance(shop, soft.id, 'finished', 'failed')).toEqual(noWay('failed', 'passed'))
  })
})
