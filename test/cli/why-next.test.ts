import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FailureSummary, Problem } from '@buildwire/sdk'
import { expect, test } from 'vitest'
import { leftOut } from '../../cli/src/views/summary.js'
import { at, failed, passed, type SeedBuild } from '../sdk/support/failing-builds.js'
import { gitEnv, repository } from './support/repository.js'
import type { RunOptions } from './support/run-cli.js'
import { serverOfFile } from './support/server-of-file.js'

const log = 'FAIL cart > adds the shipping\nAssertionError: 5 is not 7\n    at src/cart.ts:3:7\n'
const shard = (index: number) => ({ parallel_group_index: index, parallel_group_total: 2 })
const trigger = (number: number) =>
  ({
    name: 'Start the next',
    type: 'trigger',
    state: 'failed',
    triggered_build: { pipeline: 'web', number },
  }) as const
const canceled = (name: string) => ({ ...passed(name), state: 'canceled' }) as const
const gate = { name: 'Deploy?', type: 'manual', state: 'blocked' } as const

const builds = [
  {
    state: 'failed',
    jobs: [
      failed(':vitest: Tests', log, shard(0)),
      failed(':vitest: Tests', 'Error: no disk\n', shard(1)),
      passed('Lint'),
    ],
  },
  { state: 'failed', jobs: [trigger(1)] },
  { state: 'failed', jobs: [trigger(2)] },
  { state: 'canceled', jobs: ['Lint', 'Unit', 'Types'].map(canceled) },
  { state: 'passed', blocked: true, jobs: [passed('Lint'), gate] },
  {
    state: 'failed',
    jobs: [
      failed(':vitest: Tests', log, { ...shard(0), step_key: 'tests' }),
      failed('Lint', log, { step_key: 'lint' }),
      passed('Lint'),
    ],
  },
].map((build, index): SeedBuild => {
  const about = { number: index + 1, branch: `b${index}`, created_at: at(0), force: true }
  return { ...about, ...build } as SeedBuild
})
const admin = 'ada@acme.example'
const started = serverOfFile({
  seed: {
    users: [{ name: 'Ada', email: admin }],
    organizations: [
      {
        slug: 'acme',
        members: [{ user: admin, role: 'admin' }],
        pipelines: [{ slug: 'web', builds }],
      },
    ],
    accessTokens: [
      {
        name: 'admin',
        user: admin,
        scopes: ['read_builds', 'read_build_logs', 'read_artifacts', 'write_builds'],
        organizations: ['acme'],
      },
    ],
  },
})
const run = (words: string | readonly string[], options?: RunOptions) =>
  started.run(words, { ...options, env: { ...gitEnv, ...options?.env } })

async function summaryOf(build: string): Promise<FailureSummary> {
  return JSON.parse((await run(['why', build, '--json'])).stdout)
}

test('a place in the code is a link to the file of the checkout, where the terminal shows links', async () => {
  const cwd = await repository('https://git.example/acme/web')
  await mkdir(join(cwd, 'src'))
  await writeFile(join(cwd, 'src/cart.ts'), '')
  const options = { cwd: join(cwd, 'src'), columns: 80, links: true }
  const { stdout } = await run('why web#1', options)
  const url = pathToFileURL(join(cwd, 'src/cart.ts')).href
  expect(stdout).toContain(`    at \u001b]8;;${url}\u0007cart.ts:3:7\u001b]8;;\u0007\n`)
  expect((await run('why web#1', { ...options, links: false })).stdout).toContain(
    'at cart.ts:3:7\n',
  )
})

test('the name of an image is not in the first line, and the line names the place among parallel jobs', async () => {
  const { stdout } = await run('why web#1')
  expect(stdout).toMatch(
    /^✗ Tests 1\/2 failed: cart > adds the shipping: AssertionError: 5 is not 7/u,
  )
})

