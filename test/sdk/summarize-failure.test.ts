import { createMockServer, type MockServer, type SeedDocument } from '@buildwire/mock-server'
import {
  type FailureSummary,
  fetchTransport,
  type ProblemCause,
  summarizeFailure,
  type Transport,
} from '@buildwire/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client, path } from './support/client.js'

type SeedBuild = NonNullable<
  NonNullable<NonNullable<SeedDocument['organizations']>[number]['pipelines']>[number]['builds']
>[number]
type SeedJob = NonNullable<Extract<SeedBuild, { jobs?: unknown }>['jobs']>[number]

interface Kind {
  readonly is: string
  /** Of the first problem; none for a build without problems. */
  readonly cause?: ProblemCause
  /** The job that stands first. */
  readonly name?: string
  /** A line of its log that must be shown, or why there is none. */
  readonly line?: string
  readonly absent?: string
  readonly build?: Partial<SeedBuild>
  readonly jobs: readonly SeedJob[]
  readonly more?: (summary: FailureSummary) => void
}

const at = (seconds: number): string => new Date(Date.UTC(2026, 2, 1, 9, 0, seconds)).toISOString()
const passed = (name: string): SeedJob => ({ name, state: 'passed', started_at: at(1), finished_at: at(9) })
const failed = (name: string, log: string, more: SeedJob = {}): SeedJob => ({
  ...{ name, state: 'failed', exit_status: 1, log, started_at: at(10), finished_at: at(20) },
  ...more,
})
const noise = (lines: number): string => Array.from({ length: lines }, (_, at) => `line ${at} says nothing\n`).join('')
const causes = ({ problems }: FailureSummary): string[] => problems.map(({ cause }) => cause)

