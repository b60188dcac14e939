import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cells } from '../../cli/src/io/width.js'
import { runCli } from './support/run-cli.js'
import { listening } from './support/server.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
const { run } = started
const UUID = '00000000-0000-4000-8000-000000000000'

describe('a resource that is not found', () => {
  it.each([
    ['builds get acme/no#1', 'ci pipelines list --org acme'],
    ['builds get no/web#1', 'ci organizations list'],
    ['builds get acme/web#999999', 'ci builds list -p acme/web'],
    ['builds get acme/web#@latest --branch no', 'ci builds list -p acme/web'],
    ['builds list -p acme/no', 'ci pipelines list --org acme'],
    ['pipelines list --org no', 'ci organizations list'],
  ])('leads to the list in which it should stand: %s', async (line, hint) => {
    const { code, stdout, stderr } = await run(line)
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr.split('\n')).toContain(`  Try: ${hint}`)
  })

  it('a test leads to the tests of its suite, in which the hint works', async () => {
    const { code, stderr } = await run(`tests get ${UUID} --suite web-unit`)
    expect(code).toBe(5)
    expect(stderr).toContain(`test ${UUID} not found in suite web-unit`)
    expect(stderr).toContain('  Try: ci tests list --org acme --suite web-unit\n')
    const sought = await run('tests find --suite web-unit --scope no --name no')
    expect(sought.stderr).toContain(
      'Error: test of this scope and name not found in suite web-unit,',
    )
    expect((await run('tests list --org acme --suite web-unit -L 1')).code).toBe(0)
  })
})

describe('an error on a terminal', () => {
  it('is broken at words, but for the command to try', async () => {
    const { stderr } = await run('tests list --suite no --no-color', { columns: 60 })
    for (const line of stderr.trimEnd().split('\n')) expect(cells(line)).toBeLessThanOrEqual(60)
    expect(stderr).toMatch(
      /^Error: suite no not found in organization acme, or your user\n {7}cannot see it \(404\)\n/mu,
    )
  })

  it('is one line each where a program reads', async () => {
    // The first says which organization was meant. No command lists suites, so none is offered.
    const lines = (await run('tests list --suite no')).stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines.at(-1)).toContain('the word behind /suites/')
  })
})

describe('a server that is not the API', () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    page: (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    v2: (response) =>
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"message":"Not Found"}'),
    lost: (response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Lost</h1>'),
    odd: (response) => response.writeHead(200, { 'x-request-id': 'req-7' }).end('{}'),
    large: (response) =>
      response
        .writeHead(413, { 'content-type': 'application/json' })
        .end('{"message":"Too large"}'),
    away: (response) => response.writeHead(302, { location: 'https://ci.example.test/' }).end(),
    cut: (response) => {
      response.writeHead(200, { 'content-length': '99' }).write('[')
      setImmediate(() => response.destroy())
    },
  }
  const server = createServer((request, response) =>
    answers[request.url?.split('/')[1] ?? '']?.(response),
  )
  let url: string
  beforeAll(async () => {
    url = await listening(server)
  })
  afterAll(() => void server.close())
  const ask = (place: string, line: string) => {
    return run(`${line} -p acme/web --retries 0`, {
      env: { BUILDWIRE_BASE_URL: `${url}/${place}` },
    })
  }

  it.each([
    ['page', 3],
    ['lost', 5],
    ['v2', 5],
  ])('its %s makes one doubt the address', async (place, expected) => {
    const { code, stderr } = await ask(place, 'builds list')
    expect(code).toBe(expected)
    expect(stderr).toMatch(
      /is http:\/\/127\.0\.0\.1:\d+\/\w+ \(BUILDWIRE_BASE_URL\) its address\?/u,
    )
    expect(stderr).toContain('  Try: ci doctor --offline\n')
  })

  it('an unreadable response is reported with its status and request id, in text and in JSON', async () => {
    const { code, stderr } = await ask('odd', 'builds list')
    expect(code).toBe(3)
    expect(stderr).toMatch(
      / was answered with an empty object instead of a list \(200\)\n {2}request req-7\n$/u,
    )
    expect(JSON.parse((await ask('odd', 'builds list --json')).stderr)).toMatchObject({
      error: {
        code: 'invalid_response',
        status: 200,
        requestId: 'req-7',
        details: ['request req-7'],
      },
    })
  })

  it('a redirect is not reported as a failure of the server', async () => {
    const { code, stderr } = await ask('away', 'builds list')
    expect(code).toBe(3)
    expect(stderr).toContain('Error: the server sent a response that this API does not have (302)')
  })

  it('a 4xx without a known code is reported with the message of the server', async () => {
    const { code, stderr } = await ask('large', 'builds create -b main -c HEAD')
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      'Error: the build was not created: Too large (413)',
    ])
    expect((await ask('large', 'api builds')).code).toBe(3)
  })

  it('a connection that breaks off was there: no server is to be started', async () => {
    const { code, stderr } = await ask('cut', 'builds list')
    expect(code).toBe(3)
    expect(stderr).toContain('Error: lost the connection to http://127.0.0.1:')
    expect(stderr).not.toContain('Try:')
  })

  it.each(['page', 'cut'])(
    'a build that may exist is said once, in commands: %s',
    async (place) => {
      const { code, stderr } = await ask(place, 'builds create -b main -c HEAD')
      expect(code).toBe(3)
      expect(stderr.match(/may exist/gu)).toHaveLength(1)
      expect(stderr).toContain('ci builds list -p acme/web -b main -L 5')
      expect(stderr).not.toContain('builds.listForPipeline')
    },
  )
})

