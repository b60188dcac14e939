import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createMockServer,
  type Listening,
  type MockServer,
  VirtualClock,
} from '../../mock-server/src/index.js'
import { exchangeRaw, openRaw } from '../support/raw-socket.js'

const token = 'local-token-for-tests'
const bearer = `Authorization: Bearer ${token}\r\n`
const builds = '/v2/organizations/acme/pipelines/web/builds'

let server: MockServer
let listening: Listening
let port: number
beforeAll(async () => {
  server = createMockServer({
    seed: 'demo',
    accessTokens: { admin: token },
    clock: new VirtualClock({ now: Date.parse('2026-03-02T09:00:00Z') }),
    limits: { headersTimeoutMs: 400, requestTimeoutMs: 800, idleTimeoutMs: 300 },
  })
  listening = await server.listen()
  port = listening.port
  await server.ready()
})
afterAll(() => server.close())

const get = (path: string, headers = bearer) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
const last = (path: string, headers = bearer) => get(path, `${headers}Connection: close\r\n`)

/** The server still serves: nothing that came before broke it. */
const served = async () => {
  const [answer] = await exchangeRaw(port, last('/v2/user'))
  expect(answer?.status).toBe(200)
}

const expectRefused = async (text: string, status: number) => {
  const [answer] = await exchangeRaw(port, text)
  expect(answer?.status).toBe(status)
  expect(JSON.parse(answer?.body ?? '')).toHaveProperty('message')
  expect(answer?.head).toMatch(/^date: Mon, 02 Mar 2026 09:00:00 GMT\r?$/im)
  await served()
}

/** The status that an agent of Node reads, once its connection is over. */
const statusOf = (asked: object, body = ''): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const call = request({ port, ...asked }, (response) =>
      call.on('close', () => resolve(response.resume().statusCode)),
    )
    call.on('error', reject).end(body)
  })