const kinds: readonly Kind[] = [
  {
    is: 'one bad test in a group that the script opened',
    cause: 'exit',
    name: 'Tests',
    line: 'expected 3, got 4',
    jobs: [
      passed('Lint'),
      failed('Tests', `--- Install\n${noise(500)}+++ Tests\nexpected 3, got 4\n~~~ Upload\n${noise(500)}exit 1\n`),
    ],
    more: ({ problems: [first] }) => {
      expect(first?.log?.lines[0]).toBe('+++ Tests')
      expect(first?.log?.lines.at(-1)).toBe('exit 1')
      expect(first?.log?.lines_left_out).toBe(988)
    },
  },
  {
    is: 'a failed group that was marked afterwards, in colours and with time marks',
    cause: 'exit',
    name: 'Build',
    line: 'error TS2322 in cart.ts',
    jobs: [
      failed(
        'Build',
        `--- Compile\n\u001b_bk;t=17\u0007\u001b[31merror TS2322\u001b[0m in cart.ts\n^^^ +++\n--- After\n${noise(300)}`,
      ),
    ],
  },
  {
    is: 'the end of a log without groups, behind a progress bar',
    cause: 'exit',
    name: 'Build',
    line: '100% done',
    jobs: [failed('Build', `${noise(200)}10%\r50%\r100% done\nboom\n`)],
  },
  {
    is: 'a broken dependency before a fan-out',
    cause: 'exit',
    name: 'Compile',
    line: 'no such module',
    jobs: [
      ...Array.from({ length: 20 }, (_, shard): SeedJob => ({ name: `Shard ${shard}`, state: 'broken' })),
      failed('Compile', 'no such module\n'),
    ],
    more: (summary) => {
      expect(causes(summary).slice(1)).toEqual(Array(9).fill('broken'))
      expect(summary.truncated).toMatchObject([{ what: 'problems', count: 11 }])
      expect(summary.jobs).toEqual({ broken: 20, failed: 1 })
    },
  },
  {
    is: 'an agent that was lost',
    cause: 'agent',
    name: 'Tests',
    line: 'last words',
    jobs: [failed('Tests', 'last words\n', { exit_status: -1 })],
  },
  {
    is: 'an agent that was stopped',
    cause: 'agent',
    name: 'Tests',
    line: 'working',
    jobs: [failed('Tests', 'working\n', { exit_status: -1, signal: 'SIGTERM', signal_reason: 'agent_stop' })],
  },
  {
    is: 'a reason of the agent that nobody knows',
    cause: 'agent',
    name: 'Tests',
    line: 'working',
    jobs: [failed('Tests', 'working\n', { signal_reason: 'constructor' })],
    more: ({ problems }) => expect(problems[0]?.sentence).toBe('The agent ended it: constructor'),
  },
  {
    is: 'a process that was killed',
    cause: 'signal',
    name: 'Tests',
    line: 'allocating',
    jobs: [failed('Tests', 'allocating\n', { exit_status: 137, signal: 'SIGKILL' })],
  },
  {
    is: 'a job that ran too long',
    cause: 'timed_out',
    name: 'E2E',
    line: 'waiting for selector',
    jobs: [failed('E2E', 'waiting for selector\n', { state: 'timed_out' })],
  },
  {
    is: 'a failure that a running job has announced',
    cause: 'promised',
    name: 'Tests',
    line: '2 failed so far',
    build: { state: 'failing' },
    jobs: [
      { name: 'Tests', state: 'running', log: '2 failed so far\n', started_at: at(1), promised_exit_status: 1 },
      passed('Lint'),
    ],
    more: (summary) =>
      expect([summary.outcome, summary.before?.first_failed?.number]).toEqual(['failing', summary.build.number]),
  },
  {
    is: 'a soft failure beside a later hard one',
    cause: 'exit',
    name: 'Tests',
    line: 'hard',
    jobs: [
      failed('Audit', 'soft\n', { soft_failed: true, finished_at: at(11) }),
      failed('Tests', 'hard\n', { finished_at: at(30) }),
    ],
    more: ({ problems }) => expect(problems.map(({ soft }) => soft)).toEqual([false, true]),
  },
  {
    is: 'two hard failures, the first one in front',
    cause: 'exit',
    name: 'Second in the list',
    line: 'early',
    jobs: [
      failed('First in the list', 'late\n', { finished_at: at(40) }),
      failed('Second in the list', 'early\n', { finished_at: at(30) }),
    ],
    more: ({ headline }) => expect(headline).toContain('1 more job failed'),
  },
  {
    is: 'retried and failed again',
    cause: 'exit',
    name: 'Tests',
    line: 'second try',
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
    is: 'no agent in time',
    cause: 'expired',
    name: 'Mac',
    absent: 'not_started',
    jobs: [{ name: 'Mac', state: 'expired', agent_query_rules: ['queue=mac'] }],
    more: ({ problems }) => expect(problems[0]?.sentence).toContain('queue=mac'),
  },
  {
    is: 'canceled in the middle',
    cause: 'canceled',
    name: 'Tests',
    line: 'half',
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
    cause: 'exit',
    name: 'Tests',
    line: 'boom',
    jobs: [{ name: 'Deploy', state: 'canceled' }, failed('Tests', 'boom\n')],
    more: ({ problems }) => expect(problems[1]?.log_absent?.reason).toBe('canceled_before_start'),
  },
  {
    is: 'a trigger job whose build failed',
    cause: 'trigger',
    name: 'Deploy',
    absent: 'not_offered',
    jobs: [{ name: 'Deploy', type: 'trigger', state: 'failed', triggered_build: { pipeline: 'web', number: 1 } }],
    more: ({ problems }) => expect(problems[0]).toMatchObject({ triggered_build: { number: 1 } }),
  },
  {
    is: 'one cell of a matrix',
    cause: 'exit',
    name: 'Tests on mac',
    line: 'cell',
    jobs: [
      { ...passed('Tests on linux'), matrix: { os: 'linux' } },
      failed('Tests on mac', 'cell\n', { matrix: { os: 'mac' } }),
    ],
    more: ({ problems }) => expect(problems[0]?.matrix).toEqual({ os: 'mac' }),
  },
  {
    is: 'one of parallel copies',
    cause: 'exit',
    name: 'Tests',
    line: 'third',
    jobs: [failed('Tests', 'third\n', { parallel_group_index: 2, parallel_group_total: 4 })],
    more: ({ problems }) => expect(problems[0]).toMatchObject({ parallel_group_index: 2, parallel_group_total: 4 }),
  },
  {
    is: 'a block step behind a failure',
    cause: 'exit',
    name: 'Tests',
    line: 'boom',
    jobs: [
      { name: 'Deploy?', type: 'manual', state: 'blocked_failed' },
      failed('Tests', 'boom\n'),
      { type: 'waiter', state: 'waiting_failed' },
    ],
    more: (summary) => expect(causes(summary)).toEqual(['exit', 'broken']),
  },
  {
    is: 'a job that wrote nothing',
    cause: 'exit',
    name: 'Tests',
    absent: 'empty',
    jobs: [failed('Tests', '\u001b[0m\n\n')],
  },
  {
    is: 'only a soft failure in a build that passed',
    cause: 'exit',
    name: 'Audit',
    line: '3 advisories',
    build: { state: 'passed' },
    jobs: [failed('Audit', '3 advisories\n', { soft_failed: true }), { name: 'Nightly', state: 'broken' }],
    more: ({ outcome, problems }) => expect([outcome, problems.length]).toEqual(['passed', 1]),
  },
  {
    is: 'a build that waits for a person',
    build: { state: 'passed', blocked: true },
    jobs: [passed('Tests'), { name: 'Deploy?', type: 'manual', state: 'blocked' }],
    more: ({ headline }) => expect(headline).toMatch(/waits for a person\.$/),
  },
]