describe('an address that is not usable', () => {
  it.each([
    ['nonsense', 'this is not a URL'],
    ['http://[::1', 'this is not a URL'],
    ['ftp://ci.example.test', 'only https and http'],
    ['https://robin:secret-1@ci.example.test', 'a URL with a user or password'],
    ['http://ci.example.test', 'http sends tokens in the clear'],
  ])('%s is refused by the name of its variable', async (url, reason) => {
    for (const name of ['BUILDWIRE_BASE_URL', 'BUILDWIRE_AUTH_URL', 'BUILDWIRE_WEB_URL']) {
      const { code, stderr } = await run('builds list', { env: { [name]: url } })
      expect(code).toBe(2)
      expect(stderr).toContain(`Error: ${name}: ${reason}`)
      expect(stderr).not.toContain('secret-1')
    }
  })

  it.each([
    ['BUILDWIRE_PIPELINE', 'a/b/c', 'Error: BUILDWIRE_PIPELINE: "a/b/c" is not a pipeline'],
    ['BUILDWIRE_TOKEN', 'token-1\n', 'The token came from BUILDWIRE_TOKEN'],
    ['BUILDWIRE_DEBUG', 'loud', 'BUILDWIRE_DEBUG 1 or http; neither takes "loud"'],
  ])('%s is named when its value cannot be used', async (name, value, said) => {
    const { code, stderr } = await run('builds list', { env: { [name]: value } })
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })

  it('an address with /v2 in it is doubted', async () => {
    const BUILDWIRE_BASE_URL = `${started.env['BUILDWIRE_BASE_URL']}/v2`
    const { code, stderr } = await run('builds list -p acme/web', { env: { BUILDWIRE_BASE_URL } })
    expect(code).toBe(5)
    expect(stderr).toContain(`is ${BUILDWIRE_BASE_URL} (BUILDWIRE_BASE_URL) its address?`)
  })

  it('in a context ends with 78', async () => {
    const home = await mkdtemp(join(tmpdir(), 'ci-errors-'))
    await mkdir(join(home, '.config/buildwire'), { recursive: true })
    const config = { version: 1, current: 'demo', contexts: { demo: { baseUrl: 'nonsense' } } }
    await writeFile(join(home, '.config/buildwire/config.json'), JSON.stringify(config))
    const { code, stderr } = await runCli(['builds', 'list'], { home })
    expect(code).toBe(78)
    expect(stderr).toContain('Error: context demo: this is not a URL')
  })
})
