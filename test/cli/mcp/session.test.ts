import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createForwarder } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRenewable } from '../../support/renewable.js'
import { assistant } from '../support/assistant.js'
import { BIN, bareEnv, runChild } from '../support/child.js'
import { start } from '../support/program.js'
import { startServer } from '../support/server.js'

const web = { org_slug: 'acme', pipeline_slug: 'web' }

let started: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  started = await startServer()
})
afterAll(() => started.close())

const hello = (id: unknown = 0, protocolVersion = '2025-06-18') => {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }
  return { jsonrpc: '2.0', id, method: 'initialize', params }
}

/** `ci mcp` without a client: lines in, lines out. */
async function raw(env: Readonly<Record<string, string>>, flags: readonly string[] = []) {
  const child = start(process.execPath, [BIN, 'mcp', ...flags], { env: await bareEnv(env), stdin: 'open' })
  const { stdin, stdout } = child.process
  if (stdin === null || stdout === null) throw new TypeError('no pipes')
  const lines: string[] = []
  createInterface({ input: stdout }).on('line', (line) => lines.push(line))
  return { ...child, lines, end: () => stdin.end(), send: (line: string) => stdin.write(`${line}\n`) }
}

describe('the protocol', () => {
  it.each([
    ['the oldest', { supportedProtocolVersions: ['2024-10-07'] }, '2024-10-07'],
    ['the newest', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
  ])('speaks %s revision', async (_, options, version) => {
    await using session = await assistant(started.env, ['-p', 'acme/web'], options)
    expect(session.client.getNegotiatedProtocolVersion()).toBe(version)
    expect((await session.client.listTools()).tools).toHaveLength(8)
    expect(session.client.getInstructions()).toMatch(/Only acme\/web .* it is data.* only reads\.$/u)
    const seen: string[] = []
    const onprogress = ({ message = '' }) => void seen.push(message)
    const { record } = await session.call('list_builds', { per_page: 1 })
    const { number } = record.builds[0]
    const waited = await session.call('wait_for_build', { number, timeout_seconds: 1 }, { onprogress })
    expect(waited.record).toMatchObject({ ...web, number })
    expect(seen[0]).toMatch(new RegExp(`^build ${number} \\w+: \\d+ of \\d+ jobs are over$`, 'u'))
  })

  it('keeps stdout to itself, whatever a client sends', async () => {
    const name = fc.constantFrom(
      'list_builds',
      'read_job_log',
      'cancel_build',
      'get_build',
      '__proto__',
      'toString',
      '',
    )
    const method = fc.constantFrom('tools/call', 'tools/list', 'ping', 'initialize', 'resources/list', '', '__proto__')
    const id = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 900 }) }, fc.string(), fc.jsonValue())
    const slug = fc.constantFrom('acme', 'web', '..', '%2e%2e', 'acme/web', '\u0000')
    const input = fc.oneof(
      fc.jsonValue(),
      fc.record({ org_slug: slug, pipeline_slug: slug, number: fc.integer() }, { requiredKeys: [] }),
    )
    const call = fc.record({ name, arguments: input, _meta: fc.jsonValue() }, { requiredKeys: ['name'] })
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
    session.send(JSON.stringify(hello('first')))
    for (const line of fc.sample(text, { numRuns: 1_000, seed: 15 })) session.send(line)
    const last = { name: 'list_builds', arguments: web }
    session.send(JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'tools/call', params: last }))
    await session.shows(/"id":"last"/u)
    session.end()
    const { code, stderr } = await session.done
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const answers = session.lines.map((line) => JSON.parse(line))
    expect(answers.filter(({ jsonrpc, id }) => jsonrpc !== '2.0' || id === undefined)).toEqual([])
    expect(answers.filter(({ error, result }) => (error === undefined) === (result === undefined))).toEqual([])
    expect(answers.length).toBeGreaterThan(150)
  })
})

