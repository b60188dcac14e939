import { createMockServer, VirtualClock } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchangeRaw } from '../support/raw-socket.js'
import { expectRefusal, expectTokens, startServer } from './oauth/harness.js'

const token = 'local-token-for-tests'
const controlToken = 'control-token-of-the-tests'
const options = {
  seed: 'demo',
  controlToken,
  clock: new VirtualClock(),
  accessTokens: { admin: token },
} as const

describe('a server on a port', () => {
  const server = createMockServer({
    ...options,
    allowHosts: ['Bücher.example', 'ci:80', 'mock:8080'],
  })
  let port: number
  beforeAll(async () => {
    port = (await server.listen()).port
    await server.ready()
  })
  afterAll(() => server.close())

  /** Where everything that an answer names leads to, asked under a `Host`. */
  const leadsTo = async (host: string, path = '/v2/organizations/acme/builds?per_page=1') => {
    const bearer = `Authorization: Bearer ${path.startsWith('/_control') ? controlToken : token}\r\n`
    const [answer] = await exchangeRaw(
      port,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${bearer}Connection: close\r\n\r\n`,
    )
    expect(answer?.status).toBe(200)
    const own =
      /http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]|xn--bcher-kva\.example|ci|mock|evil\.example)[^/\s"<>?]*/g
    const text = `${/^link: .*$/im.exec(answer?.head ?? '')?.[0]} ${answer?.body}`
    return [...new Set(text.match(own))]
  }

  it.each([
    ['localhost:PORT', 'localhost:PORT'],
    ['127.0.0.1:PORT', '127.0.0.1:PORT'],
    ['[::1]:PORT', '[::1]:PORT'],
    ['LocalHost:PORT', 'localhost:PORT'],
    ['xn--bcher-kva.example:PORT', 'xn--bcher-kva.example:PORT'],
    ['ci', 'ci'],
    ['CI:80', 'ci'],
    ['mock:8080', 'mock:8080'],
    ['localhost', '127.0.0.1:PORT'],
    ['mock:PORT', '127.0.0.1:PORT'],
    ['evil.example:PORT', '127.0.0.1:PORT'],
    ['localhost.evil.example:PORT', '127.0.0.1:PORT'],
  ])('asked as %s it leads to %s', async (host, shown) => {
    const at = (name: string) => name.replace('PORT', String(port))
    expect(await leadsTo(at(host))).toEqual([`http://${at(shown)}`])
  })

  it('uses the requested host name in single builds, pages and the control API too', async () => {
    await server.control.sandboxes.create({ id: 'inner' })
    const list = new Request(`${server.baseUrl}/v2/builds?per_page=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const [newest] = (await (await server.fetch(list)).json()) as [
      { number: number; pipeline: { slug: string } },
    ]
    for (const name of ['localhost', '127.0.0.1']) {
      for (const path of [
        '/v2/organizations/acme/builds?per_page=1&page=2',
        `/v2/organizations/acme/pipelines/${newest.pipeline.slug}/builds/${newest.number}`,
        '/acme/web',
        '/docs/authentication',
        '/_control/sandboxes/inner',
      ]) {
        expect(await leadsTo(`${name}:${port}`, path), path).toEqual([`http://${name}:${port}`])
      }
    }
  })

  it('accepts a form under the host name that its page was loaded from', async () => {
    const post = (host: string, origin: string) =>
      exchangeRaw(
        port,
        `POST /oauth/logout HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ).then(([answer]) => answer?.status)
    expect(await post(`localhost:${port}`, `http://localhost:${port}`)).toBe(303)
    expect(await post(`localhost:${port}`, 'http://evil.example')).toBe(403)
  })
})

describe('aud', () => {
  it('may be any URL of the server, and a jti is used up for all of them', async () => {
    await using s = await startServer({
      baseUrl: 'http://localhost:4010',
      authUrl: 'http://localhost:4010',
      allowHosts: ['ci'],
    })
    const jti = 'once'
    const at = (host: string, more = {}) =>
      s.exchange(s.assertion({ aud: `http://${host}/oauth/token`, ...more }))
    for (const host of ['localhost:4010', '127.0.0.1:4010', '[::1]:4010', 'ci:4010'])
      expectTokens(await at(host))
    expectTokens(await at('127.0.0.1:4010', { jti }))
    expectRefusal(await at('ci:4010', { jti }), 'invalid_client')
    for (const host of ['127.0.0.1', 'ci', 'localhost:4011', 'evil.example:4010']) {
      expectRefusal(await at(host), 'invalid_client', 'JWT aud claim is invalid')
    }
  })

  it('accepts no loopback name if the public URL has another host', async () => {
    await using s = await startServer({
      baseUrl: 'https://ci.example:443/api',
      authUrl: 'https://CI.example',
    })
    expect(s.server.baseUrl).toBe('https://ci.example/api')
    expectTokens(await s.exchange(s.assertion({ aud: 'https://ci.example/oauth/token' })))
    for (const aud of ['https://localhost/oauth/token', 'https://ci.example/api/oauth/token']) {
      expectRefusal(
        await s.exchange(s.assertion({ aud })),
        'invalid_client',
        'JWT aud claim is invalid',
      )
    }
  })
})

it('a build is printed once for each host name, and both texts are kept', async () => {
  await using server = createMockServer(options)
  await server.listen()
  const { baseUrl } = server
  const list = async (base: string) => {
    const url = `${base}/v2/organizations/acme/pipelines/web/builds`
    return (
      await server.fetch(new Request(url, { headers: { authorization: `Bearer ${token}` } }))
    ).text()
  }
  const other = baseUrl.replace('127.0.0.1', 'localhost')
  const first = await list(baseUrl)
  const second = await list(other)
  expect(second).toBe(first.replaceAll(baseUrl, other))
  expect([await list(baseUrl), await list(other)]).toEqual([first, second])
})
