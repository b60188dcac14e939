import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMockServer } from '@buildwire/mock-server'
import { runProgram } from '../support/run-program.js'
import { atMost, type Benchmark, type BenchmarkRow, interleave } from './measure.js'

const ci = fileURLToPath(new URL('../../cli/bin/run.js', import.meta.url))

/** A program that only sends the same request. */
const bareScript = `
const answer = await fetch(process.env.BUILDWIRE_BASE_URL + '/v2/organizations/acme/pipelines/web/builds?per_page=30&exclude_jobs=true&exclude_pipeline=true', {
  headers: { authorization: 'Bearer ' + process.env.BUILDWIRE_TOKEN },
})
for (const build of await answer.json()) console.log([build.number, build.state, build.branch, build.message].join('\\t'))
`

async function run(node: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout, stderr } = await runProgram(node, args, { env })
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout.trim()
}

/** The installed Node, and those that BUILDWIRE_BENCH_NODES names (paths, separated by colons). */
const nodes = (): readonly string[] => [
  process.execPath,
  ...(process.env['BUILDWIRE_BENCH_NODES'] ?? '').split(':').filter((path) => path !== ''),
]

/**
 * A server with the demo history, and the environment of a program that uses it. `end` removes
 * both.
 */
async function place() {
  const home = await mkdtemp(join(tmpdir(), 'ci-bench-'))
  const server = createMockServer({ seed: 'demo' })
  const { url } = await server.listen({ port: 0 })
  const { accessTokens } = await server.ready()
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    BUILDWIRE_CONFIG_DIR: join(home, 'config'),
    BUILDWIRE_BASE_URL: url,
    BUILDWIRE_TOKEN: accessTokens['admin'],
  }
  const script = async (text: string) => {
    const file = join(home, 'bare.mjs')
    await writeFile(file, text)
    return file
  }
  const end = () => Promise.all([server.close(), rm(home, { recursive: true, force: true })])
  return { server, env, script, end }
}

const row = (
  what: string,
  against: string,
  ours: number,
  theirs: number,
  most: number,
): BenchmarkRow => atMost({ area: 'cli', what, against }, { ours, theirs }, most)

const startUp: Benchmark = async ({ rounds }) => {
  const { env, script: write, end } = await place()
  const script = await write(bareScript)
  const rows: BenchmarkRow[] = []
  for (const node of nodes()) {
    const name = await run(node, ['-p', 'process.version'], env)
    const taken = await interleave(Math.max(rounds, 15), {
      nothing: () => run(node, ['-e', '0'], env),
      version: () => run(node, [ci, '--version'], env),
      bare: () => run(node, [script], env),
      list: () => run(node, [ci, 'builds', 'list', '-p', 'acme/web'], env),
      help: () => run(node, [ci, '--help'], env),
      completion: () => run(node, [ci, '__complete', 'bash', 'bui', 'ci bui'], env),
    })
    rows.push(
      row(`ci --version, Node ${name}`, 'node -e 0', taken.version, taken.nothing, 1.2),
      row(
        `ci builds list into a pipe, Node ${name}`,
        'a bare script with fetch',
        taken.list,
        taken.bare,
        1.3,
      ),
      row(`ci --help, Node ${name}`, 'node -e 0', taken.help, taken.nothing, 1.8),
      row(
        `completion of a static word, Node ${name}`,
        'node -e 0',
        taken.completion,
        taken.nothing,
        1.4,
      ),
    )
  }
  await end()
  return rows
}

/**
 * A program that only sends the same requests: the build, then all requests that depend on it at
 * once.
 */
const replay = (paths: readonly string[]) => `
const headers = { authorization: 'Bearer ' + process.env.BUILDWIRE_TOKEN }
const ask = async (path) => {
  const range = path.includes('/log') ? { range: 'bytes=-65536' } : {}
  return (await fetch(process.env.BUILDWIRE_BASE_URL + path, { headers: { ...headers, ...range } })).text()
}
const [first, ...rest] = ${JSON.stringify(paths)}
console.log((await ask(first)).length, (await Promise.all(rest.map(ask))).join('').length)
`

const why: Benchmark = async ({ rounds }) => {
  const { server, env, script, end } = await place()
  const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    name,
    state: 'failed' as const,
    exit_status: 1,
  }))
  const at = { org_slug: 'acme', pipeline_slug: 'web', commit: 'HEAD', branch: 'main' }
  const build = await server.control.builds.create({ ...at, state: 'failed', jobs, force: true })
  for (const { id } of build.jobs ?? [])
    await server.control.jobLogs.set({ job_id: id, content: 'line\n'.repeat(20_000) })
  const words = [ci, 'why', `acme/web#${build.number}`]
  await server.control.requests.delete()
  await run(process.execPath, words, env)
  const asked = await server.control.requests.list()
  if (asked.length > 12) throw new Error(`ci why sent ${asked.length} requests`)
  const bare = await script(
    replay(asked.map(({ path, query }) => (query === '' ? path : `${path}?${query}`))),
  )
  const taken = await interleave(Math.max(rounds, 15), {
    why: () => run(process.execPath, words, env),
    bare: () => run(process.execPath, [bare], env),
  })
  await end()
  const what = `ci why of five failed jobs, ${asked.length} requests`
  return [row(what, 'the same by a bare script', taken.why, taken.bare, 1.5)]
}

export const benchmarks: Readonly<Record<string, Benchmark>> = { startUp, why }
