import { describe, expect, it } from 'vitest'
import { allowsBranch, matchesBranch } from '../../../mock-server/src/domain/branch-pattern.js'
import { countJobs } from '../../../mock-server/src/domain/plan-jobs.js'
import type { Step } from '../../../mock-server/src/store/records.js'
import { Workshop } from './workshop.js'

const planned = async (steps: readonly Step[]) => {
  const shop = new Workshop({ pipelines: { web: steps } })
  return (await shop.create('web')).jobs
}

describe('steps become jobs', () => {
  it('in pipeline order, one kind each', async () => {
    const jobs = await planned([
      { command: 'make', key: 'make', label: ':hammer: Make', priority: 3, queue: 'mac' },
      { wait: true },
      { block: 'Go?', key: 'go' },
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
  })

  it('a parallel step becomes a group of jobs, counted from 0', async () => {
    const jobs = await planned([{ command: 'test', key: 't', parallelism: 3 }])
    expect(jobs.map((job) => [job.parallel_group_index, job.parallel_group_total, job.step_key])).toEqual([
      [0, 3, 't'],
      [1, 3, 't'],
      [2, 3, 't'],
    ])
    expect(new Set(jobs.map((job) => job.stepId)).size).toBe(1)
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

  it('members of a group carry its key, and no one else has one', async () => {
    const jobs = await planned([{ command: 'a' }, { group: 'G', key: 'g', steps: [{ command: 'b' }, { wait: true }] }])
    expect(jobs.map((job) => job.group_key)).toEqual([undefined, 'g', 'g'])
  })

  it('are counted before they are made', () => {
    const steps: Step[] = [
      { command: 'a', parallelism: 10, matrix: { x: ['1', '2'], y: ['1', '2', '3'] } },
      { group: 'g', key: 'g', steps: [{ command: 'b', parallelism: 4 }, { wait: true }] },
    ]
    expect(countJobs(steps)).toBe(65)
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
  ])('%s and %s: %j', (pattern, branch, matches) => {
    expect(matchesBranch(pattern, branch)).toBe(matches)
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
  ])('the list %j lets %s through: %j', (configuration, branch, allowed) => {
    expect(allowsBranch(configuration, branch)).toBe(allowed)
  })

  it('takes no time to fail on hostile input', () => {
    const before = process.hrtime.bigint()
    expect(matchesBranch(`${'a*'.repeat(200)}b`, 'a'.repeat(20_000))).toBe(false)
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(1_000)
  })
})
