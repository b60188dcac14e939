import { describe, expect, it } from 'vitest'
import { cells } from '../../cli/src/io/width.js'
import { buildPage as drawPage } from '../../cli/src/views/build-page.js'
import { jobPage } from '../../cli/src/views/job-page.js'
import { ago, build, job, user, view } from './support/build.js'

const buildPage = (...args: Parameters<typeof drawPage>) => drawPage(...args).map(String)

const parallel = (index: number, state: string) =>
  job({
    name: ':hammer: Unit tests',
    state,
    parallel_group_index: index - 1,
    parallel_group_total: 8,
    exit_status: state === 'failed' ? 1 : 0,
    started_at: ago(600),
    finished_at: ago(index === 1 ? 418 : state === 'failed' ? 439 : 450),
    ...(state === 'failed' ? { promised_exit_status: 1, promised_exit_status_at: ago(549) } : {}),
  })

const sample = build({
  state: 'failed',
  message: 'Move session store to the new cluster, drop the old client and its retries',
  branch: 'feat/uploads',
  creator: user('robin'),
  created_at: ago(1560),
  started_at: ago(1500),
  finished_at: ago(1099),
  pull_request: { id: '318', base: 'main' },
  rebuilt_from: {
    id: '00000000-0000-4000-8000-000000004207',
    number: 4207,
    url: 'https://api.example.test/x',
  },
  jobs: [
    job({
      name: ':package: Build image',
      started_at: ago(1500),
      finished_at: ago(1428),
      exit_status: 0,
    }),
    job({
      name: ':eslint: Lint',
      state: 'failed',
      soft_failed: true,
      exit_status: 2,
      started_at: ago(1500),
      finished_at: ago(1452),
    }),
    { id: '00000000-0000-4000-9000-0000000000ff', type: 'waiter' },
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((index) => parallel(index, index === 3 ? 'failed' : 'passed')),
    job({ name: ':rocket: Deploy', state: 'waiting_failed' }),
  ],
})