let server: MockServer
let tokens: Readonly<Record<string, string>>
const inProcess = (): Transport => fetchTransport(() => (url, init) => server.fetch(new Request(url, init)))

beforeAll(async () => {
  const builds = kinds.map(({ jobs, build }, index): SeedBuild => {
    const about = { number: index + 1, branch: `b${index}`, created_at: at(0), state: 'failed' as const }
    return { ...about, ...build, jobs: [...jobs], force: true } as SeedBuild
  })
  const history = (['passed', 'failed', 'failed', 'failed'] as const).map((state, index): SeedBuild => {
    const jobs = state === 'passed' ? [passed('Tests')] : [failed('Tests', 'since then\n')]
    return { number: 101 + index, branch: 'main', created_at: at(index * 60), state, jobs, force: true }
  })
  const admin = { name: 'Ada', email: 'ada@acme.example' }
  server = createMockServer({
    seed: {
      users: [admin],
      organizations: [
        {
          slug: 'acme',
          members: [{ user: admin.email, role: 'admin' }],
          pipelines: [{ slug: 'web', builds: [...builds, ...history] }],
        },
      ],
      accessTokens: [
        {
          name: 'all',
          user: admin.email,
          scopes: ['read_builds', 'read_build_logs', 'write_builds'],
          organizations: ['acme'],
        },
        { name: 'builds', user: admin.email, scopes: ['read_builds'], organizations: ['acme'] },
      ],
    },
  })
  await server.listen({ port: 0 })
  tokens = (await server.ready()).accessTokens
})
afterAll(() => server.close())

const ask = (number: number, options: Parameters<typeof summarizeFailure>[2] = {}, token = 'all') =>
  summarizeFailure(
    client(server.baseUrl, { auth: tokens[token], transport: inProcess() }),
    { ...path, number },
    options,
  )

describe('the cause stands first, with the line of its log', () => {
  test.each(kinds.map((kind, index) => ({ ...kind, index })))(
    '$is',
    async ({ cause, name, line, absent, more, index }) => {
      const summary = await ask(index + 1)
      const [first] = summary.problems
      expect({ cause: first?.cause, name: first?.name }).toEqual({ cause, name })
      if (line !== undefined) expect(first?.log?.lines).toContain(line)
      expect(first?.log_absent?.reason).toBe(absent)
      if (name !== undefined) expect(summary.headline).toContain(name)
      more?.(summary)
    },
  )
})

test('it tells since when, and what commit was the last good one', async () => {
  const { before } = await ask(104)
  expect(before).toMatchObject({
    last_passed: { number: 101, commit: expect.stringMatching(/^[\da-f]{40}$/) },
    builds_since: 3,
    first_failed: { number: 102 },
    searched: 3,
  })
})

test('it tells what annotations of style error and warning say, as text, errors first', async () => {
  const ci = client(server.baseUrl, { auth: tokens['all'] ?? '', transport: inProcess() })
  const notes = [
    { context: 'w', style: 'warning' as const, body: 'slow', priority: 9 },
    { context: 'e', style: 'error' as const, body: '**1 test** failed:\n\n- `a < b` &amp; c\n- <b>d</b>' },
    { context: 'i', style: 'info' as const, body: 'coverage' },
  ]
  for (const note of notes) await ci.annotations.create({ ...path, number: 1, ...note })
  expect((await ask(1)).annotations).toEqual([
    { style: 'error', context: 'e', text: '1 test failed:\na < b & c\nd' },
    { style: 'warning', context: 'w', text: 'slow' },
  ])
})

test('the reference server sends the part of a log that is asked for, and no more', async () => {
  const ci = client(server.baseUrl, { auth: tokens['all'] ?? '' })
  const { jobs = [] } = await ci.builds.get({ ...path, number: 1 })
  const at = { ...path, number: 1, job_id: jobs[1]?.id ?? '' }
  const whole = Buffer.from(await ci.jobs.logText(at))
  for (const [asked, offset] of [
    [{ from: 100 }, 100],
    [{ last: 50 }, whole.length - 50],
    [{ from: 1e9 }, whole.length],
  ] as const) {
    const stream = await ci.jobs.logStream(at, asked)
    expect(stream).toMatchObject({ size: whole.length, offset, partial: true })
    const parts: Uint8Array[] = []
    for await (const part of stream) parts.push(part)
    expect(Buffer.concat(parts).equals(whole.subarray(offset))).toBe(true)
  }
})

test('a token that may not read logs gets everything else', async () => {
  const { problems } = await ask(1, {}, 'builds')
  expect(problems[0]).toMatchObject({ cause: 'exit', log: null, log_absent: { reason: 'no_scope' } })
})
