/**
 * A script that acts as an assistant: over `ci mcp` it finds out why a build failed, retries the
 * job, and waits until the build passes. The CI is a reference server whose job fails once.
 */
import { fileURLToPath } from 'node:url'
import { createMockServer } from '@buildwire/mock-server'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const log = "AssertionError: expected [ 'tea', 'mug' ] to deeply equal [ 'mug', 'tea' ]"
const steps = [
  { command: 'make lint', key: 'lint' },
  {
    command: 'make test',
    key: 'test',
    outcome: { exit_status: 1, attempts: 1 },
    onFailure: { log },
  },
]
const server = createMockServer({
  lifecycle: { policy: 'timed', speed: 10 },
  seed: {
    users: [{ email: 'robin@acme.example' }],
    organizations: [
      {
        slug: 'acme',
        members: [{ user: 'robin@acme.example' }],
        pipelines: [
          { slug: 'web', steps, builds: [{ created_at: '-10m', branch: 'main', play: {} }] },
        ],
      },
    ],
    accessTokens: [
      {
        name: 'bot',
        user: 'robin@acme.example',
        scopes: ['read_builds', 'write_builds', 'read_build_logs'],
      },
    ],
  },
})
const { url } = await server.listen({ port: 0 })
const { accessTokens } = await server.ready()

// The configuration of a host program: a command, its arguments and its environment.
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [
    fileURLToPath(new URL('../cli/bin/run.js', import.meta.url)),
    'mcp',
    '-p',
    'acme/web',
    '--allow-writes',
  ],
  env: { PATH: process.env.PATH, BUILDWIRE_BASE_URL: url, BUILDWIRE_TOKEN: accessTokens.bot },
})
const client = new Client({ name: 'scripted-assistant', version: '1.0.0' })
await client.connect(transport)
console.log(`The server's instructions: ${client.getInstructions()}\n`)

async function call(name, input, options) {
  const { isError, structuredContent } = await client.callTool({ name, arguments: input }, options)
  if (isError) throw new Error(`${name}: ${structuredContent.error.message}`)
  return structuredContent
}

const { builds } = await call('list_builds', { state: ['failed'], per_page: 1 })
const { number } = builds[0]
const { headline, problems } = await call('get_build_failure_summary', { number })
console.log(headline)
for (const line of problems[0].log.lines.slice(-3)) console.log(`  │ ${line}`)
if (!problems[0].log.lines.includes(log))
  throw new Error('the summary does not show what went wrong')

const job = await call('retry_job', { number, job_id: problems[0].id })
console.log(`\nThe assistant retries ${job.name}.`)
const onprogress = ({ message }) => console.log(`  ${message}`)
const { outcome } = await call('wait_for_build', { number }, { onprogress })
console.log(`The build has ${outcome}.`)
if (outcome !== 'passed') throw new Error(`the build has ${outcome}, and it should have passed`)

await client.close()
await server.close()
