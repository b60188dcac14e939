import { describe, expect, it } from 'vitest'
import type { Step } from '../../../mock-server/src/store/records.js'
import { start, Workshop } from './workshop.js'

const at = (ms = 0) => new Date(start + ms).toISOString()
const two: readonly Step[] = [
  { command: 'a', key: 'a' },
  { command: 'b', key: 'b' },
]

describe('superseding', () => {
  it('skips older scheduled builds of the branch', async () => {
    const shop = new Workshop({ pipelines: { web: two }, pipeline: { skip_queued_branch_builds: true } })
    const first = await shop.create('web')
    const other = await shop.create('web', { branch: 'dev' })
    await shop.event(first.id, 'a', { type: 'assign', agent: 'x' })
    await shop.clock.advance(10)
    const last = await shop.create('web')
    expect(shop.build(first.id)).toMatchObject({ state: 'skipped', finished_at: at(10) })
    expect(shop.states(first.id)).toEqual(['skipped', 'skipped'])
    expect(shop.build(other.id).state).toBe('scheduled')
    expect(shop.build(last.id).state).toBe('scheduled')
    await shop.run(last.id, 'a')
    await shop.create('web')
    expect(shop.build(last.id).state).toBe('running')
  })

  it('skips one that is held at its first block step, and leaves jobs alone that were left out', async () => {
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

  it('cancels older running and failing ones, naming what came instead', async () => {
    const shop = new Workshop({ pipelines: { web: two }, pipeline: { cancel_running_branch_builds: true } })
    const running = await shop.create('web')
    await shop.run(running.id, 'a')
    const waiting = await shop.create('web')
    expect(shop.build(running.id)).toMatchObject({ state: 'canceled', cancel_reason: 'Superseded by build #2' })
    expect(shop.build(waiting.id).state).toBe('scheduled')
    const dev = await shop.create('web', { branch: 'dev' })
    await shop.create('web', { branch: 'dev' })
    expect(shop.build(dev.id).state).toBe('scheduled')
    const failing = waiting
    await shop.run(failing.id, 'b')
    await shop.finish(failing.id, 'a', 1)
    await shop.create('web')
    expect(shop.build(failing.id)).toMatchObject({ state: 'canceled', cancel_reason: 'Superseded by build #5' })
  })

  it('keeps to the branches that its filter names', async () => {
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
      pipeline: { cancel_running_branch_builds: true, cancel_running_branch_builds_filter: '!main' },
    })
    const running = await cancels.create('web')
    await cancels.run(running.id, 'a')
    await cancels.create('web')
    expect(cancels.build(running.id).state).toBe('running')
  })
})
