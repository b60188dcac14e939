import { describe, expect, test } from 'vitest'
import type { Fields } from './assertions.js'
import {
  ec,
  expectBadSignature,
  expectIdentical,
  expectRefusal,
  expectTokens,
  startSeconds as now,
  otherKey,
  startServer,
} from './harness.js'

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

  test('CL1, A11(a) unknown, disabled, wrong kind, no usable key and bad signature are one answer', async () => {
    await using s = await startServer()
    const as = (client_id: string) => ({ iss: client_id, sub: client_id })
    expectIdentical([
      await s.exchange(s.assertion(as('unknown'))),
      await s.exchange(s.assertion(as('sleeping'))),
      await s.exchange(s.assertion(as('public'))),
      await s.exchange(s.assertion(as('confidential'))),
      await s.exchange(s.assertion(as('other'), ec, { kid: undefined })),
      await s.exchange(s.assertion({}, otherKey, { kid: 'ec-1' })),
      await s.exchange(s.assertion({}, ec, { kid: 'unknown' })),
      await s.exchange('x.y.z'),
    ])
    s.expectLive(0)
  })

  test.each([undefined, null, 1, 'other', 'MINTER', ['minter']])('CL2 sub %j', (sub) => judge({ sub }, iss))

  test.each([undefined, null, 1, {}, [], [[url]], [url, 1], [url, null], { 0: url }, 'x'].map((value) => ({ value })))(
    'CL2 aud $value',
    ({ value }) => judge({ aud: value }, aud),
  )

  test.each([
    `${url}/`,
    origin,
    `${origin}/oauth/device_authorization`,
    url.replace('http:', 'https:'),
    url.replace('localhost', 'LOCALHOST'),
    url.replace('localhost', 'localhost:80'),
    `${url}?x=1`,
    `${url}#`,
    'acme',
    ` ${url}`,
    url.replace('token', 'Token'),
    url.replace('token', '%74oken'),
  ])('CL3 aud %s', (value) => judge({ aud: value }, aud))

  test.each([[[url]], [['x', url]], [[url, url]]])('CL4 aud %j', (value) => judge({ aud: value }))

  test.each(
    [undefined, null, '1', true, [now]].flatMap((value) => [
      { name: 'iat', value },
      { name: 'exp', value },
    ]),
  )('CL5 $name is $value', ({ name, value }) => judge({ [name]: value }, name === 'iat' ? iat : exp))

  test.each([
    [{ iat: now, exp: now + 300 }, undefined],
    [{ iat: now, exp: now + 301 }, life],
    [{ iat: now, exp: now + 300.001 }, life],
    [{ iat: now - 200, exp: now }, exp],
    [{ iat: now - 200, exp: now - 1 }, exp],
    [{ iat: now - 200, exp: now + 1 }, undefined],
    [{ iat: now - 200, exp: now + 0.001 }, undefined],
    [{ iat: now + 30, exp: now + 20 }, life],
    [{ iat: -1e300, exp: now + 1 }, life],
  ])('CL6 %j', (changes, text) => judge(changes, text))

  test('CL6 numbers that are none', async () => {
    await using s = await startServer()
    const text = s.assertion()
    expect(text.split('.')).toHaveLength(3)
    for (const [claims, expected] of [
      [`"iat":1e999,"exp":${now + 1}`, iat],
      [`"iat":${now},"exp":1e999`, life],
      [`"iat":-1e999,"exp":${now + 1}`, iat],
    ] as const) {
      const { base64url, json, signInput } = await import('./assertions.js')
      const payload = `{"iss":"minter","sub":"minter","aud":"${s.tokenUrl}",${claims}}`
      const input = `${json({ alg: 'ES256', kid: 'ec-1' })}.${base64url(payload)}`
      const answer = await s.exchange(`${input}.${base64url(signInput(input, ec.privateKey, 'ES256'))}`)
      expect(answer.body['error']).toBe('invalid_client')
      expect([iat, exp, life]).toContain(answer.body['error_description'])
      expect(expected).toBeTypeOf('string')
    }
    s.expectLive(0)
  })

  test.each([
    [60, undefined],
    [60.001, iat],
    [61, iat],
    [600, iat],
    [86_400, iat],
  ])('CL7, A3 iat %d s ahead, exp 300 s later', (ahead, text) =>
    judge({ iat: now + ahead, exp: now + ahead + 300 }, text),
  )

  test.each([
    [undefined, undefined],
    [now, undefined],
    [now + 1, nbf],
    [now + 0.001, nbf],
    [String(now), nbf],
    [null, nbf],
    [-5, undefined],
  ])('CL8 nbf %j', (value, text) => judge({ nbf: value }, text))

  test('leeways move the boundaries of exp and nbf, not of the life', async () => {
    const options = { expLeewaySeconds: 10, nbfLeewaySeconds: 5 }
    await judge({ iat: now - 200, exp: now - 9.999 }, undefined, options)
    await judge({ iat: now - 200, exp: now - 10 }, exp, options)
    await judge({ nbf: now + 5 }, undefined, options)
    await judge({ nbf: now + 5.001 }, nbf, options)
    await judge({ iat: now, exp: now + 301 }, life, options)
  })

  test('CL9 without jti an assertion serves until exp, unless the organization wants one', async () => {
    await using s = await startServer()
    const assertion = s.assertion({ jti: undefined })
    expectTokens(await s.exchange(assertion))
    await s.clock.advance(299_999)
    expectTokens(await s.exchange(assertion))
    await s.clock.advance(1)
    expectRefusal(await s.exchange(assertion), 'invalid_client', exp)
    s.expectLive(2)
    const strict = await s.exchange(s.assertion({ jti: undefined }), { audience: 'strict' })
    expectRefusal(strict, 'invalid_client', 'JWT must contain a jti claim')
    expectTokens(await s.exchange(s.assertion(), { audience: 'strict' }))
    s.expectLive(3)
  })

  test.each(['', null, 1, ['a'], { a: 1 }, true].map((value) => ({ value })))('CL10 jti $value', async ({ value }) => {
    await judge({ jti: value }, jti)
    await using s = await startServer()
    expectRefusal(await s.exchange(s.assertion({ jti: value }), { audience: 'strict' }), 'invalid_client', jti)
    s.expectLive(0)
  })

  test.each([
    ['a'.repeat(255), undefined],
    ['a'.repeat(256), jti],
    [`${'é'.repeat(127)}a`, undefined],
    ['é'.repeat(128), jti],
    [' ', undefined],
    ['__proto__', undefined],
  ])('CL11 jti %j', (value, text) => judge({ jti: value }, text))

  test('CL12 replay, however it is dressed', async () => {
    await using s = await startServer()
    const assertion = s.assertion({ jti: 'once' })
    expectTokens(await s.exchange(assertion))
    expectRefusal(await s.exchange(assertion), 'invalid_client', used)
    await s.clock.advance(10_000)
    expectRefusal(await s.exchange(s.assertion({ jti: 'once' })), 'invalid_client', used)
    for (const changes of [{ scope: 'nope' }, { audience: 'off' }, { subject_token: 'x' }, { actor_token: 'x' }]) {
      expectRefusal(await s.exchange(assertion, changes), 'invalid_client', used)
      expectRefusal(await s.exchange(s.assertion({ jti: 'once' }), changes), 'invalid_client', used)
    }
    expectTokens(await s.exchange(s.assertion({ jti: 'Once' })))
    expectTokens(await s.exchange(s.assertion({ jti: 'once ' })))
    s.expectLive(3)
    s.expectBurnt(3)
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

  test('CL13 two applications may choose one jti', async () => {
    await using s = await startServer()
    expectTokens(await s.exchange(s.assertion({ jti: 'same' })))
    const other = s.assertion({ iss: 'other', sub: 'other', jti: 'same' }, otherKey)
    expectTokens(await s.exchange(other, { scope: 'read_builds' }))
    s.expectLive(2)
    s.expectBurnt(2)
  })

  test('CL14 other claims have no effect', async () => {
    await using s = await startServer()
    const claims = {
      admin: true,
      scope: 'write_builds',
      audience: 'orbit',
      client_id: 'other',
      __proto__: { jti: 1 },
      auth_time: 'x',
    }
    expectTokens(await s.exchange(s.assertion(claims)), { scope: 'read_builds' })
    s.expectLive(1)
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
