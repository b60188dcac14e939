import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import type { LogStream } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { client, path, rejection, textOf, transports } from './support/client.js'
import { type Answering, serve, serveSockets } from './support/server.js'

const at = { ...path, number: 1, job_id: '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90' }
const encoder = new TextEncoder()

/**
 * Answers a log as servers of this kind do: by range, with everything and its length, or with
 * everything in chunks.
 */
function logServer(log: Uint8Array, kind: 'ranges' | 'length' | 'chunks'): Answering {
  return (response, { headers }) => {
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    if (kind === 'chunks') {
      response.write(log.subarray(0, 3))
      return void response.end(log.subarray(3))
    }
    const wanted = /^bytes=(\d*)-(\d*)$/.exec(kind === 'ranges' ? (headers.range ?? '') : '')
    if (wanted === null)
      return void response.writeHead(200, { 'content-length': log.length }).end(log)
    const start = wanted[1] === '' ? Math.max(0, log.length - Number(wanted[2])) : Number(wanted[1])
    if (start >= log.length)
      return void response.writeHead(416, { 'content-range': `bytes */${log.length}` }).end()
    response
      .writeHead(206, { 'content-range': `bytes ${start}-${log.length - 1}/${log.length}` })
      .end(log.subarray(start))
  }
}

describe.each(transports)('over %s', (_, make) => {
  test('a log that is read slowly waits in the network, and leaving it closes its connection', async () => {
    const part = new Uint8Array(65_536)
    let sent = 0
    let closed: Promise<unknown> = Promise.resolve()
    const server = await serve(async (response, { headers }) => {
      expect(headers['accept-encoding']).toBe('identity')
      closed = once(response, 'close')
      response.writeHead(200, { 'content-type': 'text/plain' })
      for (; sent < 4_000 && !response.destroyed; sent++) {
        if (!response.write(part)) await Promise.race([once(response, 'drain'), closed])
      }
    })
    const ci = client(server.url, { transport: make() })
    const stream = await ci.jobs.logStream(at)
    let read = 0
    for await (const { byteLength } of stream) {
      read += byteLength
      if (read < 1_000_000) continue
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
      break
    }
    await closed
    expect(sent).toBeLessThan(1_000)
    expect(await rejection(textOf(stream))).toMatchObject({ code: 'config', option: 'stream' })
  })

  test('a log is read at the raw_log_url of a record on the origin of baseUrl only', async () => {
    const paths: unknown[] = []
    const server = await serve((response, { url }) => {
      paths.push(url)
      response.writeHead(200, { 'content-type': 'text/plain' }).end('log')
    })
    const ci = client(server.url, { transport: make() })
    const { port } = new URL(server.url)
    for (const raw_log_url of [
      `${server.url}/raw/7.txt?v=2#end`,
      'https://files.ci.example/7.txt',
      `http://user:secret@127.0.0.1:${port}/7.txt`,
      'no address',
      null,
    ])
      expect(await textOf(await ci.jobs.logStream(at, { raw_log_url }))).toBe('log')
    const tail = await ci.jobs.logTail(at, { raw_log_url: `${server.url}/raw/8.txt` })
    expect(tail.text).toBe('log')
    const built = expect.stringMatching(/\/log\.txt$/u)
    expect(paths).toEqual(['/raw/7.txt?v=2', built, built, built, built, '/raw/8.txt'])
  })

  test('an abort in the middle ends the loop with its reason, and the connection', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const server = await serve((response) => {
      closed = once(response, 'close')
      response.writeHead(200, { 'content-type': 'text/plain' }).write('begun')
    })
    const controller = new AbortController()
    const ci = client(server.url, { transport: make() })
    const stream = await ci.jobs.logStream(at, { signal: controller.signal })
    const reason = new Error('left')
    const reading = (async () => {
      for await (const part of stream)
        controller.abort(Object.assign(reason, { read: part.byteLength }))
    })()
    await expect(reading).rejects.toBe(reason)
    await closed
  })

  test('a body that breaks off or falls silent is a typed error; so is one in an encoding that was not asked for', async () => {
    const broken = await serveSockets((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\nabc')
        setImmediate(() => socket.destroy())
      })
    })
    const lost = await client(broken.url, { transport: make(), maxRetries: 0 }).jobs.logStream(at)
    expect(await rejection(textOf(lost))).toMatchObject({
      code: 'connection',
      operationId: 'jobs.logText',
    })

    const silent = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('abc')
    })
    const quiet = client(silent.url, {
      transport: make(),
      timeouts: { bodyIdleMs: 50, attemptMs: 10_000 },
    })
    const error = await rejection(textOf(await quiet.jobs.logStream(at)))
    expect(error).toMatchObject({ code: 'timeout', kind: 'body', timeoutMs: 50 })

    const packed = await serve((response) => {
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
        .end(gzipSync('packed'))
    })
    const stream = await client(packed.url, { transport: make() }).jobs.logStream(at)
    expect([stream.size, await textOf(stream)]).toEqual([null, 'packed'])
  })

  test('a stream that is not read closes its connection and says why', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const server = await serve((response) => {
      closed = once(response, 'close')
      response.writeHead(200, { 'content-type': 'text/plain' }).write('abc')
    })
    const ci = client(server.url, { transport: make(), timeouts: { bodyIdleMs: 50 } })
    for (const from of [0, 2]) {
      const forgotten = await ci.jobs.logStream(at, { from })
      await closed
      const error = await rejection(textOf(forgotten))
      expect(error).toMatchObject({ code: 'config', option: 'stream' })
      const canceled = await client(server.url, { transport: make() }).jobs.logStream(at, { from })
      canceled.cancel()
      await closed
      expect(await rejection(textOf(canceled))).toMatchObject({ code: 'config', option: 'stream' })
      const left = await client(server.url, { transport: make() }).jobs.logStream(at, { from })
      for await (const part of left) {
        expect(new TextDecoder().decode(part)).toBe('abc'.slice(from))
        break
      }
      await closed
    }
  })

  test('limits of attempt and call end with the headers', async () => {
    let finish = (): void => {}
    const server = await serve((response, _seen, index) => {
      if (index > 0) return
      response.writeHead(200, { 'content-type': 'text/plain' }).write('a')
      finish = () => void response.end('b')
    })
    const ci = client(server.url, {
      transport: make(),
      timeouts: { attemptMs: 300 },
      maxRetries: 0,
    })
    const stream = await ci.jobs.logStream(at, { timeoutMs: 300 })
    const parts: string[] = []
    for await (const part of stream) {
      parts.push(new TextDecoder().decode(part))
      if (parts.length > 1) continue
      // Once the same limits have ended a later call, they are over for this one.
      expect(await rejection(ci.jobs.logText(at, { timeoutMs: 300 }))).toMatchObject({
        code: 'timeout',
      })
      finish()
    }
    expect(parts.join('')).toBe('ab')
  })
})

