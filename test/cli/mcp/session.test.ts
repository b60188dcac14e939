import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer } from '@buildwire/mock-server'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { acmeSeed } from '../../support/control-client.js'
import { openRenewable } from '../../support/renewable.js'
import { assistant } from '../support/assistant.js'
import { BIN, bareEnv, type Child, runChild, start } from '../support/child.js'
import { listening } from '../support/server.js'
import { serverOfFile } from '../support/server-of-file.js'

const web = { org_slug: 'acme', pipeline_slug: 'web' }

const started = serverOfFile()

const params = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
}
const hello = { jsonrpc: '2.0', id: 'first', method: 'initialize', params }
const callOf = (name: string, input: object, id: string) => {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } }
}

/** `ci mcp` without a client. */
const raw = async (env: Readonly<Record<string, string>>) =>
  start(process.execPath, [BIN, 'mcp'], { env: await bareEnv(env), stdin: 'open' })
const send = ({ process: { stdin } }: Child, ...messages: object[]) =>
  void stdin?.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))

/** A server that never answers; `asked` resolves at the first request, `left` when it is closed. */
async function silentServer() {
  const server = createServer()
  const url = await listening(server)
  const asked = once(server, 'request').then(([, response]) => ({ left: once(response, 'close') }))
  return { url, asked, close: () => server.close() }
}

it.each([
  ['the oldest', { supportedProtocolVersions: ['2024-10-07'] }, '2024-10-07'],
  ['the newest', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
])('ci mcp speaks %s revision of the protocol', async (_, options, version) => {
  await using session = await assistant(started.env, ['-p', 'acme/web'], options)
  expect(session.client.getNegotiatedProtocolVersion()).toBe(version)
  expect((await session.client.listTools()).tools).toHaveLength(12)
  expect(session.client.getInstructions()).toMatch(/Only acme\/web .* it is data.* only reads\.$/u)
  const messages: string[] = []
  const onprogress = ({ message = '' }) => void messages.push(message)
  const { record } = await session.call('list_builds', { per_page: 1 })
  const { number } = record.builds[0]
  const waited = await session.call(
    'wait_for_build',
    { number, timeout_seconds: 1 },
    { onprogress },
  )
  expect(waited.record).toMatchObject({ ...web, number })
  expect(messages[0]).toMatch(new RegExp(`^build ${number} \\w+: \\d+ of \\d+ jobs finished$`, 'u'))
})

it('only answers of the protocol go to stdout, for any messages of a client', async () => {
  const name = fc.constantFrom(
    'list_builds',
    'read_job_log',
    'cancel_build',
    'get_build',
    '__proto__',
    'toString',
    '',
  )
  const method = fc.constantFrom(
    'tools/call',
    'tools/list',
    'ping',
    'initialize',
    'resources/list',
    '',
    '__proto__',
  )
  const id = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 900 }) },
    fc.string(),
    fc.jsonValue(),
  )
  const slug = fc.constantFrom('acme', 'web', '..', '%2e%2e', 'acme/web', '\u0000')
  const input = fc.oneof(
    fc.jsonValue(),
    fc.record({ org_slug: slug, pipeline_slug: slug, number: fc.integer() }, { requiredKeys: [] }),
  )
  const call = fc.record(
    { name, arguments: input, _meta: fc.jsonValue() },
    { requiredKeys: ['name'] },
  )
  const request = fc.record({
    jsonrpc: fc.constant('2.0'),
    id,
    method,
    params: fc.oneof({ weight: 4, arbitrary: call }, fc.jsonValue()),
  })
  const notice = fc.record({
    jsonrpc: fc.constant('2.0'),
    method: fc.constantFrom('notifications/cancelled', 'notifications/initialized', 'x'),
    params: fc.record({ requestId: id, progressToken: fc.jsonValue() }, { requiredKeys: [] }),
  })
  const text = fc.oneof(
    fc
      .oneof({ weight: 9, arbitrary: request }, notice, fc.array(request), fc.jsonValue())
      .map((m) => JSON.stringify(m)),
    fc.string({ unit: 'binary' }).map((junk) => junk.replace(/\n/gu, ' ')),
  )
  const session = await raw(started.env)
  send(session, hello)
  for (const line of fc.sample(text, { numRuns: 1_000, seed: 15 }))
    session.process.stdin?.write(`${line}\n`)
  send(session, callOf('list_builds', web, 'last'))
  await session.shows(/"id":"last"/u)
  session.process.stdin?.end()
  const { code, stderr, stdout } = await session.done
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.filter(({ jsonrpc, id }) => jsonrpc !== '2.0' || id === undefined)).toEqual([])
  expect(
    answers.filter(({ error, result }) => (error === undefined) === (result === undefined)),
  ).toEqual([])
  expect(answers.length).toBeGreaterThan(150)
})

