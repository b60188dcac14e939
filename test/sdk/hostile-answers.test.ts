import type { OutgoingHttpHeaders } from 'node:http'
import { type CiClient, requestDeviceAuthorization } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { buildPath, canary, client, rejection, transports } from './support/client.js'
import { build, json, serve, serveSockets } from './support/server.js'

const job = { ...buildPath, job_id: 'j1' }
const readFirst = async (ci: CiClient): Promise<unknown> =>
  (await ci.jobs.logStream(job))[Symbol.asyncIterator]().next()
const login = { client_id: 'terminal', scope: 'read_builds' }

test.each([
  ['[', ']'],
  ['{"a":', '}'],
])('a failure of 10 000 times %s is the typed error, and can be printed', async (open, close) => {
  const server = await serve((response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(`${open.repeat(10_000)}1${close.repeat(10_000)}`)
  })
  const error = await rejection(client(server.url).builds.get(buildPath))
  expect(error).toMatchObject({ code: 'bad_request', status: 400 })
  expect(JSON.stringify({ ...error }).length).toBeLessThan(2_000)
})

describe.each(transports)('over %s', (_, transport) => {
  test('a header of raw UTF-8 comes through as the bytes it was, and no header breaks the others', async () => {
    const body = JSON.stringify(build(42))
    const server = await serveSockets((socket) => {
      socket.once('data', () => {
        const head = `HTTP/1.1 200 OK\r\nX-User: Åsa 😀\r\nX-Request-Id: r1\r\nContent-Length: ${body.length}\r\n\r\n`
        socket.end(head + body)
      })
    })
    const { response } = await client(server.url, { transport: transport() })
      .builds.get(buildPath)
      .withResponse()
    expect(Buffer.from(response.headers.get('x-user') ?? '', 'latin1').toString()).toBe('Åsa 😀')
    expect(response.headers.get('x-request-id')).toBe('r1')
  })

  test('a content type that drives a terminal is made harmless', async () => {
    const server = await serveSockets((socket) => {
      socket.once('data', () => {
        socket.end(
          Buffer.from(
            'HTTP/1.1 200 OK\r\nContent-Type: text/\x9b31m\r\nContent-Length: 2\r\n\r\nhi',
            'latin1',
          ),
        )
      })
    })
    const error = await rejection(
      client(server.url, { transport: transport() }).builds.get(buildPath),
    )
    expect(error).toMatchObject({ code: 'invalid_response', got: 'a body of type text/?31m' })
    expect(error.message).not.toMatch(/\p{Cc}/u)
  })
})

test.each<
  [string, OutgoingHttpHeaders, string, (ci: CiClient, authUrl: string) => PromiseLike<unknown>]
>([
  [
    'a Link that cannot be read',
    { link: 'next page: 2' },
    '[]',
    (ci) => ci.builds.list().toArray(),
  ],
  [
    'a next link that is not a URL',
    { link: '<http://[>; rel=next' },
    '[]',
    (ci) => ci.builds.list().toArray(),
  ],
  ['no list', {}, '{}', (ci) => ci.builds.list()],
  ['no JSON', {}, '<html>', (ci) => ci.builds.get(buildPath)],
  ['a body above maxBodyBytes', {}, `"${'a'.repeat(1_000)}"`, (ci) => ci.builds.get(buildPath)],
  ['an encoding of its own', { 'content-encoding': 'br' }, 'a', (ci) => ci.builds.get(buildPath)],
  ['a stream in it', { 'content-encoding': 'gzip' }, 'a', readFirst],
  [
    'an address to avoid',
    {},
    '{"url":"ftp://a.example/"}',
    (ci) => ci.artifacts.content({ ...job, artifact_id: 'a' }),
  ],
  ['no device code', {}, '{}', (_, authUrl) => requestDeviceAuthorization(login, { authUrl })],
])('what cannot be read says which answer it was: %s', async (what, headers, body, ask) => {
  const server = await serve((response) => {
    const status = what === 'an address to avoid' ? 302 : 200
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers, 'x-request-id': 'r-7' })
      .end(body)
  })
  const ci = client(server.url, { maxBodyBytes: 1_000 })
  const error = await rejection(ask(ci, server.url))
  expect(error).toMatchObject({
    code: 'invalid_response',
    requestId: 'r-7',
    operationId: expect.any(String),
  })
  expect(error).toHaveProperty('status', what === 'an address to avoid' ? 302 : 200)
})

test('a token that the server repeats in its headers is in no error and no event', async () => {
  const headers = { 'x-request-id': `r-${canary}`, 'x-oauth-scopes': canary }
  const server = await serve((response) => json(response, 403, { message: 'no' }, headers))
  const events: unknown[] = []
  const error = await rejection(
    client(server.url, { onEvent: (event) => void events.push(event) }).builds.get(buildPath),
  )
  expect(JSON.stringify([error, { ...error }, events])).not.toContain(canary)
  expect(error).toMatchObject({ requestId: 'r-[redacted]', grantedScopes: ['[redacted]'] })
})

test.each<[string, OutgoingHttpHeaders, string]>([
  ['no JSON', {}, '<html>'],
  ['no list', {}, '{}'],
  ['a Link that cannot be read', { link: 'next page: 2' }, '[]'],
])('nor in the error of an answer that is %s', async (_, headers, body) => {
  const id = { 'content-type': 'application/json', 'x-request-id': `r-${canary}` }
  const server = await serve(
    (response) => void response.writeHead(200, { ...id, ...headers }).end(body),
  )
  expect(await rejection(client(server.url).builds.list().toArray())).toMatchObject({
    requestId: 'r-[redacted]',
  })
})

test('a provider that answers at once instead of with a promise works', async () => {
  const server = await serve((response) => json(response, 200, build(42)))
  const auth = { getToken: () => ({ value: 'plain', expiresAt: null }), invalidate: () => {} }
  await client(server.url, { auth: auth as never }).builds.get(buildPath)
  expect(server.requests[0]?.headers.authorization).toBe('Bearer plain')
})