describe('the page of a build', () => {
  it('has three columns of facts and the notes of jobs at 100', () => {
    expect(buildPage(sample, view(100)).join('\n')).toBe(
      `
✗ acme/web #4210 failed
  🔨 Unit tests 3/8 failed: exit 1
  Move session store to the new cluster, drop the old client and its retries

  branch    feat/uploads          commit    9b1d4e7c02ab          source    webhook
  by        robin                 created   26m ago (14:02:11)    took      6m 41s
  pull req. #318 into main        rebuilt   from #4207

  11 jobs: 1 failed, 1 soft failed, 1 did not run, 8 passed
  ✗ failed       🔨 Unit tests 3/8         exit 1, promised 1m 50s earlier  2m 41s
  ! soft failed  Lint                      exit 2, does not fail the build  0m 48s
  – did not run  🚀 Deploy
  ✓ passed       📦 Build image                                             1m 12s
  ✓ passed       🔨 Unit tests 1-2, 4-8/8  7/8 passed                       3m 02s

  https://ci.example.test/acme/web/builds/4210
  Why it failed: ci why acme/web#4210
  Logs of the failed job: ci builds logs acme/web#4210 --failed`.slice(1),
    )
  })

  it('ends with the command that unblocks a step which waits for a person', () => {
    const gate = job({ type: 'manual', name: 'Deploy?', state: 'blocked', unblockable: true })
    const blocked = { ...sample, state: 'passed', blocked: true, jobs: [gate] } as typeof sample
    expect(buildPage(blocked, view(100)).map(String).at(-1)).toBe(
      '  To unblock it: ci jobs unblock acme/web#4210',
    )
  })

  it('never prints null, undefined or an object, whatever is missing', () => {
    const bare = { id: sample.id, number: 7, state: 'somewhere' } as unknown as typeof sample
    const nulls = Object.fromEntries(
      Object.keys(sample).map((key) => [key, null]),
    ) as unknown as typeof sample
    for (const width of [40, 60, 100, 160]) {
      for (const record of [bare, { ...nulls, number: 7, state: 'running' }]) {
        const text = buildPage(
          { ...record, jobs: [{ id: 'x', type: 'script' }] },
          view(width),
        ).join('\n')
        expect(text).not.toMatch(/null|undefined|\[object/u)
        expect(text).toContain('#7')
      }
    }
  })

  it('says how a job ended, which exit it promised, which job replaced it, which build it started', () => {
    const retry = job({ name: 'Test', state: 'passed' })
    const page = buildPage(
      build({
        state: 'running',
        started_at: ago(100),
        jobs: [
          job({
            name: 'Slow',
            state: 'canceled',
            signal: 'SIGTERM',
            signal_reason: 'cancel',
            exit_status: -1,
          }),
          job({
            name: 'Doomed',
            state: 'running',
            promised_exit_status: 1,
            promised_exit_status_at: ago(5),
            started_at: ago(60),
          }),
          job({
            name: 'Test',
            state: 'failed',
            exit_status: 1,
            retried: true,
            retried_in_job_id: retry.id,
          }),
          retry,
          job({
            name: 'Deploy',
            type: 'trigger',
            state: 'passed',
            triggered_build: {
              id: retry.id,
              number: 7,
              web_url: 'https://ci.example.test/acme/docs/builds/7',
              url: 'https://api.example.test/v2/organizations/acme/pipelines/docs/builds/7',
            },
          }),
        ],
      }),
      view(120),
    ).join('\n')
    expect(page).toContain('SIGTERM, canceled while it ran')
    expect(page).toContain('! running')
    expect(page).toContain('promised exit 1')
    expect(page).toContain('retried as Test, passed')
    expect(page).toContain('started acme/docs#7')
    expect(page).toMatch(/running {3}1m 40s/u)
  })

  it('keeps every line within the width, but for the address and the command one copies', () => {
    for (const width of [40, 60, 100, 160]) {
      const lines = buildPage(sample, view(width))
      const copied = /^ {2}(?:https:\/\/|ci )/u
      expect(lines.join('\n')).toContain('ci why acme/web#4210')
      expect(lines.at(-1)).toContain('ci builds logs acme/web#4210 --failed')
      for (const line of lines.filter((shown) => !copied.test(shown)))
        expect(cells(line)).toBeLessThanOrEqual(width)
    }
  })

  it('shows only http and https addresses', () => {
    expect(
      buildPage(build({ web_url: 'javascript:alert(1)' }), view(100)).join('\n'),
    ).not.toContain('javascript:')
  })
})

describe('the page of a job', () => {
  const at = 'https://ci.example.test/acme/web/builds/4210'
  const failed = job({
    id: 'j1',
    name: ':hammer: Unit tests',
    state: 'failed',
    exit_status: 1,
    step_key: 'unit',
    retries_count: 1,
    promised_exit_status: 1,
    promised_exit_status_at: ago(88),
    command: 'make test',
    runnable_at: ago(110),
    started_at: ago(100),
    finished_at: ago(40),
    build_url: at,
    web_url: `${at}#j1`,
    raw_log_url: `${at}/log.txt`,
    parallel_group_index: 2,
    parallel_group_total: 8,
  })

  it('shows its state, its facts, and commands to run next', () => {
    expect(jobPage(failed, 'Unit tests 3/8', view(100)).map(String)).toEqual([
      '✗ 🔨 Unit tests 3/8 failed',
      '  exit 1, promised 48s earlier',
      '',
      '  build     acme/web#4210         step      unit                  attempt   2',
      '  started   1m ago (14:26:31)     took      1m 00s                waited    10s',
      '  command   make test',
      '  id        j1',
      '',
      `  ${at}#j1`,
      "  Log: ci builds logs acme/web#4210 --job 'Unit tests 3/8'",
      "  To retry it: ci jobs retry acme/web#4210 --job 'Unit tests 3/8'",
    ])
  })

  it('offers to unblock a step that waits for a person, but not without an address', () => {
    const gate = job({
      id: 'g',
      type: 'manual',
      name: 'Deploy?',
      state: 'blocked',
      unblockable: true,
      build_url: at,
    })
    expect(jobPage(gate, 'Deploy?', view(80)).map(String).at(-1)).toBe(
      "  To unblock it: ci jobs unblock acme/web#4210 --job 'Deploy?'",
    )
    expect(
      jobPage({ ...failed, build_url: '', web_url: 'x', raw_log_url: '' }, 'j1', view(60)).join(
        '\n',
      ),
    ).not.toMatch(/ci |undefined|null/u)
  })
})