test('the whole log is offered by the place of a parallel job, or by its id if the name is not sure', async () => {
  const offered = async (build: string) =>
    /^ {2}whole log +(ci .+)$/mu.exec((await run(['why', build])).stdout)?.[1] ?? ''
  const command = await offered('web#6')
  expect(command).toBe("ci builds logs acme/web#6 --job 'Tests 1/2'")
  const words = ['builds', 'logs', 'acme/web#6', '--job', 'Tests 1/2']
  expect((await run(words)).stdout).toContain('AssertionError')
  expect(await offered('web#1')).toMatch(/^ci builds logs acme\/web#1 --job [0-9a-f-]{36}$/u)
})

test('a log of which only bytes are missing, such as colours, has no line left out', () => {
  const log = { lines: ['a'], lines_left_out: 0, bytes_left_out: 9 }
  expect(leftOut({ log } as unknown as Problem)).toBeNull()
})

test('--json=FIELDS chooses fields of the summary', async () => {
  const { stdout } = await run(['why', 'web#1', '--json=headline,build.number'])
  expect(JSON.parse(stdout)).toEqual({
    headline: expect.stringContaining('Tests 1/2 failed'),
    build: { number: 1 },
  })
  const unknown = await run(['why', 'web#1', '--json=hedline'])
  expect(unknown.code).toBe(2)
  expect(JSON.parse(unknown.stderr).error).toMatchObject({ detail: 'Did you mean headline?' })
  const listed = (await run(['why', '--json=help'])).stdout.trimEnd().split('\n')
  expect(listed).toEqual(Object.keys(await summaryOf('web#1')))
})

test('the reason of a build that a triggered build triggered is said, with commands for both builds', async () => {
  const { stdout } = await run('why web#3')
  const reason = 'Start the next failed: acme/web#1: Tests 1/2 failed: cart > adds'
  expect(stdout).toContain(`✗ Start the next failed: acme/web#2: ${reason}`)
  expect(stdout).toMatch(/^ {2}its build +ci why acme\/web#2$/mu)
  expect(stdout).not.toContain('ci builds retry')
})

test('canceled jobs are in one line', async () => {
  const { stdout } = await run('why web#4')
  expect(stdout).toContain('Build 4 was canceled; 3 of its jobs were canceled\n')
  expect(stdout).toContain('\n  Canceled: Lint, Unit, Types\n')
})

test('a build that waits for a person leads to the command that lets it continue', async () => {
  const { stdout } = await run('why web#5')
  expect(stdout).toContain('Build 5 waits for a person: Deploy?\n')
  const [, command = ''] = /^ {2}unblock +ci (.+)$/mu.exec(stdout) ?? []
  expect((await run([...command.split(' '), '--yes'])).code).toBe(0)
})

test('the URL of a job explains that job, also if it passed', async () => {
  const { problems } = await summaryOf('web#1')
  const second = problems.find(({ name }) => name.includes('2/2'))
  const one = await summaryOf(`${second?.web_url}`)
  expect(one.headline).toBe(':vitest: Tests 2/2 failed: Error: no disk')
  expect(one.problems.map(({ id }) => id)).toEqual([second?.id])
  const { stdout } = await run('jobs get web#1 --job Lint --json=web_url')
  expect((await summaryOf(JSON.parse(stdout).web_url)).headline).toBe('Lint passed')
  const unknown = `${second?.web_url}`.replace(/.{12}$/u, '000000000000')
  const { code, stderr } = await run(['why', unknown])
  expect(code).toBe(2)
  expect(stderr).toContain('job_id must be the id of a job of the build')
})

test('--job takes the URL of a job, which names the build too', async () => {
  const { problems } = await summaryOf('web#1')
  const { id, web_url } = problems[0] ?? {}
  const url = `${web_url}`
  expect(JSON.parse((await run(['jobs', 'get', '--job', url, '--json=id'])).stdout)).toEqual({ id })
  expect((await run(['builds', 'logs', '--job', url])).stdout).toContain('AssertionError')
  expect((await run(['builds', 'logs', 'web#1', '--job', url])).stdout).toContain('AssertionError')
  expect((await run(['artifacts', 'list', '--job', url])).code).toBe(0)
  const opened = await run(['builds', 'open', '--job', url])
  expect(opened.stdout + opened.stderr).toContain(url)
  expect((await run(['jobs', 'get', 'web#4', '--job', url])).code).toBe(2)
})
