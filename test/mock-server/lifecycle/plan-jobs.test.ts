import { describe, expect, it } from 'vitest'
import { allowsBranch, matchesGlob } from '../../../mock-server/src/domain/glob.js'
import { countJobs, planJobs } from '../../../mock-server/src/domain/plan-jobs.js'
import type { Step } from '../../../mock-server/src/records/records.js'
import { gate, step, Workshop } from './workshop.js'

const planned = async (steps: readonly Step[]) => {
  const shop = new Workshop({ pipelines: { web: steps } })
  return [...(await shop.create('web')).jobs]
}

describe('steps become jobs', () => {
  it('in pipeline order, one kind each', async () => {
    const jobs = await planned([
      step('make', { label: ':hammer: Make', priority: 3, queue: 'mac' }),
      { wait: true },
      gate,
      { trigger: 'other', async: true, key: 'next' },
    ])
    expect(jobs.map((job) => job.type)).toEqual(['script', 'waiter', 'manual', 'trigger'])
    expect(jobs[0]).toMatchObject({
      name: ':hammer: Make',
      step_key: 'make',
      command: 'make',
      priority: 3,
      agent_query_rules: ['queue=mac'],
      queueId: 'queue-mac',
      parallel_group_index: null,
      matrix: null,
    })
    expect(jobs[2]).toMatchObject({ name: 'Go?', step_key: 'go', unblockedBy: null })
    expect(jobs[3]).toMatchObject({ async: true, triggeredBuildId: null, name: 'Trigger other' })
    expect(await planned([{ trigger: 'other', label: 'Next' }])).toMatchObject([
      { name: 'Next', async: false },
    ])
  })

  it('a matrix becomes one job for each combination', async () => {
    const jobs = await planned([
      {
        command: 'run {{matrix.os}}',
        label: '{{matrix.os}} $& {{matrix.node}}',
        matrix: { os: ['linux', 'mac'], node: ['20', '$&'] },
      },
    ])
    expect(jobs.map((job) => job.matrix)).toEqual([
      { os: 'linux', node: '20' },
      { os: 'linux', node: '$&' },
      { os: 'mac', node: '20' },
      { os: 'mac', node: '$&' },
    ])
    expect(jobs[3]).toMatchObject({ command: 'run mac', name: 'mac $& $&' })
  })

  const at = '2026-03-02T09:00:00.000Z'
  const plan = (steps: readonly Step[], branch = 'main') => {
    let made = 0
    const uuid = (noun: string) => `${noun}-${++made}`
    return planJobs({
      steps,
      branch,
      at,
      uuid,
      queueId: (key) => (key === 'none' ? null : `queue-${key}`),
    })
  }

  it('that are left out have ended from the start', () => {
    const steps: Step[] = [
      { block: 'Go?' },
      { command: 'a', outcome: 'skip', branches: '!main' },
      { command: 'b', branches: '!main' },
      { command: 'c', branches: 'main', queue: 'none' },
    ]
    const ended = { runnable_at: null, finished_at: at }
    expect(plan(steps)).toMatchObject([
      { state: 'waiting', finished_at: null },
      { state: 'skipped', ...ended },
      { state: 'broken', ...ended },
      { state: 'blocked', runnable_at: null, queueId: null, finished_at: null },
    ])
    expect(plan([{ block: 'Go?' }, { wait: true }, { command: 'a' }])).toMatchObject([
      {},
      {},
      { state: 'waiting' },
    ])
    expect(plan(steps, 'dev')).toMatchObject([{}, {}, { state: 'blocked' }, { state: 'broken' }])
  })

  it('are counted before they are made', () => {
    const steps: Step[] = [
      { command: 'a', parallelism: 10, matrix: { x: ['1', '2'], y: ['1', '2', '3'] } },
      { group: 'g', key: 'g', steps: [{ command: 'b', parallelism: 4 }, { wait: true }] },
      { trigger: 'web' },
      { command: 'c' },
    ]
    expect(countJobs(steps)).toBe(67)
  })
})

describe('a branch pattern', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'Main', false],
    ['main', 'main2', false],
    ['release/*', 'release/1/2', true],
    ['release/*', 'release/', true],
    ['*dev*', 'my-dev-branch', true],
    ['*dev*', 'dv', false],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['*', '', true],
    ['a.c', 'abc', false],
    ['**', 'x', true],
    ['*ab*b', 'ab', false],
    ['*ab*b', 'abb', true],
    ['*ab*ba*', 'aba', false],
    ['*ab*ba*', 'abba', true],
  ])('%s and %s: %j', (pattern, branch, matches) => {
    expect(matchesGlob(pattern, branch)).toBe(matches)
  })

  it.each([
    [null, 'x', true],
    ['', 'x', true],
    ['main release/*', 'release/1', true],
    ['main release/*', 'dev', false],
    ['!main', 'dev', true],
    ['!main', 'main', false],
    ['* !wip/*', 'wip/x', false],
    ['* !wip/*', 'x', true],
    ['  main\t dev ', 'dev', true],
    ['main *', 'ain', true],
    ['main !ma*', 'main', false],
  ])('the list %j lets %s through: %j', (configuration, branch, allowed) => {
    expect(allowsBranch(configuration, branch)).toBe(allowed)
  })

  it('fails quickly on hostile input', () => {
    const before = process.hrtime.bigint()
    expect(matchesGlob(`${'a*'.repeat(200)}b`, 'a'.repeat(20_000))).toBe(false)
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(1_000)
  })
})