it('ci mcp exits with 0 when stdin ends, also before the first message', async () => {
  expect(await runChild(['mcp'], { env: started.env })).toEqual({
    code: 0,
    signal: null,
    stdout: '',
    stderr: '',
  })
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends ci mcp with code %d, also during a call', async (signal, code) => {
  const silent = await silentServer()
  const session = await raw({ ...started.env, BUILDWIRE_BASE_URL: silent.url })
  send(session, hello, callOf('get_build', { ...web, number: 1 }, 'call'))
  const { left } = await silent.asked
  session.process.kill(signal)
  expect(await session.done).toMatchObject({ code, signal: null, stderr: '' })
  await left
  silent.close()
})

it('a message of more than 1 MiB ends ci mcp with code 7 and an error', async () => {
  const session = await raw(started.env)
  send(session, { ...hello, more: 'x'.repeat(2_000_000) })
  const { code, stdout, stderr } = await session.done
  expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
  expect(stderr).toMatch(/^Error: the client broke the protocol: /u)
})

it('a cancelled call ends its request to the server, and the next call is answered', async () => {
  const silent = await silentServer()
  await using session = await assistant({ ...started.env, BUILDWIRE_BASE_URL: silent.url })
  const controller = new AbortController()
  const call = session.call('get_build', { ...web, number: 1 }, { signal: controller.signal })
  const refused = expect(call).rejects.toThrow('enough')
  const { left } = await silent.asked
  controller.abort(new Error('enough'))
  await left
  await refused
  expect((await session.client.listTools()).tools).toHaveLength(12)
  silent.close()
})

it('wait_for_build sends its progress until the build is over', async () => {
  const { control } = started.server
  await using session = await assistant(started.env)
  const build = await control.builds.create({ ...web, commit: 'HEAD', branch: 'main' })
  const messages: string[] = []
  const moves: Promise<unknown>[] = []
  // The last message may arrive with the answer, and the client drops it then. So the build ends
  // after two messages.
  const onprogress = ({ message = '' }) => {
    messages.push(message)
    if (messages.length === 1) moves.push(control.builds.advance({ id: build.id, to: 'started' }))
    if (messages.length === 2)
      moves.push(control.builds.advance({ id: build.id, to: 'finished', outcome: 'failed' }))
  }
  const { record } = await session.call(
    'wait_for_build',
    { ...web, number: build.number },
    { onprogress },
  )
  await Promise.all(moves)
  expect(record).toMatchObject({ outcome: 'failed', number: build.number })
  expect(record.failed_jobs.length).toBeGreaterThan(0)
  expect(messages.length).toBeGreaterThanOrEqual(2)
})

it('calls work with a login that is renewed between them', async () => {
  await using login = await openRenewable()
  await login.logIn(['acme'])
  let renewals = 0
  login.onRenewal = () => {
    renewals += 1
  }
  await using session = await assistant(login.env, ['-p', 'acme/web'])
  expect((await session.call('list_builds')).isError).toBe(false)
  const first = (await login.read('credentials')).credentials.acme.access_token
  login.refused.add(first)
  expect((await session.call('list_builds')).isError).toBe(false)
  expect(renewals).toBe(2)
  const { access_token } = (await login.read('credentials')).credentials.acme
  expect(access_token).not.toBe(first)
  expect(session.stderr()).not.toContain(access_token)
})

it('calls report that the server cannot be reached, and work when it is back', async () => {
  const BUILDWIRE_TOKEN = 'a-token-for-both-of-them'
  const accessTokens = [
    { name: 'bot', user: 'robin@acme.example', scopes: ['read_builds'], value: BUILDWIRE_TOKEN },
  ]
  const open = () => createMockServer({ seed: { ...acmeSeed, accessTokens } })
  const first = open()
  const { url } = await first.listen({ port: 0 })
  await using session = await assistant({ BUILDWIRE_BASE_URL: url, BUILDWIRE_TOKEN }, [
    '--retries',
    '0',
  ])
  expect((await session.call('list_builds', web)).record).toEqual({ builds: [] })
  await first.close()
  const { isError, record } = await session.call('list_builds', web)
  expect([isError, record.error]).toMatchObject([
    true,
    { code: 'connection', message: /cannot reach/u },
  ])
  await using again = open()
  await again.listen({ port: Number(new URL(url).port) })
  expect((await session.call('list_builds', web)).record).toEqual({ builds: [] })
})

it('calls report a missing configuration, and read it again at the next call', async () => {
  const BUILDWIRE_CONFIG_DIR = await mkdtemp(join(tmpdir(), 'ci-mcp-'))
  const env = { BUILDWIRE_CONFIG_DIR, BUILDWIRE_TOKEN: started.token }
  await using session = await assistant(env)
  const { isError, record } = await session.call('current_user')
  expect([isError, record.error.code]).toEqual([true, 'configuration'])
  expect(record.error.hint).toContain('ci server start')
  await runChild(['context', 'set', 'here', '--base-url', started.server.baseUrl], { env })
  expect((await session.call('current_user')).record.user).toBe('robin@acme.example')
  await rm(BUILDWIRE_CONFIG_DIR, { recursive: true })
})
