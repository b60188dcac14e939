import { fetchTransport, type Transport } from '@buildwire/sdk'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { describe, expect, test } from 'vitest'
import { canary, client, path, rejection } from './support/client.js'
import { build, json, serve, serveSockets } from './support/server.js'

const buildPath = { ...path, number: 42 }

const transports: readonly [string, () => Transport | undefined][] = [
  ['undici', () => undefined],
  ['node:http', () => nodeTransport()],
  ['fetch', () => fetchTransport()],
]

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
    const { response } = await client(server.url, { transport: transport() }).builds.get(buildPath).withResponse()
    expect(Buffer.from(response.headers.get('x-user') ?? '', 'latin1').toString()).toBe('Åsa 😀')
    expect(response.headers.get('x-request-id')).toBe('r1')
  })

  test('a content type that drives a terminal is made harmless', async () => {
    const server = await serveSockets((socket) => {
      socket.once('data', () => {
        socket.end(
          Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/\x9b31m\r\nContent-Length: 2\r\n\r\nhi', 'latin1'),
        )
      })
    })
    const error = await rejection(client(server.url, { transport: transport() }).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'invalid_response', got: 'a body of type text/?31m' })
    expect(error.message).not.toMatch(/\p{Cc}/u)
  })
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

test('a provider that answers at once instead of with a promise works', async () => {
  const server = await serve((response) => json(response, 200, build(42)))
  const auth = { getToken: () => ({ value: 'plain', expiresAt: null }), invalidate: () => {} }
  await client(server.url, { auth: auth as never }).builds.get(buildPath)
  expect(server.requests[0]?.headers.authorization).toBe('Bearer plain')
})
