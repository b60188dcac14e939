import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunOptions } from './support/run-cli.js'
import { listening } from './support/server.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
afterEach(() => started.server.control.rules.delete())

const run = (argv: readonly string[], options?: RunOptions) =>
  started.run(['api', ...argv], options)

/** A server that answers what a test says and remembers what it was asked. */
async function scripted(
  answer: () => { status?: number; headers?: Record<string, string>; body?: string },
) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] =
    []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body,
    })
    const { status = 200, headers = {}, body: text = '{}' } = answer()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  })
  const url = await listening(server)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, seen, env: { BUILDWIRE_BASE_URL: url, BUILDWIRE_TOKEN: 'scripted-token' }, close }
}

describe('ci api', () => {
  it('passes the bytes of an answer through, whatever its numbers', async () => {
    const text = '{"big":12345678901234567890,  "odd" : 1.0}\n'
    const server = await scripted(() => ({ body: text }))
    expect(await run(['anything'], { env: server.env })).toEqual({
      code: 0,
      stdout: text,
      stderr: '',
    })
    expect(server.seen[0]).toMatchObject({ method: 'GET', url: '/v2/anything' })
    server.close()
  })

  it('resolves paths from /v2/ or from the root, and fills in placeholders', async () => {
    const server = await scripted(() => ({}))
    const env = { ...server.env, BUILDWIRE_PIPELINE: 'acme/web' }
    const paths = [
      '/v2/x?a=b',
      'organizations/{org}/pipelines/{pipeline}/builds',
      'graphql',
      `${server.url}/v2/y`,
    ]
    for (const path of paths) expect((await run([path], { env })).code).toBe(0)
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v2/x?a=b',
      'GET /v2/organizations/acme/pipelines/web/builds',
      'POST /graphql',
      'GET /v2/y',
    ])
    server.close()
  })

  it('makes a body of fields, typed or not, and posts it', async () => {
    const server = await scripted(() => ({ status: 201 }))
    await run(
      [
        'x',
        '-f',
        'a=1',
        '-F',
        'b=1',
        '-F',
        'c=true',
        '-F',
        'd=null',
        '-F',
        'e=text',
        '-H',
        'X-Trace: 7',
      ],
      {
        env: server.env,
      },
    )
    await run(['x', '-X', 'PUT', '--input', '-'], {
      env: server.env,
      stdin: '{"nested":{"a":[1]}}',
    })
    const tooBig = await run(['x', '-F', 'n=9007199254740993'], { env: server.env })
    expect(tooBig).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('n cannot be an exact number'),
    })
    expect(server.seen).toHaveLength(2)
    const [posted, put] = server.seen
    expect(JSON.parse(posted?.body ?? '')).toEqual({ a: '1', b: 1, c: true, d: null, e: 'text' })
    expect(posted).toMatchObject({ method: 'POST', headers: { 'x-trace': '7' } })
    expect(put).toMatchObject({ method: 'PUT', body: '{"nested":{"a":[1]}}' })
    server.close()
  })

  it('exits by the status, with the body on stdout and one error on stderr', async () => {
    for (const [status, code] of [
      [401, 4],
      [403, 9],
      [404, 5],
      [409, 7],
      [422, 7],
      [429, 10],
      [500, 3],
      [302, 3],
    ] as const) {
      const server = await scripted(() => ({
        status,
        body: '{"message":"No"}',
        headers: status === 302 ? { location: '/elsewhere' } : {},
      }))
      const result = await run(['x', '--retries', '0'], { env: server.env })
      expect([status, result.code]).toEqual([status, code])
      if (status !== 302) expect(result.stdout).toBe('{"message":"No"}')
      expect(result.stderr).toMatch(/^Error: /u)
      expect(server.seen).toHaveLength(1)
      server.close()
    }
  })

  it('retries reads only', async () => {
    let answers = 0
    const server = await scripted(() => ({
      status: answers++ === 0 ? 503 : 200,
      headers: { 'retry-after': '0' },
    }))
    expect((await run(['x'], { env: server.env })).code).toBe(0)
    answers = 0
    expect((await run(['x', '-f', 'a=1'], { env: server.env })).code).toBe(3)
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST'])
    server.close()
  })

  it('sends the token to its own server only', async () => {
    const other = await scripted(() => ({}))
    for (const path of [
      `${other.url}/x`,
      `//127.0.0.1:${new URL(other.url).port}/x`,
      'https://evil.test/',
    ]) {
      expect(await run([path])).toMatchObject({ code: 2, stdout: '' })
    }
    const server = await scripted(() => ({
      body: '[1]',
      headers: { link: `<${other.url}/v2/x?page=2>; rel="next"` },
    }))
    const result = await run(['x', '--paginate'], { env: server.env })
    expect(result).toMatchObject({ code: 3, stdout: '' })
    expect(other.seen).toEqual([])
    expect(await run(['x', '-H', 'Authorization: Bearer mine'])).toMatchObject({ code: 2 })
    server.close()
    other.close()
  })

  it('joins the pages of a list into one array (C10)', async () => {
    const builds = 'organizations/{org}/pipelines/web/builds?per_page=100'
    const { code, stdout } = await run([builds, '--paginate', '--jq', 'length'])
    expect({ code, many: Number(stdout) > 100 }).toEqual({ code: 0, many: true })
    const whole = await run(['organizations/acme/pipelines?per_page=2', '--paginate'])
    expect(JSON.parse(whole.stdout)).toHaveLength(6)
    const loop = await scripted(() => ({ body: '[1]', headers: { link: '</v2/x>; rel=next' } }))
    expect(await run(['x', '--paginate'], { env: loop.env })).toMatchObject({ code: 3, stdout: '' })
    expect(loop.seen.length).toBeLessThanOrEqual(2)
    loop.close()
  })

  it('prints status and headers under -i, and no body under --silent', async () => {
    const { stdout } = await run(['organizations/acme', '-i', '--silent'])
    expect(stdout).toMatch(/^HTTP 200\n(?:[a-z-]+: .*\n)+\n$/u)
  })

  it('removes control characters on a terminal only', async () => {
    const text = '"\u001b[2Jx"'
    const server = await scripted(() => ({ body: text }))
    expect((await run(['x'], { env: server.env })).stdout).toBe(text)
    expect((await run(['x'], { env: server.env, columns: 80 })).stdout).not.toContain('\u001b')
    server.close()
  })
})

