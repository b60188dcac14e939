import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CiClient, summarizeFailure } from '@buildwire/sdk'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { alone, atMost, type Benchmark, interleave } from './measure.js'
import { startProgram } from './process.js'

const ci = fileURLToPath(new URL('../../cli/bin/run.js', import.meta.url))
const params = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
}
const hello = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`

const start = (args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })

/** Memory of a process, in MB. */
const memory = (pid: number): number =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6

/**
 * The time from the start of the program to its first response. The program is ended after the
 * measurement.
 */
async function firstAnswer(env: NodeJS.ProcessEnv): Promise<void> {
  const child = start([ci, 'mcp'], env)
  child.stdin?.write(hello)
  if (child.stdout !== null) await once(child.stdout, 'data')
  child.kill('SIGKILL')
}

const assistant: Benchmark = async ({ rounds }) => {
  const home = await mkdtemp(join(tmpdir(), 'ci-bench-'))
  // The service runs in another process, for both sides.
  const server = await startProgram(['--seed', 'demo'])
  const { baseUrl, accessTokens } = server.ready
  const token = accessTokens['admin'] ?? ''
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    BUILDWIRE_BASE_URL: baseUrl,
    BUILDWIRE_TOKEN: token,
  }
  const sdk = new CiClient({ baseUrl, auth: token })
  const web = { org_slug: 'acme', pipeline_slug: 'web' }
  const [failed] = (await sdk.builds.listForPipeline({ ...web, state: ['failed'], per_page: 1 }))
    .items
  if (failed === undefined) throw new TypeError('the demo has no failed build')
  const build = { ...web, number: failed.number }

  const transport = new StdioClientTransport({ command: process.execPath, args: [ci, 'mcp'], env })
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(transport)
  await client.listTools()
  const idle = memory(transport.pid ?? 0)
  const summarize = () => client.callTool({ name: 'get_build_failure_summary', arguments: build })
  for (let call = 0; call < 30; call += 1)
    await Promise.all([summarize(), summarizeFailure(sdk, build)])
  const answer = await interleave(Math.max(rounds, 15) * 3, {
    ours: summarize,
    theirs: () => summarizeFailure(sdk, build),
  })
  await client.close()

  const startUp = await interleave(Math.max(rounds, 9), {
    ours: () => firstAnswer(env),
    theirs: () => once(start(['-e', '0'], env), 'exit'),
  })
  await sdk.close()
  await server.stop()
  await rm(home, { recursive: true, force: true })
  const area = 'mcp'
  const itself = 'summarizeFailure itself'
  return [
    atMost({ area, what: 'ci mcp: first answer to initialize', against: 'node -e 0' }, startUp, 4),
    atMost({ area, what: 'ci mcp: get_build_failure_summary', against: itself }, answer, 1.3),
    alone(area, 'ci mcp: memory of an idle server', 'MB', idle, 90),
  ]
}

export const benchmarks: Readonly<Record<string, Benchmark>> = { assistant }
