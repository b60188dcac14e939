import { randomBytes } from 'node:crypto'
import type { CiClient, CiClientOptions, ConnectionError } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { buildPath, client, path, rejection, transports } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { type Answering, build, json, serve, serveSockets } from './support/server.js'

const commit = { ...path, commit: 'HEAD', branch: 'main' }

describe.each(transports)('over %s', (_name, make) => {
  const via = (baseUrl: string): CiClient =>
    client(baseUrl, { transport: make(), clock: new SleeplessClock() })

  test('https to a server that speaks http is unsent, tried once, and says so in few words', async () => {
    const server = await serve((response) => json(response, 200, {}))
    const error = await rejection(via(server.url.replace('http:', 'https:')).builds.create(commit))
    expect(error).toMatchObject({ code: 'connection', sent: 'no', attempts: 1 })
    expect(error.message).toMatch(
      /got no answer: .*wrong version number \(TLS\)\. Perhaps the address is http:/,
    )
    expect(error.message).not.toMatch(/ssl3_record|\ufffd/)
    expect(server.requests).toEqual([])
  })

  test('an unknown host name is in the message', async () => {
    const error = await rejection(via('https://no-such-host.invalid').builds.get(buildPath))
    expect(error).toMatchObject({ code: 'connection', sent: 'no' })
    expect(error.message).toMatch(/getaddrinfo (ENOTFOUND|EAI_AGAIN) no-such-host\.invalid/)
  })

  test('a port that refuses connections is in the message', async () => {
    const server = await serveSockets(() => {})
    const { port } = new URL(server.url)
    const error = await rejection(via(`http://127.0.0.2:${port}`).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'connection', sent: 'no' })
    expect(error.message).toContain(`got no answer: `)
    expect(error.message).toContain(`connect ECONNREFUSED 127.0.0.2:${port}`)
  })

  test('an answer that breaks off is not a whole answer', async () => {
    const server = await serveSockets((socket) => {
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"'))
    })
    const error = await rejection(via(server.url).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'connection', sent: 'unknown' })
    expect(error.message).toContain('got no whole answer: ')
  })

  test('a 204 that claims a length has no body all the same', async () => {
    const server = await serveSockets((socket) => {
      socket.on('data', () =>
        socket.end('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello'),
      )
    })
    expect(await via(server.url).accessToken.revoke()).toBeUndefined()
  })

  test('a 304 may tell the length of what it does not send', async () => {
    const server = await serveSockets((socket) => {
      socket.on('data', () =>
        socket.write('HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n'),
      )
    })
    expect(await rejection(via(server.url).builds.get(buildPath))).toMatchObject({ status: 304 })
  })

  test('a change of protocol that was not asked for is not an answer', async () => {
    const server = await serveSockets((socket) => {
      const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n\r\n'
      socket.on('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}`))
    })
    const error = await rejection(via(server.url).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'connection', sent: 'unknown' })
  })
})

test('every refused address of a name is named', async () => {
  const refused = (address: string): Error =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:4010`), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    })
  const transport = async (): Promise<never> => {
    const both = new AggregateError([refused('::1'), refused('127.0.0.1')])
    throw Object.assign(both, { code: 'ECONNREFUSED' })
  }
  const ci = client('http://localhost:4010', { transport, clock: new SleeplessClock() })
  const error = (await rejection(ci.builds.get(buildPath))) as ConnectionError
  expect(error.message).toContain(
    'connect ECONNREFUSED ::1:4010, connect ECONNREFUSED 127.0.0.1:4010',
  )
  expect(error.sent).toBe('no')
})

test('a certificate of an unknown authority comes with what to do', async () => {
  const transport = async (): Promise<never> => {
    throw Object.assign(new Error('unable to get local issuer certificate'), {
      code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    })
  }
  const error = await rejection(client('https://127.0.0.1:9', { transport }).builds.get(buildPath))
  expect(error).toMatchObject({ sent: 'no', attempts: 1 })
  expect(error.message).toMatch(/NODE_EXTRA_CA_CERTS, or give a dispatcher that trusts it$/)
})

test('causes of causes come to an end', async () => {
  const loop = new Error('round')
  loop.cause = loop
  const transport = async (): Promise<never> => {
    throw loop
  }
  const error = await rejection(
    client('https://127.0.0.1:9', { transport, maxRetries: 0 }).builds.get(buildPath),
  )
  expect(error.message).toMatch(/got no whole answer: round(: round){3}$/)
})

describe('time limits', () => {
  const stall: Answering = () => {}
  const begin: Answering = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  const drip: Answering = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const dripping = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(dripping))
  }
  test.each<[string, Answering, Partial<CiClientOptions>, object]>([
    ['no answer', stall, { timeouts: { headersMs: 60 } }, { kind: 'headers', timeoutMs: 60 }],
    [
      'no answer to an attempt',
      stall,
      { timeouts: { attemptMs: 60 } },
      { kind: 'attempt', timeoutMs: 60 },
    ],
    ['no answer to a call', stall, { timeoutMs: 60 }, { kind: 'total', timeoutMs: 60 }],
    [
      'H6: headers and then a stalled body',
      begin,
      { timeouts: { bodyIdleMs: 60 } },
      { kind: 'body', timeoutMs: 60 },
    ],
    [
      'a body that drips',
      drip,
      { timeouts: { attemptMs: 100, bodyIdleMs: 1_000 } },
      { kind: 'attempt' },
    ],
  ])('%s', async (_, answering, options, expected) => {
    const server = await serve(answering)
    const error = await rejection(
      client(server.url, { maxRetries: 0, ...options }).builds.get(buildPath),
    )
    expect(error).toMatchObject({ code: 'timeout', sent: 'unknown', attempts: 1, ...expected })
  })

  test('a token provider that hangs is ended by the total limit, with nothing sent', async () => {
    const server = await serve((response) => json(response, 200, build(42)))
    const auth = { getToken: () => new Promise<never>(() => {}), invalidate: () => {} }
    const error = await rejection(client(server.url, { auth, timeoutMs: 60 }).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'timeout', kind: 'total', sent: 'no' })
    expect(server.requests).toEqual([])
  })

  test('a transport that ignores its signal does not hold the call', async () => {
    const ci = client('http://127.0.0.1:9', {
      transport: () => new Promise(() => {}),
      timeoutMs: 60,
      maxRetries: 0,
    })
    expect(await rejection(ci.builds.get(buildPath))).toMatchObject({
      code: 'timeout',
      kind: 'total',
    })
  })

  test('a failure above 64 KiB is judged by its status alone', async () => {
    const server = await serve((response) =>
      json(response, 404, { message: randomBytes(60_000).toString('hex') }),
    )
    const error = await rejection(client(server.url).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'not_found' })
    expect(error).not.toHaveProperty('body')
    expect(error.message.length).toBeLessThan(400)
  })

  test('a success above maxBodyBytes is an InvalidResponseError', async () => {
    const server = await serve((response) =>
      json(response, 200, build(42, { message: 'x'.repeat(2_000) })),
    )
    const error = await rejection(client(server.url, { maxBodyBytes: 1_000 }).builds.get(buildPath))
    expect(error).toMatchObject({
      code: 'invalid_response',
      expected: 'at most 1000 bytes after decoding',
    })
  })
})