describe('what the parser refuses is answered in JSON, and the next connection is served', () => {
  it.each([
    ['no Host', `GET /v2/user HTTP/1.1\r\n${bearer}\r\n`, 400],
    ['an empty Host', `GET /v2/user HTTP/1.1\r\nHost:\r\n${bearer}\r\n`, 400],
    [
      'a malformed Host',
      `GET /v2/user HTTP/1.1\r\nHost: a b/c\r\n${bearer}Connection: close\r\n\r\n`,
      400,
    ],
    [
      'a repeated Host',
      `GET /v2/user HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n${bearer}\r\n`,
      400,
    ],
    [
      'Content-Length with Transfer-Encoding',
      `POST ${builds} HTTP/1.1\r\nHost: localhost\r\n${bearer}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without colon', 'GET / HTTP/1.1\r\nHost localhost\r\n\r\n', 400],
    ['a backslash in the path', last('/v2\\user'), 400],
    ['a target with credentials', last('http://robin:secret@localhost/v2/user'), 400],
    ['a target of another scheme', last('ftp://localhost/v2/user'), 400],
    ['an expectation that nobody meets', get('/v2/user', `${bearer}Expect: a-miracle\r\n`), 417],
    ['headers above 16 KiB', get('/v2/user', `X-Big: ${'x'.repeat(17_000)}\r\n`), 431],
  ])('%s', (_name, text, status) => expectRefused(text, status))

  it.each([
    ['TRACE /v2/user', 405],
    ['PROPFIND /acme', 404],
    ['CONNECT example.com:443', 405],
    ['OPTIONS *', 400],
    ['GET /%ff', 400],
    ['GET /\xff', 400],
    ['GET /v2/%00', 400],
    ['GET /s/', 404],
    ['GET /s/main/v2/user', 404],
    ['GET /s/%2e%2e/v2/user', 404],
    ['GET //evil.example/x', 404],
    ['PUT /openapi.json', 405],
    ['GET /_control', 401],
  ])('%s is %i, in JSON', (line, status) =>
    expectRefused(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, status),
  )

  it.each([
    ['a target that no parser takes', { path: '/v2/builds?creator=\xe9' }, 400],
    ['an expectation', { path: '/v2/builds', headers: { expect: 'a-miracle' } }, 417],
  ])('HEAD with %s is refused without a body', async (_, asked, status) => {
    expect(await statusOf({ method: 'HEAD', ...asked })).toBe(status)
  })

  it('a body where none belongs is no matter', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-length': 2, connection: 'close' }
    for (const method of ['GET', 'HEAD'])
      expect(await statusOf({ method, path: '/v2/user', headers }, 'hi')).toBe(200)
    await served()
  })

  it('half-sent headers are 408 after their time', async () => {
    const socket = await openRaw(port)
    await socket.write('GET /v2/user HTTP/1.1\r\nHost: loc')
    const [answer] = await socket.answers()
    expect(answer?.status).toBe(408)
    expect(JSON.parse(answer?.body ?? '')).toEqual({ message: 'The request took too long' })
    await served()
  })

  it('a half-sent body is given up after its time and changes nothing', async () => {
    const before = await exchangeRaw(port, last(`${builds}?branch=half`))
    const socket = await openRaw(port)
    await socket.write(
      `POST ${builds} HTTP/1.1\r\nHost: localhost\r\n${bearer}Content-Length: 100\r\n\r\n{"commit":"a"`,
    )
    await socket.answers()
    const after = await exchangeRaw(port, last(`${builds}?branch=half`))
    expect(after[0]?.body).toBe(before[0]?.body)
    await served()
  })

  it('a client that leaves inside its body changes nothing', async () => {
    const socket = await openRaw(port)
    await socket.write(
      `POST ${builds} HTTP/1.1\r\nHost: localhost\r\n${bearer}Content-Length: 60\r\n\r\n{"commit":"a","branch":"left"`,
    )
    socket.close()
    await served()
    const [answer] = await exchangeRaw(port, last(`${builds}?branch=left`))
    expect(answer?.body).toBe('[]')
  })
})

describe('HTTP/1.1', () => {
  it('answers pipelined requests in order', async () => {
    const socket = await openRaw(port)
    await socket.write(get('/v2/user') + get('/v2/nothing') + last('/v2/organizations'))
    const answers = await socket.answers()
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
  })

  it('reads headers and body sent byte by byte', async () => {
    const body = '{"commit":"abc","branch":"slow"}'
    const text = `POST ${builds} HTTP/1.1\r\nHost: localhost\r\n${bearer}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const socket = await openRaw(port)
    for (const byte of text) await socket.write(byte)
    const [answer] = await socket.answers()
    expect(answer?.status).toBe(201)
  })

  it('asks for the body of Expect: 100-continue, unless it is too large anyway', async () => {
    const socket = await openRaw(port)
    const head = (length: number) =>
      `POST ${builds} HTTP/1.1\r\nHost: localhost\r\n${bearer}Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`
    await socket.write(head(31))
    expect((await socket.answers(1))[0]?.status).toBe(100)
    await socket.write('{"commit":"abc","branch":"ask"}')
    expect((await socket.answers())[1]?.status).toBe(201)
    const [refused] = await exchangeRaw(port, head(10_000_000))
    expect(refused?.status).toBe(413)
  })

  it('asks for no body of Expect: 100-continue that it would not read', async () => {
    const ask = (path: string, headers = '') =>
      exchangeRaw(
        port,
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Expect: 100-continue\r\nContent-Length: 31\r\n\r\n`,
      )
    for (const [answers, status] of [
      [await ask(builds), 401],
      [await ask('/v2/nowhere', bearer), 404],
      [await ask('/oauth/token', 'Content-Type: text/plain\r\n'), 400],
    ] as const) {
      expect(answers.map((answer) => answer.status)).toEqual([status])
      expect(answers[0]?.head.toLowerCase()).toContain('connection: close')
    }
    await served()
  })

  it('resolves no dots in a path, whatever serves it', async () => {
    for (const path of [
      '/x/../oauth/login',
      '/oauth/./login',
      '/x/../v2/user',
      '/v2/x/../user',
      '/x/%2e%2e/docs',
    ]) {
      const [answer] = await exchangeRaw(port, last(path))
      expect([path, answer?.status]).toEqual([path, 404])
    }
    expect((await exchangeRaw(port, last('/oauth/login')))[0]?.status).toBe(200)
  })

  it('counts a body on its chunks', async () => {
    const chunk = 'x'.repeat(65_536)
    const socket = await openRaw(port)
    await socket.write(
      `POST ${builds} HTTP/1.1\r\nHost: localhost\r\n${bearer}Transfer-Encoding: chunked\r\n\r\n`,
    )
    for (let n = 0; n < 17; n++) await socket.write(`10000\r\n${chunk}\r\n`)
    const [answer] = await socket.answers(1)
    expect(answer?.status).toBe(413)
    expect(answer?.head.toLowerCase()).toContain('connection: close')
    socket.close()
    await served()
  })

  it('sees every Authorization header', async () => {
    const [answer] = await exchangeRaw(port, last('/v2/user', bearer + bearer))
    expect(answer?.status).toBe(400)
    expect(answer?.body).toBe('{"message":"Only one access token may be sent"}')
  })

  it('reads a target in absolute form', async () => {
    const [answer] = await exchangeRaw(port, last(`http://localhost:${port}/v2/user`))
    expect(answer?.status).toBe(200)
  })

  it('closes an idle connection after its time', async () => {
    const socket = await openRaw(port)
    await socket.write(get('/v2/user'))
    expect((await socket.answers()).length).toBe(1)
  })
})

describe('who may come in', () => {
  const asked = (path: string, headers: string) =>
    exchangeRaw(port, `GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)

  it.each(['/_control/info', '/%5fcontrol/info', '//_control/info', '/', '/oauth/device'])(
    'refuses %s under a foreign Host',
    async (path) => {
      const control = `Authorization: Bearer ${server.controlToken}\r\n`
      const [foreign] = await asked(path, `Host: evil.example\r\n${control}`)
      expect(foreign?.status).toBe(403)
      const [own] = await asked(path, `Host: localhost:${port}\r\nAccept: text/html\r\n${control}`)
      // A page that wants a login first sends there.
      expect(own?.status).toBeLessThan(400)
    },
  )

  it('refuses control calls that a foreign page sends', async () => {
    const own = `Host: localhost\r\nAuthorization: Bearer ${server.controlToken}\r\n`
    expect(
      (await asked('/_control/info', `${own}Origin: https://evil.example\r\n`))[0]?.status,
    ).toBe(403)
    expect((await asked('/_control/info', `${own}Sec-Fetch-Site: cross-site\r\n`))[0]?.status).toBe(
      403,
    )
    expect(
      (await asked('/_control/info', `${own}Origin: http://localhost:${port}\r\n`))[0]?.status,
    ).toBe(200)
    expect((await asked('/_control/info', 'Host: localhost\r\n'))[0]?.status).toBe(401)
  })

  it('serves the API under any Host, and never takes a URL from it', async () => {
    const [answer] = await asked('/v2/organizations', `Host: evil.example\r\n${bearer}`)
    expect(answer?.status).toBe(200)
    expect(answer?.body).not.toContain('evil.example')
  })
})
