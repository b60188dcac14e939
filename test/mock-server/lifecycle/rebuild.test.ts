import { describe, expect, it } from 'vitest'
import { rebuildBuild } from '../../../mock-server/src/domain/create-build.js'
import type { Step } from '../../../mock-server/src/records/records.js'
import { gate, openShop, start, step, Workshop } from './workshop.js'

const at = (ms = 0) => new Date(start + ms).toISOString()
const two: readonly Step[] = [step('a'), step('b')]

describe('rebuild', () => {
  it('copies only the captured fields and the first execution of each job', async () => {
    const shop = new Workshop({ pipelines: { web: [...two, { wait: true }, { block: 'Go?' }] } })
    const pull_request = { id: '7', base: 'main', repository: 'r', labels: ['x'], draft: true }
    const original = await shop.create('web', {
      message: '',
      env: { A: '1' },
      meta_data: { k: 'v' },
      pull_request,
    })
    await shop.run(original.id, 'a')
    await shop.event(original.id, 'a', { type: 'promise', exit_status: 1 })
    await shop.event(original.id, 'a', { type: 'exit', exit_status: 1 })
    await shop.retry(original.id)
    await shop.finish(original.id, 'a')
    await shop.cancel(original.id, 'why')
    await shop.clock.advance(60_000)
    const user = { id: 'u9', name: 'Mina', email: 'mina@acme.example' }
    const built = await shop.must((turn) =>
      rebuildBuild(turn, shop.pipeline('web'), shop.build(original.id), user),
    )
    expect(built).toMatchObject({
      pull_request,
      creatorId: 'u9',
      author: { name: 'Mina', email: 'mina@acme.example' },
      created_at: at(60_000),
      scheduled_at: at(60_000),
      failing_at: null,
      finished_at: null,
    })
    expect(
      built.jobs.map((job) => [
        job.type,
        job.state,
        job.agent,
        job.retries_count,
        job.retry_source,
      ]),
    ).toEqual([
      ['script', 'scheduled', null, null, null],
      ['script', 'scheduled', null, null, null],
      ['waiter', 'waiting', null, null, null],
      ['manual', 'waiting', null, null, null],
    ])
    expect(built.jobs.at(0)).not.toHaveProperty('promised_exit_status')
    const old = new Set(shop.build(original.id).jobs.map((job) => job.id))
    expect(built.jobs.some((job) => old.has(job.id))).toBe(false)
    const again = await shop.must((turn) => rebuildBuild(turn, shop.pipeline('web'), built, user))
    expect(again.rebuiltFrom).toMatchObject({ id: built.id, number: 2 })
  })

  it('starts over with triggered builds and unblocked steps', async () => {
    const { shop, id } = await openShop({
      pipelines: {
        web: [{ trigger: 'next', key: 't' }, gate, { command: 'x', branches: '!main' }],
        next: two,
      },
    })
    await shop.trigger(id, 't')
    const child = shop.job(id, 't').triggeredBuildId ?? ''
    await shop.finish(child, 'a')
    await shop.finish(child, 'b')
    await shop.event(id, 'go', { type: 'unblock', user: 'u1' })
    const built = await shop.must((turn) =>
      rebuildBuild(turn, shop.pipeline('web'), shop.build(id), { id: 'u', name: 'n', email: 'e' }),
    )
    expect(built.jobs).toMatchObject([
      { type: 'trigger', state: 'scheduled', triggeredBuildId: null, started_at: null },
      {
        type: 'manual',
        state: 'waiting',
        unblockedBy: null,
        unblocked_at: null,
        finished_at: null,
      },
      { type: 'script', state: 'broken' },
    ])
    expect(built.jobs.at(0)).not.toHaveProperty('unblockedBy')
    expect(built.jobs.at(2)).not.toHaveProperty('triggeredBuildId')
  })

  it('runs jobs without a step again, except those that were left out', async () => {
    const shop = new Workshop({ pipelines: { web: two } })
    const build = await shop.create('web')
    await shop.finish(build.id, 'a')
    const [done, other] = shop.build(build.id).jobs.map(({ step: _, ...job }) => job)
    if (done === undefined || other === undefined) throw new Error('no jobs')
    await shop.store.update((tx) =>
      tx.put('builds', { ...build, jobs: [done, { ...other, state: 'broken' }] }),
    )
    const built = await shop.must((turn) =>
      rebuildBuild(turn, shop.pipeline('web'), shop.build(build.id), {
        id: 'u',
        name: 'n',
        email: 'e',
      }),
    )
    expect(built.jobs.map((job) => [job.state, job.exit_status])).toEqual([
      ['scheduled', null],
      ['broken', null],
    ])
  })

  it('also builds a branch that the pipeline no longer builds', async () => {
    const shop = new Workshop({ pipelines: { web: two } })
    const build = await shop.create('web', { branch: 'dev' })
    const pipeline = { ...shop.pipeline('web'), branch_configuration: 'main' }
    const built = await shop.must((turn) =>
      rebuildBuild(turn, pipeline, build, { id: 'u', name: 'n', email: 'e' }),
    )
    expect(built).toMatchObject({ branch: 'dev', state: 'scheduled' })
  })
})

describe('superseding', () => {
  it('skips a build that waits at its first block step, without changing jobs that were left out', async () => {
    const left = { command: 'x', branches: '!main' }
    const shop = new Workshop({
      pipelines: { web: [left, { block: 'Go?' }, ...two] },
      pipeline: { skip_queued_branch_builds: true },
    })
    const first = await shop.create('web')
    expect(shop.build(first.id)).toMatchObject({ state: 'scheduled', blocked: true })
    await shop.create('web')
    expect(shop.build(first.id)).toMatchObject({ state: 'skipped', blocked: false })
    expect(shop.states(first.id)).toEqual(['broken', 'skipped', 'skipped', 'skipped'])
  })

  it('also cancels a failing build', async () => {
    const shop = new Workshop({
      pipelines: { web: two },
      pipeline: { cancel_running_branch_builds: true },
    })
    const failing = await shop.create('web')
    await shop.run(failing.id, 'b')
    await shop.finish(failing.id, 'a', 1)
    await shop.create('web')
    expect(shop.build(failing.id)).toMatchObject({
      state: 'canceled',
      cancel_reason: 'Superseded by build #2',
    })
  })

  it('applies only to the branches of its filter', async () => {
    const shop = new Workshop({
      pipelines: { web: two },
      pipeline: { skip_queued_branch_builds: true, skip_queued_branch_builds_filter: '!main' },
    })
    const main = await shop.create('web')
    const dev = await shop.create('web', { branch: 'dev' })
    await shop.create('web')
    await shop.create('web', { branch: 'dev' })
    expect(shop.build(main.id).state).toBe('scheduled')
    expect(shop.build(dev.id).state).toBe('skipped')
    const cancels = new Workshop({
      pipelines: { web: two },
      pipeline: {
        cancel_running_branch_builds: true,
        cancel_running_branch_builds_filter: '!main',
      },
    })
    const running = await cancels.create('web')
    await cancels.run(running.id, 'a')
    await cancels.create('web')
    expect(cancels.build(running.id).state).toBe('running')
  })
})
