import type { SeedDocument } from '@buildwire/mock-server'
import type { FailureSummary, ProblemCause } from '@buildwire/sdk'
import { expect } from 'vitest'

export type SeedBuild = NonNullable<
  NonNullable<NonNullable<SeedDocument['organizations']>[number]['pipelines']>[number]['builds']
>[number]
type SeedJob = NonNullable<Extract<SeedBuild, { jobs?: unknown }>['jobs']>[number]

interface Kind {
  readonly is: string
  /**
   * The first problem, the job that stands first, and a line of its log that must be shown; none
   * without problems.
   */
  readonly first?: readonly [cause: ProblemCause, name: string, line?: string]
  /** Why there is no log. */
  readonly absent?: string
  readonly build?: Partial<SeedBuild>
  readonly jobs: readonly SeedJob[]
  readonly more?: (summary: FailureSummary) => void
}

export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 2, 1, 9, 0, seconds)).toISOString()
export const passed = (name: string): SeedJob => ({
  name,
  state: 'passed',
  started_at: at(1),
  finished_at: at(9),
})
export const failed = (name: string, log: string, more: SeedJob = {}): SeedJob => ({
  name,
  state: 'failed',
  exit_status: 1,
  log,
  started_at: at(10),
  finished_at: at(20),
  ...more,
})
const noise = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `line ${at} says nothing\n`).join('')
const causes = ({ problems }: FailureSummary): string[] => problems.map(({ cause }) => cause)

