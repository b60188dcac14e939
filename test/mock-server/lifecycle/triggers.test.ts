import { describe, expect, it } from 'vitest'
import type { Step } from '../../../mock-server/src/records/records.js'
import { openShop, start, step, Workshop } from './workshop.js'

const at = (ms = 0) => new Date(start + ms).toISOString()
const pipelines = (
  more: Partial<{ async: boolean; build: object }> = {},
): Record<string, readonly Step[]> => ({
  web: [{ trigger: 'deploy', key: 'go', ...more } as Step, { wait: true }, step('after')],
  deploy: [step('ship')],
})

describe('a trigger job', () => {
  it('makes its build in the same turn and follows its end', async () => {
    const shop = new Workshop({
      pipelines: pipelines({
        build: { branch: 'prod', message: 'Ship', env: { A: '1' }, meta_data: { k: 'v' } },
      }),
    })
    const { id } = await shop.create('web', { message: 'Parent' })
    await shop.trigger(id, 'go')
    const job = shop.job(id, 'go')
    expect(job).toMatchObject({ state: 'running', started_at: at() })
    expect(shop.build(id)).toMatchObject({ state: 'running', started_at: at() })
    const child = shop.build(job.triggeredBuildId ?? '')
    expect(child).toMatchObject({
      source: 'trigger_job',
      branch: 'prod',
      message: 'Ship',
      triggeredFrom: { buildId: id, number: 1, jobId: job.id },
      triggerDepth: 1,
      state: 'scheduled',
    })
    expect([child.env, child.meta_data]).toEqual([{ A: '1' }, { k: 'v' }])
    await shop.clock.advance(1_000)
    await shop.finish(child.id, 'ship')
    expect(shop.job(id, 'go')).toMatchObject({ state: 'passed', finished_at: at(1_000) })
    expect(shop.job(id, 'after').state).toBe('scheduled')
  })

  it.each([
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ] as const)('ends %s with a build that is', async (state, shown) => {
    const { shop, id } = await openShop({ pipelines: pipelines() })
    await shop.trigger(id, 'go')
    const child = shop.job(id, 'go').triggeredBuildId ?? ''
    if (state === 'failed') await shop.finish(child, 'ship', 1)
    else await shop.cancel(child)
    expect(shop.job(id, 'go').state).toBe(shown)
    expect(shop.build(id).state).toBe('failed')
  })

  it('triggers once, and no other job does', async () => {
    const { shop, id } = await openShop({ pipelines: pipelines() })
    const refused = { failure: { message: 'Only a scheduled trigger job triggers a build' } }
    expect(await shop.trigger(id, 'after')).toMatchObject(refused)
    expect(await shop.trigger(id, 'go')).toMatchObject({ ok: true })
    expect(await shop.trigger(id, 'go')).toMatchObject(refused)
    expect(shop.state.count('builds')).toBe(2)
  })

  it('passes at once if it is async', async () => {
    const { shop, id } = await openShop({ pipelines: pipelines({ async: true }) })
    await shop.trigger(id, 'go')
    expect(shop.job(id, 'go')).toMatchObject({
      state: 'passed',
      started_at: at(),
      finished_at: at(),
    })
    const child = shop.job(id, 'go').triggeredBuildId ?? ''
    await shop.finish(child, 'ship', 1)
    expect(shop.job(id, 'go').state).toBe('passed')
  })

  it('waits while its build is blocked', async () => {
    const { shop, id } = await openShop({
      pipelines: { ...pipelines(), deploy: [step('ship'), { block: 'Go?', key: 'ok' }] },
    })
    await shop.trigger(id, 'go')
    const child = shop.job(id, 'go').triggeredBuildId ?? ''
    await shop.finish(child, 'ship')
    expect(shop.build(child)).toMatchObject({ state: 'passed', blocked: true })
    expect(shop.job(id, 'go').state).toBe('running')
    await shop.event(child, 'ok', { type: 'unblock', user: null })
    expect(shop.job(id, 'go').state).toBe('passed')
  })

  it('is skipped if its build is not run', async () => {
    const { shop, id } = await openShop({
      pipelines: { ...pipelines(), deploy: [{ command: 'x', outcome: 'skip' }] },
    })
    expect(await shop.trigger(id, 'go')).toEqual({ ok: true, value: shop.build(id) })
    expect(shop.job(id, 'go').state).toBe('skipped')
  })

  it('fails, and its log says why, if the pipeline is unknown or does not build the branch', async () => {
    const { shop, id } = await openShop([{ trigger: 'nowhere', key: 'go' }])
    await shop.trigger(id, 'go')
    const go = shop.job(id, 'go')
    expect(go).toMatchObject({
      state: 'failed',
      log: 'No pipeline nowhere to trigger',
      triggeredBuildId: null,
    })
    expect(shop.build(id).state).toBe('failed')
    const filtered = new Workshop({
      pipelines: pipelines({ build: { branch: 'x' } }),
      pipeline: { branch_configuration: 'main' },
    })
    const other = await filtered.create('web')
    await filtered.trigger(other.id, 'go')
    expect(filtered.job(other.id, 'go').log).toBe('Branch x is not built by this pipeline')
  })

  it('builds the head of the default branch with the message of its build by default', async () => {
    const shop = new Workshop({
      pipelines: pipelines({ build: {} }),
      pipeline: { default_branch: 'trunk' },
    })
    const author = { name: 'Mina', email: 'mina@acme.example' }
    const parent = await shop.create('web', {
      message: 'Parent',
      author,
      env: { A: '1' },
      meta_data: { k: 'v' },
    })
    await shop.trigger(parent.id, 'go')
    const child = shop.build(shop.job(parent.id, 'go').triggeredBuildId ?? '')
    expect(child).toMatchObject({
      commit: 'HEAD',
      branch: 'trunk',
      message: 'Parent',
      author,
      pull_request: null,
    })
    expect(child).toMatchObject({ env: {}, meta_data: {}, clean_checkout: false, creatorId: null })
    expect(child.triggeredFrom?.pipelineId).toBe(shop.pipeline('web').id)
    const asked = new Workshop({
      pipelines: pipelines({ build: { commit: 'c0ffee', meta_data: { k: 'v' } } }),
    })
    const { id } = await asked.create('web')
    await asked.trigger(id, 'go')
    const other = asked.build(asked.job(id, 'go').triggeredBuildId ?? '')
    expect(other).toMatchObject({ commit: 'c0ffee', meta_data: { k: 'v' } })
  })

  it('ends as its build ends, also when that is skipped, and not when it no longer waits', async () => {
    const { shop, id } = await openShop({
      pipelines: pipelines(),
      pipeline: { skip_queued_branch_builds: true },
    })
    await shop.trigger(id, 'go')
    await shop.create('deploy')
    expect(shop.job(id, 'go').state).toBe('skipped')
    const other = await shop.create('web')
    await shop.trigger(other.id, 'go')
    await shop.event(other.id, 'go', { type: 'mirror', state: 'failed' })
    const ended = shop.build(other.id)
    await shop.finish(shop.job(other.id, 'go').triggeredBuildId ?? '', 'ship')
    expect(shop.build(other.id)).toEqual(ended)
  })

  it('may be deleted before its build ends', async () => {
    const { shop, id } = await openShop({ pipelines: pipelines() })
    await shop.trigger(id, 'go')
    const child = shop.job(id, 'go').triggeredBuildId ?? ''
    await shop.store.update((tx) => tx.delete('builds', id))
    await shop.finish(child, 'ship')
    expect(shop.build(child).state).toBe('passed')
  })

  it('in a loop ends after eight builds, and the failure goes up the chain', async () => {
    const shop = new Workshop({ pipelines: { web: [{ trigger: 'web', key: 'go' }] } })
    let { id } = await shop.create('web')
    for (let depth = 0; depth < 8; depth += 1) {
      await shop.trigger(id, 'go')
      id = shop.job(id, 'go').triggeredBuildId ?? ''
    }
    expect(shop.build(id).triggerDepth).toBe(8)
    await shop.trigger(id, 'go')
    expect(shop.job(id, 'go').log).toBe(
      'Builds may trigger one another 8 deep, and this would be deeper',
    )
    const builds = [...shop.store.state.values('builds')]
    expect(builds.map((build) => build.state)).toEqual(Array.from({ length: 9 }, () => 'failed'))
  })

  it('can be superseded by the build that it triggers in its own pipeline', async () => {
    const { shop, id } = await openShop({
      pipelines: { web: [{ trigger: 'web', key: 'go' }, step('x')] },
      pipeline: { cancel_running_branch_builds: true },
    })
    await shop.run(id, 'x')
    await shop.trigger(id, 'go')
    expect(shop.build(id)).toMatchObject({
      state: 'canceled',
      cancel_reason: 'Superseded by build #2',
    })
    expect(shop.job(id, 'go').state).toBe('canceled')
  })
})
