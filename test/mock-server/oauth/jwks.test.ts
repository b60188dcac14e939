import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { ecKey, type TestKey } from './assertions.js'
import {
  expectBadSignature,
  expectIdentical,
  expectTokens,
  type OAuthServer,
  startServer,
  test,
} from './harness.js'
import { type Answering, Origin, registerOrigin, says, serve } from './origin.js'
import { weakKeys } from './weak-keys.js'

const key = ecKey('remote-1')
const next = ecKey('remote-2')

const exchange = (s: OAuthServer, signer: TestKey = key, header = {}, client_id = 'remote') =>
  s.exchange(s.assertion({ iss: client_id, sub: client_id }, signer, header))

describe('JWKS by URI', () => {
  test.each([301, 302, 303, 307, 308])('JW2 redirect %i is not followed', async (status) => {
    await using s = await startServer()
    await using target = await Origin.serving([key.jwk])
    await using origin = await Origin.answering(
      says(JSON.stringify({ keys: [key.jwk] }), status, { Location: target.url }),
    )
    await registerOrigin(s, origin.url)
    expectBadSignature(await exchange(s))
    expect([origin.requests.length, target.requests.length]).toEqual([1, 0])
    s.expectLive(0)
  })

  test.each(['hanging', 'hanging body', 'dripping'])(
    'JW3 %s: the time limit applies, and other requests are served',
    async (kind) => {
      await using s = await startServer({ jwksTimeoutMs: 1000 })
      await using origin = await Origin.answering((_request, response) => {
        if (kind === 'hanging') return
        response.writeHead(200)
        const drip = () => response.write(' ')
        drip()
        if (kind === 'dripping') {
          const timer = setInterval(drip, 20)
          response.on('close', () => clearInterval(timer))
        }
      })
      await registerOrigin(s, origin.url)
      const started = performance.now()
      const order: string[] = []
      const waiting = exchange(s).finally(() => order.push('waiting'))
      expectTokens(await s.exchange().finally(() => order.push('other')))
      expectBadSignature(await waiting)
      expect(order).toEqual(['other', 'waiting'])
      const took = performance.now() - started
      expect(took).toBeGreaterThan(950)
      expect(took).toBeLessThan(10_000)
      s.expectLive(1)
    },
  )

  const padding = { ...key.jwk, padding: 'x'.repeat(65_536) }
  const own = JSON.stringify({ keys: [key.jwk] })
  const gzip = { 'Content-Encoding': 'gzip' }
  const wrong: Readonly<Record<string, Answering>> = {
    'over 64 KiB': serve([padding]),
    'a compressed body': says(gzipSync(own), 200, gzip),
    'a gzip bomb': says(gzipSync(Buffer.alloc(20_000_000)), 200, gzip),
    'status 500': says(own, 500),
    'status 203': says(own, 203),
    'status 204': says('', 204),
    'status 999': says(own, 999),
    HTML: says('<!doctype html><title>Not found</title>'),
    '{}': says('{}'),
    'keys an object': says('{"keys":{}}'),
    'an array': says(JSON.stringify([key.jwk])),
    null: says('null'),
    'nothing at all': says(''),
    'an empty set': serve([]),
    '101 keys': serve([
      key.jwk,
      ...Array.from({ length: 100 }, (_, n) => ({ kty: 'OKP', kid: `k${n}` })),
    ]),
    '10 000 keys': serve(Array.from({ length: 10_000 }, () => ({}))),
    'bad UTF-8': says(Buffer.from([0x7b, 0xff, 0x7d])),
    'a reset': (_request, response) => void response.socket?.resetAndDestroy(),
    'a body cut short': (_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('{"keys":[')
      response.socket?.end()
    },
    'a header that is none': (_request, response) => void response.socket?.end('nonsense\r\n\r\n'),
  }
  test.each(Object.keys(wrong))('JW4 %s is a failed fetch', async (name) => {
    await using s = await startServer({ jwksTimeoutMs: 1000 })
    await using origin = await Origin.answering(wrong[name] ?? serve([]))
    await registerOrigin(s, origin.url)
    expectIdentical([await exchange(s), await s.exchange(s.assertion({}, key, { kid: 'ec-1' }))])
    expectBadSignature(await exchange(s))
    expectTokens(await s.exchange())
    s.expectLive(1)
    s.expectBurnt(1)
  })

  test('JW4 memory stays constant while an origin sends without end', async () => {
    await using s = await startServer({ jwksTimeoutMs: 3000 })
    let sent = 0
    await using origin = await Origin.answering((_request, response) => {
      const chunk = Buffer.alloc(65_536, 0x20)
      const pour = () => {
        while (!response.destroyed && sent < 200_000_000 && response.write(chunk))
          sent += chunk.length
      }
      response.on('drain', pour)
      pour()
    })
    await registerOrigin(s, origin.url)
    expectBadSignature(await exchange(s))
    expect(sent).toBeLessThan(20_000_000)
    s.expectLive(0)
  })

  test('the limits apply to a jwksFetch of the options too', async () => {
    const answers: Response[] = [
      new Response(JSON.stringify({ keys: [key.jwk, padding] })),
      new Response(JSON.stringify({ keys: [key.jwk] }), { headers: { 'Content-Encoding': 'br' } }),
      new Response(JSON.stringify({ keys: [key.jwk] }), { status: 404 }),
      new Response(JSON.stringify({ keys: [key.jwk] })),
    ]
    const asked: string[] = []
    await using s = await startServer({
      jwksFetch: async (input) => {
        asked.push(String(input))
        return answers.shift() ?? Response.error()
      },
    })
    await registerOrigin(s, 'https://jwks.example/keys')
    for (let n = 0; n < 3; n++) {
      expectBadSignature(await exchange(s))
      await s.clock.advance(5000)
    }
    expectTokens(await exchange(s))
    expect(asked).toEqual(Array(4).fill('https://jwks.example/keys'))
    s.expectLive(1)
  })

  test('JO12, A4 weak keys of a URI are skipped, and the good key works', async ({ s }) => {
    await using origin = await Origin.serving([...Object.values(weakKeys), key.jwk])
    await registerOrigin(s, origin.url)
    expectTokens(await exchange(s))
    expectTokens(await exchange(s, key, { kid: undefined }))
    expectBadSignature(await exchange(s, ecKey('weak')))
    s.expectLive(2)
  })

  test('each key is tried if a set repeats a kid', async ({ s }) => {
    await using origin = await Origin.serving([{ ...next.jwk, kid: key.kid }, key.jwk])
    await registerOrigin(s, origin.url)
    expectTokens(await exchange(s))
    expectTokens(await exchange(s, { ...next, kid: key.kid }))
    s.expectLive(2)
  })

  test('JW5 one fetch an hour, and a removed key works at most for that hour', async ({ s }) => {
    await using origin = await Origin.serving([key.jwk])
    await registerOrigin(s, origin.url)
    for (let n = 0; n < 100; n++) expectTokens(await exchange(s))
    expect(origin.requests).toHaveLength(1)
    origin.answer = serve([next.jwk])
    await s.clock.advance(3_599_999)
    expectTokens(await exchange(s))
    expect(origin.requests).toHaveLength(1)
    await s.clock.advance(1)
    expectBadSignature(await exchange(s))
    expect(origin.requests).toHaveLength(2)
    expect(origin.requests[0]?.headers['accept-encoding']).toBe('identity')
    s.expectLive(1)
  })

  test('JW5 stale keys serve an hour from their own fetch while the origin is down', async ({
    s,
  }) => {
    await using origin = await Origin.serving([key.jwk], { 'Cache-Control': 'max-age=60' })
    await registerOrigin(s, origin.url)
    expectTokens(await exchange(s))
    origin.answer = (_request, response) => void response.socket?.destroy()
    await s.clock.advance(60_000)
    // The second of them asks nobody: the failure is a moment old.
    for (let n = 0; n < 2; n++) expectTokens(await exchange(s))
    expect(origin.requests).toHaveLength(2)
    await s.clock.advance(3_539_999)
    expectTokens(await exchange(s))
    await s.clock.advance(1)
    expectBadSignature(await exchange(s))
    s.expectLive(3)
  })

  test('JW6 rotation: a new kid is fetched once the last attempt is 30 s ago', async ({ s }) => {
    await using origin = await Origin.serving([key.jwk])
    await registerOrigin(s, origin.url)
    expectTokens(await exchange(s))
    origin.answer = serve([key.jwk, next.jwk])
    await s.clock.advance(29_999)
    expectBadSignature(await exchange(s, next))
    expect(origin.requests).toHaveLength(1)
    await s.clock.advance(1)
    expectTokens(await exchange(s, next))
    expectTokens(await exchange(s, key))
    expect(origin.requests).toHaveLength(2)
    await s.clock.advance(30_000)
    const random = Array.from({ length: 50 }, (_, n) => exchange(s, next, { kid: `random-${n}` }))
    for (const answer of await Promise.all(random)) expectBadSignature(answer)
    for (let n = 0; n < 50; n++) expectBadSignature(await exchange(s, next, { kid: `later-${n}` }))
    expect(origin.requests).toHaveLength(3)
    expectBadSignature(await exchange(s, ecKey(key.kid)))
    expect(origin.requests).toHaveLength(3)
    s.expectLive(3)
  })

  test('JW7 an origin that is down is asked every five seconds at most', async ({ s }) => {
    await using origin = await Origin.answering(
      (_request, response) => void response.socket?.destroy(),
    )
    await registerOrigin(s, origin.url)
    for (let n = 0; n < 20; n++) {
      expectBadSignature(await exchange(s))
      await s.clock.advance(249)
    }
    expect(origin.requests).toHaveLength(1)
    origin.answer = serve([key.jwk])
    await s.clock.advance(20)
    expectTokens(await exchange(s))
    const fetches = (await s.control('GET', '/jwks-fetches')).body as unknown as {
      outcome: string
    }[]
    expect(fetches.map(({ outcome }) => outcome)).toEqual(['failed', 'ok'])
    s.expectLive(1)
  })

  test('JW8 single flight, and one application does not hold up another', async ({ s }) => {
    await using slow = await Origin.holding([key.jwk])
    await using quick = await Origin.serving([next.jwk])
    await registerOrigin(s, slow.url)
    await registerOrigin(s, quick.url, 'quick')
    const cold = Array.from({ length: 50 }, () => exchange(s))
    expectTokens(await exchange(s, next, {}, 'quick'))
    s.expectLive(1)
    await expect.poll(() => slow.requests.length).toBe(1)
    slow.release()
    for (const answer of await Promise.all(cold)) expectTokens(answer)
    expect([slow.requests.length, quick.requests.length]).toEqual([1, 1])
    s.expectLive(51)
  })

  test('a new URI gets a new key set; a late answer of the old URI changes nothing', async ({
    s,
  }) => {
    await using old = await Origin.holding([key.jwk])
    await using fresh = await Origin.serving([next.jwk])
    await registerOrigin(s, old.url)
    const late = exchange(s)
    await expect.poll(() => old.requests.length).toBe(1)
    await registerOrigin(s, fresh.url)
    expectTokens(await exchange(s, next))
    old.release()
    expectBadSignature(await late)
    expectTokens(await exchange(s, next))
    expectBadSignature(await exchange(s))
    s.expectLive(2)
  })
})
