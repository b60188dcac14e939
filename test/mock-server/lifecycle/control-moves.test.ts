import { describe, expect, it } from 'vitest'
import {
  legalStates,
  requestTransition,
} from '../../../mock-server/src/domain/request-transition.js'
import type { Step } from '../../../mock-server/src/records/records.js'
import { gate, openShop, step, type Workshop } from './workshop.js'

const steps: readonly Step[] = [step('a'), step('b', { softFail: true }), gate, step('c')]
const send = (shop: Workshop, id: string, key: string, state: string, fields = {}) =>
  shop.turn((turn) =>
    requestTransition(turn, shop.build(id), shop.job(id, key).id, { state, ...fields }),
  )

describe('a transition by name', () => {
  it('goes through the states between', async () => {
    const { shop, id } = await openShop(steps)
    expect((await send(shop, id, 'a', 'running')).ok).toBe(true)
    expect(shop.job(id, 'a')).toMatchObject({ state: 'running', agent: expect.any(String) })
    expect(shop.build(id).state).toBe('running')
    await send(shop, id, 'a', 'failed', {
      exit_status: 137,
      signal: 'SIGKILL',
      signal_reason: 'agent_stop',
    })
    expect(shop.job(id, 'a')).toMatchObject({
      exit_status: 137,
      signal: 'SIGKILL',
      signal_reason: 'agent_stop',
    })
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
    const { shop, id } = await openShop(steps)
    const agent = legal.includes('canceling') ? 'a1' : null
    expect(legalStates({ ...shop.job(id, 'a'), state, agent })).toEqual(legal)
  })

  it('of a trigger job makes its build, or fails to', async () => {
    const { shop, id } = await openShop({
      pipelines: { web: [{ trigger: 'next', key: 't' }], next: [{ command: 'x' }] },
    })
    expect(legalStates(shop.job(id, 't'))).toEqual(['running', 'failed', 'canceled', 'skipped'])
    expect(legalStates({ ...shop.job(id, 't'), async: true })).toEqual([
      'passed',
      'failed',
      'canceled',
      'skipped',
    ])
    await send(shop, id, 't', 'running')
    expect(shop.build(shop.job(id, 't').triggeredBuildId ?? '')).toMatchObject({
      source: 'trigger_job',
    })
    expect(legalStates(shop.job(id, 't'))).toEqual(['passed', 'failed', 'canceled', 'skipped'])
    await send(shop, id, 't', 'failed')
    expect(shop.build(id).state).toBe('failed')
    const other = await shop.create('web')
    await send(shop, other.id, 't', 'failed')
    expect(shop.job(other.id, 't')).toMatchObject({
      state: 'failed',
      triggeredBuildId: null,
      log: null,
    })
  })

  it('that asks for a state without more takes what is usual', async () => {
    const { shop, id } = await openShop(steps)
    await send(shop, id, 'a', 'running')
    await send(shop, id, 'a', 'passed')
    expect(shop.job(id, 'a')).toMatchObject({
      state: 'passed',
      exit_status: 0,
      signal: null,
      signal_reason: null,
    })
    await send(shop, id, 'b', 'running')
    await send(shop, id, 'b', 'failed')
    expect(shop.job(id, 'b')).toMatchObject({ exit_status: 1, signal: null, signal_reason: null })
    await send(shop, id, 'go', 'unblocked')
    expect(shop.job(id, 'go')).toMatchObject({ state: 'unblocked', unblockedBy: null })
  })

  it('cancels at once or by and by, and times out in one step or two', async () => {
    const { shop, id } = await openShop(steps)
    for (const key of ['a', 'b']) await send(shop, id, key, 'running')
    await send(shop, id, 'a', 'canceling')
    expect(shop.job(id, 'a').state).toBe('canceling')
    await send(shop, id, 'a', 'canceled')
    expect(shop.job(id, 'a')).toMatchObject({ state: 'canceled', signal: 'SIGTERM' })
    await send(shop, id, 'b', 'timing_out')
    expect(shop.job(id, 'b').state).toBe('timing_out')
    await send(shop, id, 'b', 'timed_out')
    expect(shop.job(id, 'b').state).toBe('timed_out')
    const other = await shop.create('web')
    await send(shop, other.id, 'a', 'running')
    await send(shop, other.id, 'a', 'timed_out')
    expect(shop.job(other.id, 'a')).toMatchObject({
      state: 'timed_out',
      started_at: expect.any(String),
    })
    await send(shop, other.id, 'b', 'running')
    await send(shop, other.id, 'b', 'canceled')
    expect(shop.job(other.id, 'b').state).toBe('canceled')
  })

  it('is refused with the states that are legal', async () => {
    const { shop, id } = await openShop(steps)
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

  it('of a waiter, and of a job that was retried, is none', async () => {
    const { shop, id } = await openShop([step('a'), { wait: true }])
    expect(legalStates(shop.job(id, 1))).toEqual([])
    expect(legalStates({ ...shop.job(id, 'a'), retried: true })).toEqual([])
  })

  it('does not let a job pass with a failing exit status', async () => {
    const { shop, id } = await openShop(steps)
    await shop.run(id, 'a')
    const refused = (message: string) => ({
      ok: false,
      failure: { code: 'unprocessable', message },
    })
    expect(await send(shop, id, 'a', 'passed', { exit_status: 1 })).toEqual(
      refused("A job that exits with 1 can't become passed"),
    )
    expect(await send(shop, id, 'a', 'failed', { exit_status: 0 })).toEqual(
      refused("A job that exits with 0 can't become failed"),
    )
    expect(shop.job(id, 'a').state).toBe('running')
    expect((await send(shop, id, 'a', 'passed', { exit_status: 0 })).ok).toBe(true)
  })
})

describe('promise, unblock, retry', () => {
  it('retry takes one job, once', async () => {
    const { shop, id } = await openShop(steps)
    const job = shop.job(id, 'a')
    const refused = (message: string, code = 'unprocessable') => ({
      ok: false,
      failure: { code, message },
    })
    expect(await shop.retryOne(id, 'nope')).toEqual(refused('No job found', 'not_found'))
    expect(await shop.retryOne(id, job.id)).toEqual(
      refused("A script job that is scheduled can't be retried"),
    )
    expect(await shop.retryOne(id, shop.job(id, 'go').id)).toEqual(
      refused("A manual job that is waiting can't be retried"),
    )
    await shop.run(id, 'a')
    await shop.event(id, 'a', { type: 'promise', exit_status: 1 })
    await shop.event(id, 'a', { type: 'exit', exit_status: 1 })
    expect(await shop.retryOne(id, job.id)).toEqual({ ok: true, value: shop.build(id) })
    expect(shop.job(id, 0)).toMatchObject({ retried: true, retry_type: 'manual' })
    expect(await shop.retryOne(id, job.id)).toEqual(refused('The job has already been retried'))
    expect(shop.job(id, 'a')).toMatchObject({
      state: 'scheduled',
      retries_count: 1,
      retry_type: null,
    })
    expect(shop.job(id, 'a')).not.toHaveProperty('promised_exit_status')
    expect(shop.job(id, 'a')).not.toHaveProperty('promised_exit_status_at')
    expect(shop.states(id)).toEqual(['failed', 'scheduled', 'scheduled', 'waiting', 'blocked'])
    expect(await shop.event(id, 0, { type: 'start' })).toEqual(
      refused('The job has been retried; its latest execution moves'),
    )
  })
})
