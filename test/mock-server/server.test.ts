import { Agent, request as undiciRequest } from 'undici'
import { describe, expect, it } from 'vitest'
import {
  createMockServer,
  type MockServerOptions,
  systemClock,
  VirtualClock,
} from '../../mock-server/src/index.js'
import { lowdbMemory } from '../../mock-server/src/store/lowdb.js'
import { openRaw } from '../support/raw-socket.js'
import { selfSigned } from '../support/self-signed.js'

const token = 'local-token-for-tests'
const headers = { authorization: `Bearer ${token}` }
const demo: MockServerOptions = { seed: 'demo', accessTokens: { admin: token } }

describe('createMockServer', () => {
  it.each([
    [{ colour: 'red' }, 'Unknown option: colour'],
    [{ controlToken: 'short' }, 'controlToken'],
    [{ baseUrl: 'ci.example' }, 'baseUrl'],
    [{ remote: true }, 'remote'],
    [{ maxListingDepth: 'deep' }, 'maxListingDepth'],
    [{ maxListingDepth: 0 }, 'maxListingDepth: must be at least 1'],
    [{ permittedMutations: ['totpDelete'] }, 'permittedMutations[0]: can never be permitted'],
    [{ trustProxy: ['10.0.0.0/99'] }, 'trustProxy[0]'],
    [{ allowHosts: ['https://ci.example'] }, 'allowHosts[0]'],
    [{ webUrl: 'http://robin:secret@ci.example' }, 'webUrl'],
    [{ seed: 'large:0' }, 'seed'],
    [{ limits: { restBody: -1 } }, 'limits.restBody'],
    [{ lifecycle: { policy: 'timed', speed: 0 } }, 'lifecycle.speed'],
  ])('refuses %j at once', (options, message) => {
    expect(() => createMockServer(options as MockServerOptions)).toThrow(TypeError)
    expect(() => createMockServer(options as MockServerOptions)).toThrow(message)
  })

  it('rejects ready for a seed that does not exist, and lets close go through', async () => {
    const server = createMockServer({ seed: { file: '/nowhere.yaml' } })
    await expect(server.ready()).rejects.toThrow('cannot be read')
    await expect(server.listen()).rejects.toThrow('cannot be read')
    await server.close()
  })

  it('says what fetch takes to who hands it an address', async () => {
    await using server = createMockServer(demo)
    await expect(server.fetch(server.baseUrl as unknown as Request)).rejects.toThrow(
      'fetch takes a Request',
    )
  })

  it('advertises the configured URLs, without trailing slash, whatever it listens on', async () => {
    await using server = createMockServer({
      ...demo,
      baseUrl: 'https://ci.example/',
      webUrl: 'https://ci.example/web',
      authUrl: 'https://ci.example/auth/',
    })
    const { url } = await server.listen()
    expect(server.authUrl).toBe('https://ci.example/auth')
    const answer = await fetch(`${url}/v2/organizations/acme/builds?per_page=1`, { headers })
    expect(answer.headers.get('link')).toContain(
      '<https://ci.example/v2/organizations/acme/builds?page=2&per_page=1>',
    )
    expect(await answer.text()).not.toContain(url)
  })

  it('changes its URLs once, at listen, and listens once', async () => {
    await using server = createMockServer()
    expect(server.baseUrl).toBe('http://mock.localhost')
    const { url, port } = await server.listen()
    expect(server.baseUrl).toBe(url)
    expect(port).toBeGreaterThan(0)
    await expect(server.listen()).rejects.toThrow('listens already')
  })

  it('answers origins of a CORS list, and no other', async () => {
    await using server = createMockServer({ ...demo, cors: ['https://app.example'] })
    const from = async (origin: string) =>
      (
        await server.fetch(
          new Request(`${server.baseUrl}/v2/user`, { headers: { ...headers, origin } }),
        )
      ).headers
    expect((await from('https://app.example')).get('access-control-allow-origin')).toBe(
      'https://app.example',
    )
    expect((await from('https://app.example')).get('vary')).toBe('Origin')
    expect((await from('https://evil.example')).get('access-control-allow-origin')).toBeNull()
    await using closed = createMockServer({ ...demo, cors: false })
    const answer = await closed.fetch(
      new Request(`${closed.baseUrl}/v2/user`, { method: 'OPTIONS' }),
    )
    expect(answer.status).toBe(405)
  })

  it('logs one line per request, without secrets', async () => {
    const lines: object[] = []
    await using server = createMockServer({ ...demo, log: (line) => lines.push(line) })
    await server.fetch(new Request(`${server.baseUrl}/v2/user?access_token=secret-in-query`))
    await server.fetch(new Request(`${server.baseUrl}/v2/user`, { headers }))
    expect(lines).toMatchObject([
      { msg: 'request', operation: 'user.get', status: 401, user: null },
      {
        msg: 'request',
        operation: 'user.get',
        status: 200,
        method: 'GET',
        path: '/v2/user',
        sandbox: 'main',
      },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/secret-in-query|local-token-for-tests/)
  })
})

describe('doors', () => {
  it('dispatcher: npm undici without a socket; other origins fail, or go to the fallback', async () => {
    await using server = createMockServer(demo)
    const dispatcher = server.dispatcher()
    const { statusCode, body } = await undiciRequest(`${server.baseUrl}/v2/user`, {
      dispatcher,
      headers,
    })
    expect(statusCode).toBe(200)
    expect(await body.json()).toMatchObject({ email: expect.stringContaining('@') })
    await expect(undiciRequest('http://elsewhere.example/', { dispatcher })).rejects.toThrow(
      'no fallback',
    )
    await using other = createMockServer()
    const { url } = await other.listen()
    const fallback = new Agent()
    const elsewhere = await undiciRequest(`${url}/v2/user`, {
      dispatcher: server.dispatcher({ fallback }),
    })
    expect(elsewhere.statusCode).toBe(401)
    await elsewhere.body.dump()
    await fallback.close()
  })

  it('dispatcher: an abort ends the call', async () => {
    await using server = createMockServer(demo)
    await server.control.rules.create({
      match: { path: '/v2/user' },
      actions: [{ delayMs: 60_000 }],
    })
    const stop = new AbortController()
    const options = { dispatcher: server.dispatcher(), headers, signal: stop.signal }
    const calling = undiciRequest(`${server.baseUrl}/v2/user`, options)
    stop.abort(new Error('enough'))
    await expect(calling).rejects.toThrow('enough')
  })
})

describe('the port', () => {
  it('closes the newest connection beyond its cap, and serves the others', async () => {
    await using server = createMockServer({ ...demo, seed: 'empty', limits: { connections: 2 } })
    const { port } = await server.listen()
    await server.ready()
    const sockets = [await openRaw(port), await openRaw(port)]
    const third = await openRaw(port)
    expect(await third.answers()).toEqual([])
    for (const socket of sockets) {
      await socket.write('GET /v2/user HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      expect((await socket.answers())[0]?.status).toBe(401)
    }
  })

  it('answers 503 from the bind until it is ready, and says which of both it is', async () => {
    let load: () => void = () => undefined
    const loading = new Promise<void>((resolve) => {
      load = resolve
    })
    const persistence = lowdbMemory()
    const slow = {
      ...persistence,
      async *load() {
        await loading
        yield* persistence.load()
      },
    }
    const clock = new VirtualClock({ now: Date.parse('2026-03-02T09:00:00Z') })
    await using server = createMockServer({ ...demo, persistence: slow, clock })
    const { url } = await server.listen()
    const early = await fetch(`${url}/v2/user`, { headers })
    expect(early.status).toBe(503)
    expect(early.headers.get('retry-after')).toBe('5')
    expect(early.headers.get('date')).toBe('Mon, 02 Mar 2026 09:00:00 GMT')
    expect(early.headers.get('access-control-allow-origin')).toBe('*')
    expect((await fetch(`${url}/_control/health/live`)).status).toBe(200)
    const ready = await fetch(`${url}/_control/health/ready`)
    expect(await ready.json()).toEqual({ ready: false, reason: 'loading' })
    load()
    await server.ready()
    expect((await fetch(`${url}/v2/user`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/_control/health/ready`)).status).toBe(200)
  })

  it('speaks TLS with the certificate that it is given', async () => {
    const { cert, key } = selfSigned()
    await using server = createMockServer(demo)
    const { url } = await server.listen({ tls: { cert, key } })
    expect(url).toMatch(/^https:/)
    const dispatcher = new Agent({ connect: { ca: cert } })
    const { statusCode, body } = await undiciRequest(`${url}/v2/user`, { headers, dispatcher })
    expect(statusCode).toBe(200)
    expect(((await body.json()) as { url?: string; avatar_url: string }).avatar_url).toContain(url)
    await dispatcher.close()
  })
})

describe('shutdown', () => {
  it('takes well below a second with idle, half-sent and slow connections, and leaves no handle', async () => {
    const sockets = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const before = sockets()
    for (let cycle = 0; cycle < 10; cycle++) {
      const server = createMockServer({ ...demo, seed: 'empty' })
      const { port, url } = await server.listen()
      await server.ready()
      await fetch(`${url}/v2/user`)
      const idle = await openRaw(port)
      const half = await openRaw(port)
      await half.write(
        'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nab',
      )
      const closing = systemClock.monotonic()
      await server.close()
      expect(systemClock.monotonic() - closing).toBeLessThan(1_000)
      await server.close()
      await expect(fetch(`${url}/v2/user`)).rejects.toThrow()
      idle.close()
      half.close()
    }
    expect(sockets()).toBeLessThanOrEqual(before)
  })

  it('leaves a server that answers 503 in process, opens no port and makes no sandbox', async () => {
    const server = createMockServer()
    await server.ready()
    await Promise.all([server.close(), server.close()])
    expect((await server.fetch(new Request(`${server.baseUrl}/v2/user`))).status).toBe(503)
    await expect(server.listen()).rejects.toThrow('This server is closed')
    await expect(server.sandbox()).rejects.toThrow('This server is closed')
  })
})
