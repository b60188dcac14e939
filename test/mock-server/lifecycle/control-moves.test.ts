import { describe, expect, it } from 'vitest'
import { advanceBuild } from '../../../mock-server/src/domain/advance-build.js'
import { applyEvent } from '../../../mock-server/src/domain/perform.js'
import { legalStates, requestTransition } from '../../../mock-server/src/domain/request-transition.js'
import type { Step } from '../../../mock-server/src/store/records.js'
import { Workshop } from './workshop.js'

const steps: readonly Step[] = [
  { command: 'a', key: 'a' },
  { command: 'b', key: 'b', softFail: true },
  { block: 'Go?', key: 'go' },
  { command: 'c', key: 'c' },
]
const send = (shop: Workshop, id: string, key: string, state: string, fields = {}) =>
  shop.turn((turn) => requestTransition(turn, shop.build(id), shop.job(id, key).id, { state, ...fields }))

describe('a transition by name', () => {
  it('goes through the states between', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    expect((await send(shop, id, 'a', 'running')).ok).toBe(true)
    expect(shop.job(id, 'a')).toMatchObject({ state: 'running', agent: expect.any(String) })
    expect(shop.build(id).state).toBe('running')
    await send(shop, id, 'a', 'failed', { exit_status: 137, signal: 'SIGKILL', signal_reason: 'agent_stop' })
    expect(shop.job(id, 'a')).toMatchObject({ exit_status: 137, signal: 'SIGKILL', signal_reason: 'agent_stop' })
  })

  it.each([
    ['scheduled', ['assigned', 'accepted', 'running', 'limited', 'expired', 'canceled', 'skipped']],
    ['limited', ['scheduled', 'expired', 'canceled', 'skipped']],
    ['assigned', ['accepted', 'running', 'canceled', 'canceling', 'skipped']],
    ['accepted', ['running', 'canceled', 'canceling', 'skipped']],
    ['running', ['passed', 'failed', 'timing_out', 'timed_out', 'canceled', 'canceling']],
    ['timing_out', ['timed_out', 'canceled', 'canceling']],
    ['canceling', ['canceled']],
    ['passed', []],
    ['waiting', ['canceled', 'skipped']],
  ])('from %s leads to %j alone', async (state, legal) => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    expect(legalStates({ ...shop.job(id, 'a'), state })).toEqual(legal)
  })

  it('of a waiter is never asked for: it ends with its build', async () => {
    const shop = new Workshop({ pipelines: { web: [{ command: 'a' }, { wait: true }] } })
    const { id } = await shop.create('web')
    expect(legalStates(shop.job(id, 1))).toEqual([])
  })

  it('of a trigger job makes its build, or fails to', async () => {
    const shop = new Workshop({ pipelines: { web: [{ trigger: 'next', key: 't' }], next: [{ command: 'x' }] } })
    const { id } = await shop.create('web')
    expect(legalStates(shop.job(id, 't'))).toEqual(['running', 'failed', 'canceled', 'skipped'])
    expect(legalStates({ ...shop.job(id, 't'), async: true })).toEqual(['passed', 'failed', 'canceled', 'skipped'])
    await send(shop, id, 't', 'running')
    expect(shop.build(shop.job(id, 't').triggeredBuildId ?? '')).toMatchObject({ source: 'trigger_job' })
    await send(shop, id, 't', 'failed')
    expect(shop.build(id).state).toBe('failed')
  })

  it('of a block step: unblocked, or not', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    expect(legalStates({ ...shop.job(id, 'go'), state: 'blocked' })).toEqual([
      'unblocked',
      'unblocked_failed',
      'canceled',
      'skipped',
    ])
  })

  it('is refused with the states that are legal', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    expect(await send(shop, id, 'a', 'passed')).toEqual({
      ok: false,
      failure: {
        code: 'unprocessable',
        message:
          "A script job that is scheduled can't become passed: from there it may become assigned, accepted, running, limited, expired, canceled, skipped",
      },
    })
    await shop.finish(id, 'a')
    expect(await send(shop, id, 'a', 'running')).toMatchObject({
      failure: { message: expect.stringContaining('it moves no more') },
    })
  })

  it('does not let a job pass with a failing exit status', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    await shop.run(id, 'a')
    expect((await send(shop, id, 'a', 'passed', { exit_status: 1 })).ok).toBe(false)
    expect((await send(shop, id, 'a', 'failed', { exit_status: 0 })).ok).toBe(false)
    expect(shop.job(id, 'a').state).toBe('running')
  })

  it('of a job that does not exist is not found', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    const decision = await shop.turn((turn) => requestTransition(turn, shop.build(id), 'nope', { state: 'running' }))
    expect(decision).toMatchObject({ failure: { code: 'not_found', message: 'No job found' } })
  })
})

describe('promise, unblock, retry', () => {
  it('promise wants an integer other than 0, of a running job', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    const promise = (status: number) =>
      shop.turn((turn) =>
        applyEvent(turn, shop.build(id), shop.job(id, 'a').id, { type: 'promise', exit_status: status }),
      )
    expect((await promise(1)).ok).toBe(false)
    await shop.run(id, 'a')
    expect((await promise(0)).ok).toBe(false)
    expect((await promise(1.5)).ok).toBe(false)
    expect((await promise(2)).ok).toBe(true)
    expect((await promise(2)).ok).toBe(false)
  })

  it('unblock is for a block step that was reached', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    const unblock = (key: string) =>
      shop.turn((turn) => applyEvent(turn, shop.build(id), shop.job(id, key).id, { type: 'unblock', user: 'u1' }))
    expect((await unblock('go')).ok).toBe(false)
    expect((await unblock('a')).ok).toBe(false)
    await shop.finish(id, 'a')
    await shop.finish(id, 'b')
    expect((await unblock('go')).ok).toBe(true)
    expect(shop.job(id, 'c').state).toBe('scheduled')
  })

  it('retry takes one job, once', async () => {
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
    const job = shop.job(id, 'a')
    const retry = () => shop.retryOne(id, job.id)
    expect((await retry()).ok).toBe(false)
    await shop.finish(id, 'a', 1)
    expect((await retry()).ok).toBe(true)
    expect((await retry()).ok).toBe(false)
    expect(shop.job(id, 'a').retries_count).toBe(1)
  })
})

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
    const shop = new Workshop({ pipelines: { web: steps } })
    const { id } = await shop.create('web')
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
    expect(await advance(shop, bad.id, 'finished', 'failed')).toMatchObject({ value: { state: 'failed' } })
    expect(shop.states(bad.id).slice(0, 3)).toEqual(['failed', 'failed', 'failed'])
  })

  it('is refused where no legal moves lead', async () => {
    const shop = new Workshop({
      pipelines: { web: [{ command: 'a', key: 'a' }], soft: [{ command: 'a', softFail: true }] },
    })
    const one = await shop.create('web')
    expect(await advance(shop, one.id, 'failing')).toMatchObject({ failure: { code: 'unprocessable' } })
    const two = await shop.create('web')
    expect(await advance(shop, two.id, 'blocked')).toMatchObject({
      failure: { message: "Build can't become blocked: it is passed and no move leads there" },
    })
    const soft = await shop.create('soft')
    expect(await advance(shop, soft.id, 'finished', 'failed')).toMatchObject({
      failure: { message: "Build can't become failed: it is passed and no move leads there" },
    })
  })
})
