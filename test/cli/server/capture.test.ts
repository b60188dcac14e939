import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CiClient } from '@buildwire/sdk'
import type { Build, Job } from '@buildwire/sdk/contract'
import { afterEach, expect, test } from 'vitest'
import { parseSource } from '../../../mock-server/src/seed/document.js'
import { scratch } from '../../support/scratch.js'
import { build, job } from '../support/build.js'
import { memoryIo } from '../support/memory-io.js'
import { runCli } from '../support/run-cli.js'
import { startServer } from '../support/server.js'

type Started = Awaited<ReturnType<typeof startServer>>

const running: Started[] = []
afterEach(async () => {
  for (const { close } of running.splice(0)) await close()
})

async function start(options?: Parameters<typeof startServer>[0]): Promise<Started> {
  const started = await startServer(options)
  running.push(started)
  return started
}

const capture = ({ env }: Started, pipeline: string, ...more: string[]) =>
  runCli(['server', 'capture', '-p', `acme/${pipeline}`, ...more], { env })

const timesOf = (record: Build | Job) => [
  record.created_at,
  record.scheduled_at,
  record.started_at,
  record.finished_at,
]

const jobShape = (job: Job) => [
  job.type,
  job.state,
  job.exit_status,
  job.soft_failed,
  job.retried,
  job.retry_type,
  job.retries_count,
  job.parallel_group_index,
  job.parallel_group_total,
  job.runnable_at,
  ...timesOf(job),
]

/** The values that a capture keeps of the newest builds of a pipeline. */
async function shapes({ env }: Started, pipeline_slug: string): Promise<unknown[]> {
  await using ci = new CiClient({ baseUrl: env.BUILDWIRE_BASE_URL, auth: env.BUILDWIRE_TOKEN })
  const path = { org_slug: 'acme', pipeline_slug }
  const { items } = await ci.builds.listForPipeline({
    ...path,
    include_retried_jobs: true,
    per_page: 30,
  })
  return items.map((build) => [
    build.number,
    build.state,
    build.blocked,
    build.source,
    build.failing_at,
    ...timesOf(build),
    build.message?.split(' ').length,
    build.branch.split('/').length,
    Object.keys(build.env).length,
    build.jobs?.map(jobShape),
  ])
}

test.each(['web', 'api', 'mobile'])(
  'a server with a captured seed has the same states and times, and capturing it gives the same seed (%s)',
  async (pipeline) => {
    const service = await start()
    const { code, stdout, stderr } = await capture(service, pipeline, '--limit', '30')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await using directory = await scratch()
    const file = join(directory.path, 'seed.yaml')
    await writeFile(file, stdout)
    const copy = await start({ seed: { file } })
    expect(await shapes(copy, pipeline)).toEqual(await shapes(service, pipeline))
    expect((await capture(copy, pipeline, '--limit', '30')).stdout).toBe(stdout)
  },
  60_000,
)

test('a capture contains none of 200 secrets in texts, names, keys and values', async () => {
  const service = await start({ strict: false })
  const secrets: string[] = []
  const secret = () => {
    const text = `Zq${secrets.length}s3cret`
    secrets.push(text)
    return text
  }
  const users = Array.from({ length: 10 }, () => ({
    email: `${secret()}@${secret()}.example`,
    name: `Ada ${secret()}`,
  }))
  const builds = users.map(({ email, name }) => ({
    creator: email,
    author: { name: `${name} ${secret()}`, email: `${secret()}@acme.example` },
    message: `Fix ${secret()}\n\nhttps://${secret()}:pw@acme.example/`,
    branch: `feature/${secret()}-fix`,
    commit: secret(),
    env: { [`KEY_${secret()}`]: secret() },
    meta_data: { [secret()]: secret() },
    pull_request: {
      id: secret(),
      base: secret(),
      repository: `git://${secret()}`,
      labels: [secret()],
    },
    jobs: [
      {
        name: `Test ${secret()}`,
        step_key: secret(),
        group_key: secret(),
        command: `npm test --token=${secret()}`,
        agent: secret(),
        matrix: { os: secret() },
        agent_query_rules: [`queue=${secret()}`],
        log: secret(),
        artifact_paths: `/home/${secret()}/*`,
        signal: secret(),
        signal_reason: secret(),
      },
    ],
  }))
  const members = users.map(({ email }) => ({ user: email }))
  const pipelines = [{ slug: 'web', name: `Web of ${secret()}`, builds }]
  await service.server.control.apply({
    users,
    organizations: [{ slug: 'acme', members, pipelines }],
  })
  expect(secrets.length).toBeGreaterThan(200)
  const { code, stdout } = await capture(service, 'web', '-L', '10')
  expect(code).toBe(0)
  expect(stdout.match(/number:/gu)).toHaveLength(10)
  expect(stdout).not.toMatch(/Zq\d+|s3cret|pw@|Ada/iu)
  expect(stdout).toContain('command: npm test --x')
})

