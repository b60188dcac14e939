import { createMockServer, VirtualClock } from '@buildwire/mock-server'
import {
  type FailureSummary,
  fetchTransport,
  type ProblemCause,
  summarizeFailure,
} from '@buildwire/sdk'
import { type Build, JOB_STATES, type Job } from '@buildwire/sdk/contract'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { client, path } from './support/client.js'

/** What a foreign service may put where another puts a text. */
const anything = fc.oneof(
  fc.constantFrom(
    null,
    '',
    0,
    7,
    -1,
    1e308,
    true,
    {},
    [],
    { toString: 1 },
    '__proto__',
    'constructor',
    '\ud83d',
    '2026-03-01',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('漢', '"', '\\', '\u001b[31m', '😀').map((text) => text.repeat(3_000)),
)
const failures = ['failed', 'timed_out', 'expired', 'canceled', 'broken'] as const
const states = fc.oneof(
  fc.constantFrom(...failures, 'passed', 'running', 'blocked_failed', 'skipped', 'melted'),
  fc.string(),
  fc.constant(null),
)
const id = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.uuid(), fc.string({ minLength: 1 }))
const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const job = fc.record({
  id,
  type: fc.oneof(
    fc.constantFrom('script', 'script', 'trigger', 'manual', 'waiter'),
    fc.string({ minLength: 1 }),
  ),
  state: states,
  ...Object.fromEntries(
    [
      'name',
      'label',
      'step_key',
      'group_key',
      'command',
      'signal',
      'signal_reason',
      'web_url',
      'agent',
      'matrix',
      ...'agent_query_rules triggered_build retry_source started_at finished_at promised_exit_status_at'.split(
        ' ',
      ),
      'exit_status',
      'promised_exit_status',
      'parallel_group_index',
      'parallel_group_total',
    ].map((key) => [key, often(anything)]),
  ),
  soft_failed: often(fc.boolean()),
  retried: often(fc.boolean()),
  retried_in_job_id: often(id),
})
const build = fc.record({
  id: fc.oneof(
    fc.uuid(),
    anything.filter((value) => typeof value === 'string'),
  ),
  number: fc.oneof(fc.integer({ min: 2, max: 1e15 }), fc.constant(1e308)),
  state: fc.oneof(
    fc.constantFrom('failed', 'failing', 'running', 'canceled', 'passed', 'constructor'),
    fc.string(),
  ),
  ...Object.fromEntries(
    [
      'branch',
      'commit',
      'message',
      'creator',
      'author',
      'source',
      'cancel_reason',
      'blocked',
      'web_url',
      'created_at',
      'started_at',
      'failing_at',
      'finished_at',
    ].map((key) => [key, often(anything)]),
  ),
  jobs: fc.oneof(fc.constantFrom(null, undefined), fc.array(job, { maxLength: 40 })),
})
const note = fc.record({
  id,
  style: fc.constantFrom('error', 'warning', 'info', null),
  context: often(anything),
  body_html: often(anything),
})
const logs = fc.oneof(
  fc.constantFrom(404, 403, 500, 'page'),
  fc.string({ unit: 'binary' }),
  fc.array(
    fc.constantFrom(
      '+++ a',
      '--- b',
      '^^^ +++',
      'boom',
      '漢'.repeat(900),
      '\u001b[',
      '\u0007',
      '"\\"',
    ),
    {
      maxLength: 400,
    },
  ),
)

/** Valid JSON within the limit, and each failed job is named or counted. */
function holds(
  summary: FailureSummary,
  build: Pick<Build, 'state'> & { jobs?: readonly object[] | null | undefined },
  limit: number,
) {
  const json = JSON.stringify(summary)
  expect(JSON.parse(json)).toEqual(summary)
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(limit)
  expect(json).not.toMatch(/\\ud[89a-f]|\\u001b/)
  const jobs = (build.jobs ?? []) as readonly Partial<Job>[]
  const counted = jobs.filter(({ type, retried }) => type !== 'waiter' && retried !== true)
  const failed = counted.filter(({ state = '', started_at }) => {
    if (state === 'broken') return build.state !== 'passed'
    return (
      ['failed', 'timed_out', 'expired'].includes(state) ||
      (state === 'canceled' && Boolean(started_at))
    )
  })
  const left = summary.truncated
    .filter(({ what }) => what === 'problems' || what === 'not_run')
    .reduce((sum, { count }) => sum + count, 0)
  const named = summary.problems.length + summary.not_run.length
  expect(named + left).toBeGreaterThanOrEqual(failed.length)
  expect(Object.values(summary.jobs).reduce((sum, count) => sum + count, 0)).toBe(counted.length)
}

