import { mkdtemp } from 'node:fs/promises'
import { createServer, request as forward, type Server } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runChild } from './support/child.js'
import { listening } from './support/server.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
/** An environment whose context leads to the same server by a name that only the proxy knows. */
let far: Record<string, string>
let proxy: { server: Server; url: string; asked: string[] }

/** A forward proxy that notes which host and port it was asked for. */
async function startProxy() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '')
    asked.push(url.host)
    const onward = forward(
      `http://127.0.0.1:${url.port}${url.pathname}${url.search}`,
      { method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(onward)
  })
  server.on('connect', (request, socket, head) => {
    asked.push(request.url ?? '')
    const onward = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket)
      socket.pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => onward.destroy() && socket.destroy())
  })
  return { server, asked, url: await listening(server) }
}

beforeAll(async () => {
  proxy = await startProxy()
  const { BUILDWIRE_BASE_URL: _, ...env } = started.env
  far = { ...env, HOME: await mkdtemp(join(tmpdir(), 'ci-proxy-')) }
  const url = `http://ci.example.test:${new URL(started.server.baseUrl).port}`
  for (const words of [
    ['set', 'far', '--base-url', url, '--insecure-http'],
    ['use', 'far'],
  ])
    expect(await runChild(['context', ...words], { env: far })).toMatchObject({ code: 0 })
})
afterAll(() => {
  proxy.server.closeAllConnections()
  proxy.server.close()
})
beforeEach(() => {
  proxy.asked.length = 0
})

const list = (env: Record<string, string>) =>
  runChild(['builds', 'list', '-p', 'acme/web', '-L', '1', '-o', 'id'], {
    env: { ...started.env, ...env },
  })
const listFar = (env: Record<string, string>) =>
  runChild(['builds', 'list', '-p', 'acme/web', '-L', '1', '-o', 'id', '--retries', '0'], {
    env: { ...far, ...env },
  })

describe('a proxy', () => {
  it('of ALL_PROXY carries the requests, but not under NO_PROXY', async () => {
    const env = { ALL_PROXY: proxy.url }
    expect(await listFar(env)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/u) })
    expect(await listFar({ ...env, NO_PROXY: '::1 ,.test' })).toMatchObject({ code: 3 })
    expect(proxy.asked).toEqual([`ci.example.test:${new URL(started.server.baseUrl).port}`])
  })

  it('is not asked for this machine', async () => {
    const env = { HTTP_PROXY: proxy.url, no_proxy: 'other.example' }
    expect(await list(env)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/u) })
    expect(proxy.asked).toEqual([])
  })

  it('of an https authorization server carries a login, though the API is asked over http', async () => {
    const env = {
      ...started.env,
      BUILDWIRE_AUTH_URL: 'https://auth.example.test:1',
      BUILDWIRE_CLIENT_ID: 'ci',
      HTTPS_PROXY: proxy.url,
    }
    const { code, stderr } = await runChild(['auth', 'login', '--insecure-storage'], { env })
    expect(code).toBe(3)
    expect(new Set(proxy.asked)).toEqual(new Set(['auth.example.test:1']))
    expect(stderr).toContain('Error: cannot reach https://auth.example.test:1\n')
    expect(stderr).toContain('HTTPS_PROXY names a proxy for it')
  })

  it('that drops every tunnel is asked once per attempt, and the run ends', async () => {
    let asked = 0
    const rude = createServer().on('connect', (_, socket) => {
      asked += 1
      socket.destroy()
    })
    const HTTPS_PROXY = await listening(rude)
    const env = { ...started.env, BUILDWIRE_BASE_URL: 'https://ci.example.test', HTTPS_PROXY }
    const { code, stderr } = await runChild(['builds', 'list', '--retries', '1'], { env })
    rude.close()
    expect({ code, asked }).toEqual({ code: 3, asked: 2 })
    expect(stderr).toContain('the proxy closed the connection')
  })

  it('that is not there is named, without the password in its address', async () => {
    const { code, stdout, stderr } = await listFar({
      HTTP_PROXY: 'http://u:proxy-secret@127.0.0.1:1',
    })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).toContain('HTTP_PROXY names a proxy for it')
    expect(stderr).not.toContain('Try: ci server start')
    expect(stderr).not.toContain('proxy-secret')
  })
})