export const kinds: readonly Kind[] = [
  {
    is: 'one bad test in a group that the script opened',
    first: ['exit', 'Tests', 'expected 3, got 4'],
    jobs: [
      passed('Lint'),
      failed(
        'Tests',
        `--- Install\n${noise(500)}+++ Tests\nexpected 3, got 4\n~~~ Upload\n${noise(500)}exit 1\n`,
      ),
    ],
    more: ({ problems: [first] }) => {
      expect(first?.log?.lines[0]).toBe('+++ Tests')
      expect(first?.log?.lines.at(-1)).toBe('exit 1')
      expect(first?.log?.lines_left_out).toBe(1001)
    },
  },
  {
    is: 'a failed group that was marked afterwards, in colours and with time marks',
    first: ['exit', 'Build', 'error TS2322 in cart.ts'],
    jobs: [
      failed(
        'Build',
        `--- Compile\n\u001b_bk;t=17\u0007\u001b[31merror TS2322\u001b[0m in cart.ts\n^^^ +++\n--- After\n${noise(300)}`,
      ),
    ],
  },
  {
    is: 'the end of a log without groups, behind a progress bar',
    first: ['exit', 'Build', '100% done'],
    jobs: [failed('Build', `${noise(200)}10%\r50%\r100% done\nboom\n`)],
  },
  {
    is: 'a broken dependency before a fan-out',
    first: ['exit', 'Compile', 'no such module'],
    jobs: [
      ...Array.from(
        { length: 20 },
        (_, shard): SeedJob => ({ name: `Shard ${shard}`, state: 'broken' }),
      ),
      failed('Compile', 'no such module\n'),
    ],
    more: (summary) => {
      expect(causes(summary)).toEqual(['exit'])
      expect(summary.not_run).toHaveLength(20)
      expect(summary.truncated).toEqual([])
      expect(summary.jobs).toEqual({ broken: 20, failed: 1 })
    },
  },
  {
    is: 'an agent that was lost',
    first: ['agent', 'Tests', 'last words'],
    jobs: [failed('Tests', 'last words\n', { exit_status: -1 })],
  },
  {
    is: 'an agent that was stopped',
    first: ['agent', 'Tests', 'working'],
    jobs: [
      failed('Tests', 'working\n', {
        exit_status: -1,
        signal: 'SIGTERM',
        signal_reason: 'agent_stop',
      }),
    ],
  },
  {
    is: 'an unknown reason of the agent',
    first: ['agent', 'Tests', 'working'],
    jobs: [failed('Tests', 'working\n', { signal_reason: 'constructor' })],
    more: ({ problems }) => expect(problems[0]?.sentence).toBe('The agent ended it: constructor'),
  },
  {
    is: 'a process that was killed',
    first: ['signal', 'Tests', 'allocating'],
    jobs: [failed('Tests', 'allocating\n', { exit_status: 137, signal: 'SIGKILL' })],
  },
  {
    is: 'a job that ran too long',
    first: ['timed_out', 'E2E', 'waiting for selector'],
    jobs: [failed('E2E', 'waiting for selector\n', { state: 'timed_out' })],
  },
  {
    is: 'a failure that a running job has announced',
    first: ['promised', 'Tests', '2 failed so far'],
    build: { state: 'failing' },
    jobs: [
      {
        name: 'Tests',
        state: 'running',
        log: '2 failed so far\n',
        started_at: at(1),
        promised_exit_status: 1,
      },
      passed('Lint'),
    ],
    more: (summary) =>
      expect([summary.outcome, summary.before?.first_failed?.number]).toEqual([
        'failing',
        summary.build.number,
      ]),
  },
  {
    is: 'a soft failure beside a later hard one',
    first: ['exit', 'Tests', 'hard'],
    jobs: [
      failed('Audit', 'soft\n', { soft_failed: true, finished_at: at(11) }),
      failed('Tests', 'hard\n', { finished_at: at(30) }),
    ],
    more: ({ problems }) => expect(problems.map(({ soft }) => soft)).toEqual([false, true]),
  },
  {
    is: 'two hard failures, the first one in front',
    first: ['exit', 'Second in the list', 'early'],
    jobs: [
      failed('First in the list', 'late\n', { finished_at: at(40) }),
      failed('Second in the list', 'early\n', { finished_at: at(30) }),
    ],
    more: ({ headline }) => expect(headline).toContain('1 more job failed'),
  },
  {
    is: 'retried and failed again',
    first: ['exit', 'Tests', 'second try'],
    jobs: [
      failed('Tests', 'first try\n', { step_key: 't', exit_status: 7, retried: true }),
      failed('Tests', 'second try\n', { step_key: 't', exit_status: 8 }),
    ],
    more: ({ problems: [first, ...others] }) => {
      expect(others).toEqual([])
      expect(first?.attempts.map(({ exit_status }) => exit_status)).toEqual([7, 8])
    },
  },
  {
    is: 'failed, and runs again',
    first: ['exit', 'Tests', 'Error: first try'],
    build: { state: 'running' },
    jobs: [
      failed('Tests', 'Error: first try\n', { step_key: 't', exit_status: 7, retried: true }),
      { name: 'Tests', step_key: 't', state: 'running', started_at: at(21) },
    ],
    more: ({ headline, jobs, problems: [first, ...others] }) => {
      expect(headline).toEqual(
        expect.stringMatching(
          /^Build \d+ is running; Tests failed \(attempt 1\) and runs again: Error: first try$/u,
        ),
      )
      expect(others).toEqual([])
      expect(first).toMatchObject({ runs_again: true, exit_status: 7, location: null })
      expect(first?.attempts.map(({ state }) => state)).toEqual(['failed', 'running'])
      expect(jobs).toEqual({ running: 1 })
    },
  },
  {
    is: 'killed, as its exit status says',
    first: ['exit', 'Tests', 'Error: a test that went on'],
    jobs: [failed('Tests', 'Error: a test that went on\n', { exit_status: 137 })],
    more: ({ headline }) =>
      expect(headline).toBe(
        'Tests failed: its command exited with status 137 (killed, often out of memory)',
      ),
  },
  {
    is: 'no agent in time',
    first: ['expired', 'Mac'],
    absent: 'not_started',
    jobs: [{ name: 'Mac', state: 'expired', agent_query_rules: ['queue=mac'] }],
    more: ({ problems }) => expect(problems[0]?.sentence).toContain('queue=mac'),
  },
  {
    is: 'canceled in the middle',
    first: ['canceled', 'Tests', 'half'],
    build: { state: 'canceled', cancel_reason: 'wrong branch' },
    jobs: [
      { name: 'Later', state: 'canceled' },
      { name: 'Tests', state: 'canceled', log: 'half\n', started_at: at(1), finished_at: at(2) },
    ],
    more: ({ headline, problems }) => {
      expect(headline).toContain('was canceled (wrong branch)')
      expect(problems).toHaveLength(1)
    },
  },
  {
    is: 'a job that was canceled before it started, in a build that failed',
    first: ['exit', 'Tests', 'boom'],
    jobs: [{ name: 'Deploy', state: 'canceled' }, failed('Tests', 'boom\n')],
    more: ({ problems }) => expect(problems[1]?.log_absent?.reason).toBe('canceled_before_start'),
  },
  {
    is: 'a trigger job whose build failed',
    first: ['trigger', 'Deploy'],
    absent: 'not_offered',
    jobs: [
      {
        name: 'Deploy',
        type: 'trigger',
        state: 'failed',
        triggered_build: { pipeline: 'web', number: 1 },
      },
    ],
    more: ({ problems }) => {
      expect(problems[0]).toMatchObject({
        triggered_build: { org_slug: 'acme', pipeline_slug: 'web', number: 1 },
      })
      expect(problems[0]?.sentence).toBe('The build that it started, acme/web#1, did not pass')
      expect(problems[0]?.triggered_build?.headline).toBe('Tests failed: expected 3, got 4')
    },
  },
  {
    is: 'one cell of a matrix',
    first: ['exit', 'Tests on mac', 'cell'],
    jobs: [
      { ...passed('Tests on linux'), matrix: { os: 'linux' } },
      failed('Tests on mac', 'cell\n', { matrix: { os: 'mac' } }),
    ],
    more: ({ problems }) => expect(problems[0]?.matrix).toEqual({ os: 'mac' }),
  },
  {
    is: 'one cell of a matrix whose name does not say which',
    first: ['exit', 'Tests (mac, 22)', 'cell'],
    jobs: [failed('Tests', 'cell\n', { matrix: { os: 'mac', node: '22' } })],
  },
  {
    is: 'one of parallel copies',
    first: ['exit', 'Tests 3/4', 'third'],
    jobs: [failed('Tests', 'third\n', { parallel_group_index: 2, parallel_group_total: 4 })],
    more: ({ problems }) =>
      expect(problems[0]).toMatchObject({ parallel_group_index: 2, parallel_group_total: 4 }),
  },
  {
    is: 'a block step behind a failure',
    first: ['exit', 'Tests', 'boom'],
    jobs: [
      { name: 'Deploy?', type: 'manual', state: 'blocked_failed' },
      failed('Tests', 'boom\n'),
      { type: 'waiter', state: 'waiting_failed' },
    ],
    more: (summary) => {
      expect(causes(summary)).toEqual(['exit'])
      expect(summary.not_run).toEqual(['Deploy?'])
    },
  },
  {
    is: 'a job that wrote nothing',
    first: ['exit', 'Tests'],
    absent: 'empty',
    jobs: [failed('Tests', '\u001b[0m\n\n')],
  },
  {
    is: 'only a soft failure in a build that passed',
    first: ['exit', 'Audit', '3 advisories'],
    build: { state: 'passed' },
    jobs: [
      failed('Audit', '3 advisories\n', { soft_failed: true }),
      { name: 'Nightly', state: 'broken' },
    ],
    more: ({ outcome, problems, headline, before }) => {
      expect([outcome, problems.length, before]).toEqual(['passed', 1, null])
      expect(headline).toMatch(/^Build \d+ passed; Audit failed, which does not fail the build: /u)
    },
  },
  {
    is: 'a build that waits for a person',
    build: { state: 'passed', blocked: true },
    jobs: [passed('Tests'), { name: 'Deploy?', type: 'manual', state: 'blocked' }],
    more: ({ headline }) => expect(headline).toMatch(/waits for a person: Deploy\?$/u),
  },
]
