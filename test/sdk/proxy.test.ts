import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { proxyFor, proxyTransport } from '@buildwire/sdk/node-http'
import { expect, onTestFinished, test } from 'vitest'
import { client, path } from './support/client.js'
import { build } from './support/server.js'

const proxy = 'http://proxy.example:3128'
const through = (url: string, no_proxy: string): boolean =>
  proxyFor(url, { all_proxy: proxy, no_proxy }) !== null

// As curl 8 decides, but for `*` in a list, which it takes for a name.
test.each<[string, string, boolean]>([
  ['https://api.ci.example', '', true],
  ['https://api.ci.example', '*', false],
  ['https://api.ci.example', ' * ', false],
  ['https://api.ci.example', 'a,*', false],
  ['https://api.ci.example', 'ci.example', false],
  ['https://api.ci.example', '.ci.example', false],
  ['https://api.ci.example', '*.ci.example', false],
  ['https://api.ci.example', 'API.CI.EXAMPLE.', false],
  ['https://api.ci.example', 'other.example  ci.example', false],
  ['https://api.ci.example', 'i.example', true],
  ['https://api.ci.example', 'api.ci.example:443', false],
  ['https://api.ci.example', 'api.ci.example:8443', true],
  ['http://10.1.2.3', '10.0.0.0/8', false],
  ['http://10.1.2.3', '10.2.0.0/16,10.1.2', true],
  ['http://10.1.2.3', '10.0.0.0/99,10.0.0.0/x', true],
  ['http://[fd00::1]:4010', 'fd00::1', false],
  ['http://[fd00::1]:4010', '[fd00::1]:4010', false],
  ['http://[fd00::1]:4010', 'fd00::/8', false],
  ['http://[fd00::1]:4010', '::1', true],
  ['http://127.0.0.1:4010', '', false],
  ['http://[::1]:4010', '', false],
  ['http://localhost:4010', '', false],
])('the way to %s under NO_PROXY=%j goes through the proxy: %s', (url, list, expected) => {
  expect(through(url, list)).toBe(expected)
})

test('the variable of the scheme wins, in small letters first, and an address needs no scheme', () => {
  const env = {
    ALL_PROXY: 'socks5://all.example',
    HTTPS_PROXY: 'up.example:1',
    https_proxy: '',
    http_proxy: proxy,
  }
  expect(proxyFor('https://api.ci.example', env)).toEqual({
    url: 'http://up.example:1',
    variable: 'HTTPS_PROXY',
  })
  expect(proxyFor('http://api.ci.example', env)).toEqual({ url: proxy, variable: 'http_proxy' })
  expect(proxyFor('http://api.ci.example', { ALL_PROXY: 'socks5://all.example' })?.url).toBe(
    'socks5://all.example',
  )
  expect(proxyFor('http://api.ci.example', { http_proxy: '' })).toBeNull()
})

test('each request goes its own way, and close ends both', async () => {
  const asked: string[] = []
  const answer = (request: IncomingMessage, write: (text: string) => void): void => {
    asked.push(`${request.headers.host} ${request.url}`)
    write(JSON.stringify(build(42)))
  }
  const server = createServer((request, response) => answer(request, (text) => response.end(text)))
  server.on('connect', (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    server.emit('connection', socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const here = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const transport = proxyTransport({ http_proxy: here })
  const get = (baseUrl: string) =>
    client(baseUrl, { transport, allowInsecure: true }).builds.get({ ...path, number: 42 })
  for (const baseUrl of [`http://${here}`, 'http://api.ci.example'])
    expect(await get(baseUrl)).toMatchObject({ number: 42 })
  const target = '/v2/organizations/acme/pipelines/web/builds/42'
  expect(asked[0]).toBe(`${here} ${target}`)
  expect(asked.slice(1).join()).toContain('api.ci.example')
  await transport.close()
})
