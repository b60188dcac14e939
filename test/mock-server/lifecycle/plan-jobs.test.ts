import { describe, expect, it } from 'vitest'
import { allowsBranch, matchesBranch } from '../../../mock-server/src/domain/branch-pattern.js'
import { countJobs, planJobs, replanJobs } from '../../../mock-server/src/domain/plan-jobs.js'
import type { Step } from '../../../mock-server/src/records/records.js'
import { aJob } from '../../support/records.js'
import { Workshop } from './workshop.js'

const planned = async (steps: readonly Step[]) => {
  const shop = new Workshop({ pipelines: { web: steps } })
  return [...(await shop.create('web')).jobs]
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
    return planJobs({ steps, branch, at, uuid, queueId: (key) => (key === 'none' ? null : `queue-${key}`) })
  }
  const whole = {
    id: 'job-2',
    state: 'scheduled',
    stepId: 'step-1',
    step_key: null,
    artifact_paths: '',
    agent_query_rules: [],
    priority: 0,
    queueId: null,
    agent: null,
    soft_failed: false,
    exit_status: null,
    signal: null,
    signal_reason: null,
    created_at: at,
    scheduled_at: at,
    runnable_at: at,
    started_at: null,
    finished_at: null,
    retried: false,
    retried_in_job_id: null,
    retries_count: null,
    retry_source: null,
    retry_type: null,
    parallel_group_index: null,
    parallel_group_total: null,
    matrix: null,
    signature: null,
    log: null,
  }

  it('with every key, of a command, a wait, a block and a trigger that say no more than they must', () => {
    const command = { type: 'script', name: 'make', command: 'make', queueId: 'queue-default' }
    expect(plan([{ command: 'make' }])).toEqual([{ ...whole, ...command, step: { command: 'make' } }])
    const make = { command: 'make', key: 'make', label: 'Make' }
    expect(plan([])).toEqual([{ ...whole, ...command, name: 'Make', step_key: 'make', step: make }])
    const wait = { type: 'waiter', name: null, command: '', state: 'waiting', runnable_at: null }
    expect(plan([{ wait: true }])).toEqual([{ ...whole, ...wait, step: { wait: true } }])
    const block = { ...wait, type: 'manual', name: 'Go?', unblockedBy: null, unblocked_at: null }
    expect(plan([{ block: 'Go?' }])).toEqual([{ ...whole, ...block, step: { block: 'Go?' } }])
    const trigger = { type: 'trigger', name: 'Trigger web', command: '', async: false, triggeredBuildId: null }
    expect(plan([{ trigger: 'web' }])).toEqual([{ ...whole, ...trigger, step: { trigger: 'web' } }])
    expect(plan([{ trigger: 'web', label: 'Next' }])).toMatchObject([{ name: 'Next' }])
  })

  it('that are left out have ended already, whatever stands before them', () => {
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
    expect(plan([{ block: 'Go?' }, { wait: true }, { command: 'a' }])).toMatchObject([{}, {}, { state: 'waiting' }])
    expect(plan(steps, 'dev')).toMatchObject([{}, {}, { state: 'blocked' }, { state: 'broken' }])
  })

  it('that stand without a step are planned again by what they are', () => {
    let made = 0
    const again = (...jobs: Parameters<typeof aJob>[0][]) =>
      replanJobs(jobs.map(aJob), { branch: 'main', at, uuid: (noun) => `${noun}-${++made}` })
    const promised = { promised_exit_status: 1, promised_exit_status_at: at, exit_status: 1, agent: 'a' }
    const [first, ...others] = again(
      { id: 'a', state: 'failed', ...promised, log: 'Boom', retries_count: null },
      { id: 'b', type: 'manual', state: 'unblocked', unblockedBy: 'u1', unblocked_at: at },
      { id: 'c', state: 'skipped' },
      { id: 'd', state: 'broken' },
      { id: 'e', type: 'trigger', state: 'passed', triggeredBuildId: 'b1' },
      { id: 'f', state: 'passed', retry_source: { job_id: 'x', retry_type: 'manual' } },
    )
    expect(first).toEqual(aJob({ id: 'job-1', created_at: at, scheduled_at: at, runnable_at: at }))
    expect(others).toMatchObject([
      { id: 'job-2', state: 'waiting', finished_at: null, unblockedBy: null, unblocked_at: null },
      { id: 'job-3', state: 'skipped', finished_at: at },
      { id: 'job-4', state: 'broken', finished_at: at },
      { id: 'job-5', state: 'blocked', finished_at: null, triggeredBuildId: null },
    ])
    expect(others).toHaveLength(4)
    const step = { command: 'make', branches: 'main' }
    expect(again({ id: 'a', state: 'skipped', step }, { id: 'b', state: 'broken', step })).toMatchObject([
      { state: 'scheduled', finished_at: null },
      { state: 'scheduled', finished_at: null },
    ])
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
    ['main *', 'ain', true],
    ['main !ma*', 'main', false],
  ])('the list %j lets %s through: %j', (configuration, branch, allowed) => {
    expect(allowsBranch(configuration, branch)).toBe(allowed)
  })

  it('takes no time to fail on hostile input', () => {
    const before = process.hrtime.bigint()
    expect(matchesBranch(`${'a*'.repeat(200)}b`, 'a'.repeat(20_000))).toBe(false)
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(1_000)
  })
})