describe.each(['ranges', 'length', 'chunks'] as const)('a server that answers by %s', (kind) => {
  const log = encoder.encode('0123456789äöü')
  const size = kind === 'chunks' ? null : log.length

  test('gives the part that is asked for, and says where it stands', async () => {
    const server = await serve(logServer(log, kind))
    const ci = client(server.url)
    const seen = async (stream: LogStream) => [
      stream.offset,
      stream.size,
      stream.partial,
      await textOf(stream),
    ]
    const partial = kind === 'ranges'
    expect(await seen(await ci.jobs.logStream(at))).toEqual([0, size, false, '0123456789äöü'])
    expect(await seen(await ci.jobs.logStream(at, { from: 8 }))).toEqual([
      8,
      size,
      partial,
      '89äöü',
    ])
    expect(await seen(await ci.jobs.logStream(at, { last: 5 }))).toEqual([
      11,
      16,
      partial,
      '\ufffdöü',
    ])
    expect(await seen(await ci.jobs.logStream(at, { last: 500 }))).toEqual([
      0,
      16,
      partial,
      '0123456789äöü',
    ])
    expect(await seen(await ci.jobs.logStream(at, { from: 16 }))).toEqual([16, size, partial, ''])
    expect(await seen(await ci.jobs.logStream(at, { from: 20 }))).toEqual([16, 16, partial, ''])
  })

  test('gives a tail that begins with a whole character', async () => {
    const server = await serve(logServer(log, kind))
    const ci = client(server.url)
    expect(await ci.jobs.logTail(at, { bytes: 5 })).toEqual({ text: 'öü', offset: 12, size: 16 })
    expect(await ci.jobs.logTail(at)).toEqual({ text: '0123456789äöü', offset: 0, size: 16 })
    const empty = await serve(logServer(new Uint8Array(), kind))
    expect(await client(empty.url).jobs.logTail(at)).toEqual({ text: '', offset: 0, size: 0 })
  })
})

test('a tail takes no longer than a call may', async () => {
  const server = await serve(
    (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('a'),
  )
  const error = await rejection(client(server.url).jobs.logTail(at, { timeoutMs: 100 }))
  expect(error).toMatchObject({ code: 'timeout', kind: 'total', timeoutMs: 100 })
})

test('a page, or a part that was not asked for, is not a log', async () => {
  const server = await serve((response, _seen, index) => {
    if (index === 0) return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    response
      .writeHead(206, { 'content-type': 'text/plain', 'content-range': 'bytes 0-2/9' })
      .end('abc')
  })
  const ci = client(server.url)
  expect(await rejection(ci.jobs.logStream(at))).toMatchObject({
    code: 'invalid_response',
    got: 'text/html',
  })
  expect(await rejection(ci.jobs.logStream(at, { from: 4 }))).toMatchObject({
    code: 'invalid_response',
  })
  expect(await rejection(ci.jobs.logStream(at, { from: 1, last: 1 }))).toMatchObject({
    code: 'config',
  })
  expect(server.requests).toHaveLength(2)
})