test('a text spelt with unusual or invisible letters is numbered; emoji and blanks stay', async () => {
  const service = await start()
  const tags = [...'robin'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
  const spelt = [
    '\u24e1\u24de\u24d1\u24d8\u24dd',
    '\u{1f1f7}\u{1f1f4}',
    '\u2817\u2815',
    '\u{1f170}',
  ]
  const hidden = ['\u200d\ufe0f\u200d', '\u200b\u200c']
  const emoji = '\u{1f680} \u2764\ufe0f \u{1f469}\u{1f3fd}\u200d\u{1f4bb}'
  const message = `Fix ${[...spelt, ...hidden, tags.join('')].join(' ')} \u00a0${emoji}!${tags.join('')}`
  await service.server.control.rules.create({
    match: { operation: 'builds.listForPipeline' },
    actions: [{ respond: { status: 200, json: [{ ...build(), message }] } }],
  })
  const { stdout } = await capture(service, 'web', '--json')
  const [captured] = JSON.parse(stdout).organizations[0].pipelines[0].builds
  expect(captured.message).toMatch(/^Fix(?: x\d+){7} \u00a0/u)
  expect(captured.message.replace(/x\d+/gu, 'x')).toBe(`Fix x x x x x x x \u00a0${emoji}!x`)
})

test('a captured manual job did not finish before it was unblocked', async () => {
  const service = await start()
  const created_at = '2026-01-05T10:00:00.000Z'
  const unblocked_at = '2026-01-05T11:00:00.000Z'
  const manual = { ...job({ type: 'manual', state: 'unblocked' }), created_at, unblocked_at }
  const finished_at = '2026-01-05T12:00:00.000Z'
  const json = [{ ...build(), created_at, finished_at, jobs: [manual] }]
  await service.server.control.rules.create({
    match: { operation: 'builds.listForPipeline' },
    actions: [{ respond: { status: 200, json } }],
  })
  const { stdout } = await capture(service, 'web')
  await using directory = await scratch()
  const file = join(directory.path, 'seed.yaml')
  await writeFile(file, stdout)
  const copy = await start({ seed: { file } })
  const builds = await copy.server.control.records.list({ collection: 'builds' })
  expect(builds).toMatchObject([{ jobs: [{ unblocked_at, finished_at: unblocked_at }] }])
})

test('words of --keep are not replaced', async () => {
  const service = await start()
  const { stdout } = await capture(service, 'web', '-L', '3', '--keep', 'eslint Vitest cart-totals')
  expect(stdout).toContain('branch: feature/cart-totals')
})

test('Ctrl-C prints the builds that were read, and exits with the code of the signal', async () => {
  const { server, env } = await start()
  const io = memoryIo({ env, cwd: '/', home: '/' })
  const match = { operation: 'builds.listForPipeline', query: { page: '2' } }
  await server.control.rules.create({ match, actions: [{ socket: 'stallHeaders' }] })
  const run = runCli(['server', 'capture', '-p', 'acme/web'], { io, home: '/' })
  await server.control.requests.wait({ match })
  io.signal('SIGINT')
  expect(await run).toMatchObject({ code: 130, stderr: '' })
  expect(io.written.stdout.match(/^ {10}- number:/gmu)).toHaveLength(30)
})

test('values that a seed cannot express are left out or changed; builds without a valid form are counted', async () => {
  const service = await start()
  const first = job({ name: 'Lint' })
  const second = job({ name: 'Lint' })
  const ring = job({ name: 'Ring' })
  const odd = [
    {
      number: 8,
      jobs: null,
      branch: null,
      source: 'merge_queue',
      env: { 'npm.ci-env': 1 },
      meta_data: { '<<': 1 },
    },
    { number: '7', jobs: [job({ state: 'failed', exit_status: 3_221_225_786 })] },
    { number: 6, state: 'hibernating' },
    { number: 5, jobs: [job({ type: 'oracle' })] },
    { number: 4, created_at: 'yesterday', jobs: [job({ agent_query_rules: {} as never })] },
    {
      number: 3,
      jobs: [
        { ...first, retried_in_job_id: second.id },
        { ...ring, retried_in_job_id: second.id },
        second,
      ],
    },
    { number: 2, jobs: [{ ...ring, retried_in_job_id: ring.id }] },
  ]
  await service.server.control.rules.create({
    match: { operation: 'builds.listForPipeline' },
    actions: [{ respond: { status: 200, json: odd.map((fields) => ({ ...build(), ...fields })) } }],
  })
  const { code, stdout, stderr } = await capture(service, 'web', '--json')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: '3 of 7 builds left out: a seed cannot contain them\n',
  })
  expect(parseSource((await capture(service, 'web')).stdout).value).toEqual(JSON.parse(stdout))
  const { builds } = JSON.parse(stdout).organizations[0].pipelines[0]
  expect(builds.map(({ number }: Build) => number)).toEqual([2, 3, 7, 8])
  expect(builds[1].jobs.map(({ name, retried = false }: Job) => `${name} ${retried}`)).toEqual([
    'Lint true',
    'Lint false',
    'x1 false',
  ])
  expect(builds[2].jobs[0]).toMatchObject({ state: 'failed', exit_status: 255 })
})
