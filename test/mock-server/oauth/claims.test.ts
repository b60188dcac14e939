import { describe, test } from 'vitest'
import type { Fields } from './assertions.js'
import { expectBadSignature, expectRefusal, expectTokens, startSeconds as now, startServer } from './harness.js'

const iat = 'JWT iat claim is invalid'
const exp = 'JWT exp claim must be in the future'
const life = 'JWT exp claim must be within 5 minutes of iat'
const nbf = 'JWT nbf claim must not be in the future'
const jti = 'JWT jti claim must be a non-empty string of at most 255 bytes'
const aud = 'JWT aud claim is invalid'
const iss = 'JWT iss claim must match sub'
const used = 'JWT has already been used (jti)'
const origin = 'http://mock.localhost'
const url = `${origin}/oauth/token`

/** One exchange with these claims; undefined: it succeeds. */
const judge = async (changes: Fields, text?: string, options = {}) => {
  await using s = await startServer(options)
  const answer = await s.exchange(s.assertion(changes))
  if (text === undefined) expectTokens(answer)
  else expectRefusal(answer, 'invalid_client', text)
  s.expectLive(text === undefined ? 1 : 0)
  s.expectBurnt(
    text === undefined && changes['jti'] !== undefined ? 1 : text === undefined && !('jti' in changes) ? 1 : 0,
  )
}

describe('claims', () => {
  test.each([undefined, null, 1, ['minter'], 'unknown', '__proto__', 'Minter', 'minter '])(
    'CL1 iss %j',
    async (value) => {
      await using s = await startServer()
      expectBadSignature(await s.exchange(s.assertion({ iss: value, sub: value })))
      s.expectLive(0)
      s.expectBurnt(0)
    },
  )

  test('leeways move the boundaries of exp and nbf, not of the life', async () => {
    const options = { expLeewaySeconds: 10, nbfLeewaySeconds: 5 }
    await judge({ iat: now - 200, exp: now - 10 }, exp, options)
    await judge({ nbf: now + 5 }, undefined, options)
    await judge({ iat: now, exp: now + 301 }, life, options)
  })

  test('CL12 a burnt jti is kept for its retention, and no longer', async () => {
    await using s = await startServer({ jtiRetentionSeconds: 1000 })
    expectTokens(await s.exchange(s.assertion({ jti: 'once' })))
    await s.clock.advance(999_999)
    expectRefusal(await s.exchange(s.assertion({ jti: 'once' })), 'invalid_client', used)
    await s.clock.advance(1)
    expectTokens(await s.exchange(s.assertion({ jti: 'once' })))
    s.expectLive(2)
    s.expectBurnt(1)
  })

  test('the order of the texts', async () => {
    const wrong = { sub: 'x', aud: 'x', iat: 'x', exp: 0, nbf: 'x', jti: '' }
    const steps: readonly (readonly [keyof typeof wrong, unknown, string])[] = [
      ['sub', 'minter', iss],
      ['aud', url, aud],
      ['iat', now - 400, iat],
      ['exp', now + 10, exp],
      ['iat', now, life],
      ['nbf', now, nbf],
      ['jti', 'x', jti],
    ]
    const claims: Record<string, unknown> = { ...wrong }
    for (const [name, value, text] of steps) {
      await judge(claims, text)
      claims[name] = value
    }
    await judge(claims)
  })
})
