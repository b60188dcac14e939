import { randomBytes } from 'node:crypto'
import type { CiClientOptions } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { client, path, rejection } from './support/client.js'
import { build, json, serve } from './support/server.js'

const buildPath = { ...path, number: 42 }

describe('time limits', () => {
  const stalled: ReadonlyArray<[string, Partial<CiClientOptions>, object]> = [
    ['headers', { timeouts: { headersMs: 60 } }, { kind: 'headers', timeoutMs: 60 }],
    ['attempt', { timeouts: { attemptMs: 60 } }, { kind: 'attempt', timeoutMs: 60 }],
    ['total', { timeoutMs: 60 }, { kind: 'total', timeoutMs: 60 }],
  ]

  test.each(stalled)('%s', async (_, options, expected) => {
    const server = await serve(() => {})
    const error = await rejection(client(server.url, { maxRetries: 0, ...options }).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'timeout', sent: 'unknown', attempts: 1, ...expected })
  })

  test('H6: headers and then a stalled body are a TimeoutError of kind body', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"id":')
    })
    const ci = client(server.url, { timeouts: { bodyIdleMs: 60 }, maxRetries: 0 })
    const error = await rejection(ci.builds.get(buildPath))
    expect(error).toMatchObject({ code: 'timeout', kind: 'body', timeoutMs: 60, sent: 'unknown' })
  })

  test('a body that drips is ended by the attempt limit', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(drip))
    })
    const options = { timeouts: { attemptMs: 100, bodyIdleMs: 1_000 }, maxRetries: 0 }
    expect(await rejection(client(server.url, options).builds.get(buildPath))).toMatchObject({ kind: 'attempt' })
  })

  test('a token provider that hangs is ended by the total limit, with nothing sent', async () => {
    const server = await serve((response) => json(response, 200, build(42)))
    const auth = { getToken: () => new Promise<never>(() => {}), invalidate: () => {} }
    const error = await rejection(client(server.url, { auth, timeoutMs: 60 }).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'timeout', kind: 'total', sent: 'no' })
    expect(server.requests).toEqual([])
  })

  test('a transport that ignores its signal does not hold the call', async () => {
    const ci = client('http://127.0.0.1:9', { transport: () => new Promise(() => {}), timeoutMs: 60, maxRetries: 0 })
    expect(await rejection(ci.builds.get(buildPath))).toMatchObject({ code: 'timeout', kind: 'total' })
  })

  test('a failure above 64 KiB is judged by its status alone', async () => {
    const server = await serve((response) => json(response, 404, { message: randomBytes(60_000).toString('hex') }))
    const error = await rejection(client(server.url).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'not_found' })
    expect(error).not.toHaveProperty('body')
    expect(error.message.length).toBeLessThan(400)
  })

  test('a success above maxBodyBytes is an InvalidResponseError', async () => {
    const server = await serve((response) => json(response, 200, build(42, { message: 'x'.repeat(2_000) })))
    const error = await rejection(client(server.url, { maxBodyBytes: 1_000 }).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'invalid_response', expected: 'at most 1000 bytes after decoding' })
  })
})
