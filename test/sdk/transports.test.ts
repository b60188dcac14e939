import { getEventListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import {
  fetchTransport,
  type Transport,
  type TransportRequest,
  undiciTransport,
} from '@buildwire/sdk'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { describe, expect, test } from 'vitest'
import { Cancellation } from '../../sdk/src/transport/cancellation.js'
import { signalled } from './support/client.js'
import { serve } from './support/server.js'

const limit = 1_000_000

function request(url: string, more: Partial<TransportRequest> = {}): TransportRequest {
  return {
    method: 'GET',
    url,
    headers: { accept: 'application/json', 'accept-encoding': 'gzip' },
    freshConnection: false,
    headersTimeoutMs: 5_000,
    bodyIdleTimeoutMs: 5_000,
    ...more,
  }
}

/** What the pipeline gives a transport, with a look at what it leaves behind. */
function control() {
  const listeners = new Set<() => void>()
  const controller = new AbortController()
  return {
    get signal() {
      return controller.signal
    },
    onCancel(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    cancel(reason: unknown = new Error('left')) {
      controller.abort(reason)
      for (const listener of [...listeners]) listener()
    },
    left: () => listeners.size + getEventListeners(controller.signal, 'abort').length,
  }
}

/** A server whose answer is begun, and the end of its connection. */
async function beginning(begin: (response: ServerResponse) => void) {
  const closed = signalled()
  const { url } = await serve((response) => {
    response.on('close', closed.fire)
    begin(response)
  })
  return { url, closed: closed.done }
}

const transports: Readonly<
  Record<string, () => { transport: Transport; close?: () => Promise<void> }>
> = {
  undici: () => {
    const transport = undiciTransport({ connectTimeoutMs: 2_000 })
    return { transport, close: () => transport.close() }
  },
  fetch: () => ({ transport: fetchTransport() }),
  'node:http': () => {
    const transport = nodeTransport({ connectTimeoutMs: 2_000 })
    return { transport, close: () => transport.close() }
  },
}

describe.each(Object.entries(transports))('the transport over %s', (name, make) => {
  const { transport } = make()

  test('sends method, path, query, headers and body as given, and reads status and headers', async () => {
    const server = await serve((response) => {
      response.writeHead(201, {
        'X-Request-Id': 'r-1',
        Link: ['<a>; rel="next"', '<b>; rel="last"'],
      })
      response.end('{"ok":"ä"}')
    })
    const url = `${server.url}/v2/x?branch[]=a%2Bb&branch[]=c`
    const response = await transport(
      request(url, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-a': 'b' },
        body: '{"n":"ü"}',
      }),
      control(),
    )
    expect(response.status).toBe(201)
    expect(response.header('x-request-id')).toBe('r-1')
    expect(response.header('link')).toBe('<a>; rel="next", <b>; rel="last"')
    expect(response.header('retry-after')).toBeUndefined()
    expect(new Headers([...response.entries()]).get('x-request-id')).toBe('r-1')
    expect(await response.text(limit)).toBe('{"ok":"ä"}')
    expect(server.requests).toMatchObject([
      {
        method: 'PUT',
        url: '/v2/x?branch[]=a%2Bb&branch[]=c',
        body: '{"n":"ü"}',
        headers: { 'x-a': 'b' },
      },
    ])
  })

  test('returns failures and redirects as they are, and follows none', async () => {
    const server = await serve(
      (response) => void response.writeHead(307, { location: '/elsewhere' }).end('moved'),
    )
    const response = await transport(request(server.url), control())
    expect(response.status).toBe(307)
    expect(await response.text(limit)).toBe('moved')
    expect(server.requests).toHaveLength(1)
  })

  test('decodes one layer of gzip', async () => {
    const server = await serve(
      (response) =>
        void response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync('{"packed":true}')),
    )
    const response = await transport(request(server.url), control())
    expect(await response.text(limit)).toBe('{"packed":true}')
    expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip')
  })

  test('answers a HEAD that names an encoding and a length with no body', async () => {
    const server = await serve(
      (response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '20' }).end(),
    )
    const response = await transport(request(server.url, { method: 'HEAD' }), control())
    expect(await response.text(limit)).toBe('')
  })

  test('reads past early hints, and a large body that it begins to read late', async () => {
    const body = 'x'.repeat(5_000_000)
    const server = await serve((response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(200, { 'x-request-id': 'r-1' })
      response.end(body)
    })
    const watched = control()
    const response = await transport(request(server.url), watched)
    expect(response.status).toBe(200)
    expect(response.header('link')).toBeUndefined()
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(await response.text(6_000_000)).toBe(body)
    expect(watched.left()).toBe(0)
  })

  test.each([1, 900_000])('gives bytes of one kind, in one part or in many: %d', async (length) => {
    const server = await serve((response) => void response.end('x'.repeat(length)))
    const bytes = await (await transport(request(server.url), control())).bytes(limit)
    expect([bytes.length, Buffer.isBuffer(bytes)]).toEqual([length, name !== 'fetch'])
  })

  test('sends nothing when it is canceled already', async () => {
    const server = await serve((response) => void response.end())
    const canceled = new Cancellation()
    canceled.cancel(new Error('left'))
    await expect(transport(request(server.url), canceled)).rejects.toThrow()
    expect(server.requests).toEqual([])
  })

  test('refuses a gzip that is none', async () => {
    const server = await serve(
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
    )
    const response = await transport(request(server.url), control())
    await expect(response.text(limit)).rejects.toThrow()
  })

  test('refuses an encoding that was not asked for; fetch decodes what it can before anybody is asked', async () => {
    const server = await serve(
      (response) =>
        void response
          .writeHead(200, { 'content-encoding': 'gzip, gzip' })
          .end(gzipSync(gzipSync('{}'))),
    )
    const response = await transport(request(server.url), control())
    if (name === 'fetch') expect(await response.text(limit)).toBe('{}')
    else await expect(response.text(limit)).rejects.toMatchObject({ name: 'BodyEncodingError' })
  })

  test.each([
    ['with a length', { 'content-length': '2000' }],
    ['without a length', {}],
  ])('stops reading above the limit, %s', async (_, headers) => {
    const { url, closed } = await beginning((response) =>
      response.writeHead(200, headers).end('x'.repeat(2_000)),
    )
    const watched = control()
    const response = await transport(request(url), watched)
    await expect(response.text(1_999)).rejects.toMatchObject({
      name: 'BodyTooLargeError',
      maxBytes: 1_999,
    })
    await closed
    expect(watched.left()).toBe(0)
  })

  test('counts decoded bytes', async () => {
    const server = await serve(
      (response) =>
        void response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync('x'.repeat(100_000))),
    )
    const response = await transport(request(server.url), control())
    await expect(response.text(50_000)).rejects.toMatchObject({ name: 'BodyTooLargeError' })
  })

  test('leaves a server that never answers, after its time', async () => {
    const server = await serve(() => {})
    const watched = control()
    await expect(
      transport(request(server.url, { headersTimeoutMs: 50 }), watched),
    ).rejects.toSatisfy(
      (error: { kind?: string; code?: string }) =>
        error.kind === 'headers' || error.code === 'UND_ERR_HEADERS_TIMEOUT',
    )
    expect(watched.left()).toBe(0)
  })

  test('leaves a body that goes silent, after its time', async () => {
    const server = await serve((response) => void response.write('{"half":'))
    const watched = control()
    const response = await transport(request(server.url, { bodyIdleTimeoutMs: 50 }), watched)
    await expect(response.text(limit)).rejects.toSatisfy(
      (error: { kind?: string; code?: string }) =>
        error.kind === 'body' || error.code === 'UND_ERR_BODY_TIMEOUT',
    )
    expect(watched.left()).toBe(0)
  })

  test('ends the connection when it is canceled in the middle of a body', async () => {
    const { url, closed } = await beginning((response) => response.write('{"half":'))
    const watched = control()
    const response = await transport(request(url), watched)
    const body = response.text(limit)
    watched.cancel()
    await expect(body).rejects.toThrow()
    await closed
    expect(watched.left()).toBe(0)
  })

  test('ends the connection of an answer that is not read', async () => {
    const { url, closed } = await beginning((response) => response.write('x'.repeat(100_000)))
    const watched = control()
    const response = await transport(request(url), watched)
    await response.discard()
    await closed
    expect(watched.left()).toBe(0)
  })

  test('keeps connections, and opens one for a request that asks for it', async () => {
    const server = await serve((response) => void response.end('{}'))
    const own = make()
    const get = async (freshConnection: boolean): Promise<void> => {
      const response = await own.transport(request(server.url, { freshConnection }), control())
      await response.text(limit)
    }
    for (let n = 0; n < 10; n++) await get(false)
    const kept = server.connections()
    expect(kept).toBeLessThan(5)
    await get(true)
    // fetch pools as it likes: its page says so.
    if (name !== 'fetch') {
      expect(server.requests.at(-1)).toMatchObject({
        connection: kept + 1,
        headers: { connection: 'close' },
      })
    }
    await own.close?.()
  })
})