describe('--debug=http (C13)', () => {
  it('shows the traffic without the token or any other secret', async () => {
    const canary = 'canary-0123456789'
    const server = await scripted(() => ({
      body: JSON.stringify({
        access_token: canary,
        note: `scripted-token ${Buffer.from('scripted-token').toString('base64')}`,
      }),
      headers: { 'set-cookie': canary, 'x-echo': 'scripted-token' },
    }))
    const { code, stderr } = await run(
      ['x', '-f', `client_secret=${canary}`, '-f', 'name=web', '--debug=http'],
      {
        env: server.env,
      },
    )
    expect(code).toBe(0)
    expect(stderr).toContain('> POST ')
    expect(stderr).toContain('"name":"web"')
    expect(stderr).toContain('< 200')
    expect(stderr).not.toContain(canary)
    expect(stderr).not.toContain('scripted-token')
    expect(stderr).not.toContain(Buffer.from('scripted-token').toString('base64'))
    server.close()
  })

  it('tells decisions and timings under --debug', async () => {
    const { stderr } = await run(['organizations/acme', '--debug'])
    expect(stderr).toContain('(BUILDWIRE_BASE_URL)')
    expect(stderr).toContain('credential: BUILDWIRE_TOKEN')
    expect(stderr).toMatch(/response .*durationMs=\d/u)
    expect(stderr).not.toContain(started.token)
  })
})