test('whatever a service answers: valid JSON within the limit, and each failed job is named or counted', async () => {
  const kinds = fc.tuple(
    build,
    logs,
    fc.array(build, { maxLength: 3 }),
    fc.array(note, { maxLength: 30 }),
    fc.integer({ min: 1_000, max: 1_000_000 }),
  )
  const property = fc.asyncProperty(
    kinds,
    fc.integer({ min: 1, max: 1_000 }),
    async ([given, log, earlier, notes, maxBytes], logLines) => {
      const requests: string[] = []
      let running = 0
      let together = 0
      const transport = fetchTransport(() => async (url) => {
        requests.push(url)
        together = Math.max(together, ++running)
        await Promise.resolve()
        running -= 1
        if (url.includes('/annotations')) return Response.json(notes)
        if (!url.includes('/log.txt'))
          return Response.json(/builds\/\d/.test(url) ? given : earlier)
        if (typeof log === 'number') return new Response('', { status: log })
        if (log === 'page') return new Response('<p>', { headers: { 'content-type': 'text/html' } })
        return new Response(typeof log === 'string' ? log : log.join('\n'), {
          headers: { 'content-type': 'text/plain' },
        })
      })
      const ci = client('http://127.0.0.1:9', { transport, maxRetries: 0 })
      const summary = await summarizeFailure(ci, { ...path, number: 2 }, { maxBytes, logLines })
      holds(summary, given, maxBytes)
      expect(requests.length).toBeLessThanOrEqual(14)
      expect(together).toBeLessThanOrEqual(4)
      for (const problem of summary.problems) {
        expect(problem.log === null).toBe(problem.log_absent !== null)
        expect(problem.log?.lines.length ?? 0).toBeLessThanOrEqual(logLines + 1)
      }
    },
  )
  await fc.assert(property, { numRuns: 100 })
})

test('any build that a random sequence of events on the reference server can reach', async () => {
  const admin = 'ada@acme.example'
  const scopes = ['read_builds', 'read_build_logs', 'write_builds']
  const server = createMockServer({
    clock: new VirtualClock({ now: Date.UTC(2026, 2, 1) }),
    seed: {
      users: [{ email: admin, name: 'Ada' }],
      organizations: [
        {
          slug: 'acme',
          members: [{ user: admin, role: 'admin' }],
          pipelines: [
            {
              slug: 'web',
              steps: [
                { command: 'make lint', key: 'lint', softFail: true },
                { command: 'make test', key: 'test', parallelism: 3, retry: { automatic: 1 } },
                { command: 'make 漢', key: 'os', matrix: { os: ['linux', 'mac'] } },
                { wait: true },
                { trigger: 'docs', key: 'docs' },
                { block: 'Deploy?', key: 'gate' },
                { command: 'make deploy', key: 'deploy' },
              ],
            },
            { slug: 'docs', steps: [{ command: 'make' }] },
          ],
        },
      ],
      accessTokens: [{ name: 'all', user: admin, scopes }],
    },
  })
  onTestFinished(() => server.close())
  const { accessTokens } = await server.ready()
  const inProcess = fetchTransport(() => (url, init) => server.fetch(new Request(url, init)))
  const ci = client(server.baseUrl, {
    auth: accessTokens['all'] ?? '',
    transport: inProcess,
    maxRetries: 0,
  })
  const { control } = server
  const exit_status = fc.constantFrom(undefined, -1, 0, 1, 255)
  const event = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ at: fc.nat(), state: fc.constantFrom(...JOB_STATES), exit_status }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ at: fc.nat(), log: fc.string({ unit: 'binary', maxLength: 2_000 }) }),
    },
    fc.record({ at: fc.nat(), job: fc.constantFrom('promise', 'retry', 'unblock') }),
    fc.record({
      build: fc.constantFrom(
        'cancel',
        'retryFailedJobs',
        'started',
        'failing',
        'blocked',
        'finished',
      ),
    }),
  )
  const causes = new Set<ProblemCause>()
  const property = fc.asyncProperty(
    fc.array(event, { minLength: 1, maxLength: 25 }),
    fc.integer({ min: 1_000, max: 1_000_000 }),
    async (events, maxBytes) => {
      const made = await control.builds.create({
        org_slug: 'acme',
        pipeline_slug: 'web',
        commit: 'HEAD',
        branch: 'main',
      })
      const where = { ...path, number: made.number }
      for (const each of events) {
        const { jobs = [] } = await ci.builds.get(where)
        const job_id = ('at' in each ? jobs[each.at % jobs.length]?.id : undefined) ?? ''
        const act = async () => {
          if ('state' in each)
            return control.jobs.transition({
              job_id,
              state: each.state,
              exit_status: each.exit_status,
            })
          if ('log' in each) return control.jobLogs.set({ job_id, content: each.log })
          if ('job' in each && each.job === 'promise')
            return control.jobs.promiseFailure({ job_id, exit_status: 2 })
          if ('job' in each)
            return control.jobs[each.job === 'retry' ? 'retry' : 'unblock']({ job_id })
          if (each.build === 'cancel' || each.build === 'retryFailedJobs')
            return ci.builds[each.build](where)
          return control.builds.advance({
            id: made.id,
            to: each.build as 'started',
            outcome: 'failed',
          })
        }
        // What cannot happen now does not happen.
        await act().catch((error: unknown) =>
          expect(error).toMatchObject({ status: expect.toSatisfy(isRefusal) }),
        )
      }
      const summary = await summarizeFailure(ci, where, { maxBytes })
      holds(summary, await ci.builds.get(where), maxBytes)
      for (const { cause } of summary.problems) causes.add(cause)
    },
  )
  await fc.assert(property, { numRuns: 60 })
  expect(causes.size).toBeGreaterThan(0)
})

const isRefusal = (status: number) => status >= 400 && status < 500