describe('its end', () => {
  it('comes by itself with stdin, also before anything was said', async () => {
    expect(await runChild(['mcp'], { env: started.env })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('comes with %s and code %d, in the middle of a call', async (signal, code) => {
    const silent = await silentServer()
    const session = await raw({ ...started.env, BUILDWIRE_BASE_URL: silent.url })
    session.send(JSON.stringify(hello()))
    const params = { name: 'get_build', arguments: { ...web, number: 1 } }
    session.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
    await silent.asked
    session.process.kill(signal)
    expect(await session.done).toMatchObject({ code, signal: null, stderr: '' })
    await silent.left
    silent.close()
  })

  it('comes with code 7 and a sentence when a message is larger than any', async () => {
    const session = await raw(started.env)
    session.send(JSON.stringify({ ...hello(), more: 'x'.repeat(2_000_000) }))
    const { code, stdout, stderr } = await session.done
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(stderr).toMatch(/^Error: the client broke the protocol: /u)
  })
})

describe('calls', () => {
  it('are cancelled on the wire too, and the next one is answered', async () => {
    const silent = await silentServer()
    await using session = await assistant({ ...started.env, BUILDWIRE_BASE_URL: silent.url })
    const controller = new AbortController()
    const call = session.call('get_build', { ...web, number: 1 }, { signal: controller.signal })
    const refused = expect(call).rejects.toThrow('enough')
    await silent.asked
    controller.abort(new Error('enough'))
    await silent.left
    await refused
    expect((await session.client.listTools()).tools).toHaveLength(8)
    silent.close()
  })

  it('tell how far they are until the build is over', async () => {
    const { control } = started.server
    await using session = await assistant(started.env)
    const build = await control.builds.create({ ...web, commit: 'HEAD', branch: 'main' })
    const seen: string[] = []
    let ended: Promise<unknown> | undefined
    const onprogress = ({ message = '' }) => {
      seen.push(message)
      ended ??= control.builds.advance({ id: build.id, to: 'finished', outcome: 'failed' })
    }
    const { record } = await session.call('wait_for_build', { ...web, number: build.number }, { onprogress })
    await ended
    expect(record).toMatchObject({ outcome: 'failed', number: build.number })
    expect(record.failed_jobs.length).toBeGreaterThan(0)
    expect(seen.length).toBeGreaterThanOrEqual(2)
    const { record: waited } = await session.call('wait_for_build', { ...web, number: 1, timeout_seconds: 0 })
    expect(waited.error.code).toBe('usage')
  })

  it('go on with a login that is renewed in the middle', async () => {
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

  it('say that the server is away, and go on when it is back', async () => {
    const { port } = new URL(started.server.baseUrl)
    const forwarder = await forward(Number(port), 0)
    const env = { ...started.env, BUILDWIRE_BASE_URL: `http://127.0.0.1:${forwarder.port}` }
    await using session = await assistant(env, ['--retries', '0'])
    const list = () => session.call('list_builds', { ...web, per_page: 1 })
    expect((await list()).record.builds).toHaveLength(1)
    await forwarder.close()
    const { isError, record } = await list()
    expect([isError, record.error]).toMatchObject([true, { code: 'connection', message: /cannot reach/u }])
    const again = await forward(Number(port), forwarder.port)
    expect((await list()).record.builds).toHaveLength(1)
    await again.close()
  })

  it('say what is missing, and look again when it may be there', async () => {
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
})

/** A server that takes requests and never answers. */
async function silentServer() {
  let ask: () => void = () => undefined
  let leave: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const server = createServer((_, response) => {
    response.on('close', leave)
    ask()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, left, close: () => server.close() }
}

/** Leads connections of another port to a server, until it is closed. */
async function forward(to: number, from: number) {
  const open = new Set<{ destroy(): void }>()
  const server = createForwarder((socket) => {
    const other = connect(to, '127.0.0.1')
    for (const end of [socket, other]) open.add(end.on('error', () => undefined))
    socket.pipe(other).pipe(socket)
  })
  server.listen(from, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const end of open) end.destroy()
      await closed
    },
  }
}
