import { describe, expect, it } from 'vitest'
import {
  badSignature,
  type Claims,
  checkClaims,
  readAssertion,
} from '../../../mock-server/src/domain/client-assertion.js'
import { base64url, json } from './assertions.js'
import { outcome } from './verdict.js'

const bad = (detail: string) => `invalid_client: Invalid client assertion signature (${detail})`
const signature = base64url('signature')
/** A compact JWT of these segments, well formed where nothing else is said. */
const text = ({ header = json({ alg: 'ES256' }), claims = json({}), end = signature } = {}) =>
  `${header}.${claims}.${end}`
const nested = (levels: number): unknown =>
  JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`)

describe('an assertion', () => {
  it('is refused with one message for every fault, and above 8 KiB it is not parsed', () => {
    expect(outcome(badSignature('kid_unknown'))).toBe(bad('kid_unknown'))
    expect(outcome(readAssertion(text({ claims: json({ pad: 'x'.repeat(8192) }) })))).toBe(
      bad('assertion_malformed'),
    )
  })

  it('is read to its algorithm, kid, claims and text', () => {
    const header = json({ alg: 'RS256', kid: 'k1', typ: 'JWT', jwk: { kty: 'oct' } })
    const assertion = text({ header, claims: json({ iss: 'minter', deep: nested(63) }) })
    expect(readAssertion(assertion)).toEqual({
      ok: true,
      value: {
        text: assertion,
        alg: 'RS256',
        kid: 'k1',
        claims: { iss: 'minter', deep: nested(63) },
      },
    })
    const read = readAssertion(text({ claims: json({ iss: null }) }))
    expect(read).toMatchObject({ ok: true, value: { claims: { iss: null } } })
    expect(readAssertion(text())).toMatchObject({
      ok: true,
      value: { alg: 'ES256', kid: undefined },
    })
    // JSON may say a number that is none; the check of the claims refuses it.
    const endless = readAssertion(text({ claims: base64url('{"iat":-1e999,"exp":1e999}') }))
    expect(endless).toMatchObject({
      ok: true,
      value: { claims: { iat: -Infinity, exp: Infinity } },
    })
  })

  it.each<[string, string]>([
    ['', 'no segment'],
    [text().replace(`.${signature}`, ''), 'two segments'],
    [`${text()}.`, 'four segments'],
    [text({ end: '' }), 'an empty signature'],
    [text({ end: `${signature}=` }), 'a padded signature'],
    [text({ header: '' }), 'an empty header'],
    [text({ claims: `${json({})}=` }), 'padded claims'],
    [text({ claims: base64url('{') }), 'claims that are no JSON'],
    [text({ claims: base64url('\ufeff{}') }), 'a byte order mark'],
    [
      text({ claims: base64url(Buffer.from('{"a":"\xff"}', 'latin1')) }),
      'claims that are no UTF-8',
    ],
    [text({ header: json([{ alg: 'ES256' }]) }), 'a list for a header'],
    [text({ claims: json([]) }), 'a list of claims'],
    [text({ claims: json(null) }), 'null claims'],
    [text({ claims: json('text') }), 'claims of text'],
    [text({ claims: json({ deep: nested(64) }) }), 'claims of 65 levels'],
    [text({ claims: base64url(String.raw`{"iss":"\ud800"}`) }), 'half a character in a value'],
    [text({ claims: base64url(String.raw`{"a":{"\ud800":1}}`) }), 'half a character in a name'],
  ])('of the form %j is malformed: %s', (assertion) => {
    expect(outcome(readAssertion(assertion))).toBe(bad('assertion_malformed'))
  })

  it.each<[object, string]>([
    [{}, bad('alg_not_accepted')],
    [{ alg: 'none', crit: [] }, bad('alg_not_accepted')],
    [{ alg: 'ES256', crit: [] }, bad('extension_not_known')],
    [{ alg: 'RS256', b64: true, typ: 'x' }, bad('extension_not_known')],
    [{ alg: 'RS256', typ: 1 }, bad('typ_not_accepted')],
    [{ alg: 'RS256', typ: ['JWT'] }, bad('typ_not_accepted')],
    [{ alg: 'RS256', typ: 'at+jwt', kid: 1 }, bad('typ_not_accepted')],
    [{ alg: 'RS256', typ: 'xjwt' }, bad('typ_not_accepted')],
    [{ alg: 'RS256', typ: 'jwts' }, bad('typ_not_accepted')],
    [{ alg: 'RS256', kid: 1 }, bad('kid_not_accepted')],
    [{ alg: 'RS256', kid: '' }, bad('kid_not_accepted')],
    [{ alg: 'RS256', typ: 'jwt' }, 'ok'],
    [{ alg: 'RS256', typ: 'application/JWT' }, 'ok'],
  ])('with the header %j is answered %s', (header, expected) => {
    expect(outcome(readAssertion(text({ header: json(header) })))).toBe(expected)
  })
})

describe('claims', () => {
  const seconds = 1_772_355_600
  const url = 'https://ci.example/oauth/token'
  const good: Claims = { iss: 'minter', sub: 'minter', aud: url, iat: seconds, exp: seconds + 300 }
  const check = (changes: Claims, leeways = {}) =>
    checkClaims(
      { ...good, ...changes },
      {
        client_id: 'minter',
        tokenUrls: [url],
        expLeewaySeconds: 0,
        nbfLeewaySeconds: 0,
        ...leeways,
      },
      seconds * 1000,
    )
  const refused = (message: string) => `invalid_client: ${message} (${message})`
  const iss = refused('JWT iss claim must match sub')
  const aud = refused('JWT aud claim is invalid')
  const iat = refused('JWT iat claim is invalid')
  const exp = refused('JWT exp claim must be in the future')
  const life = refused('JWT exp claim must be within 5 minutes of iat')
  const nbf = refused('JWT nbf claim must not be in the future')
  const jti = refused('JWT jti claim must be a non-empty string of at most 255 bytes')

  it('that are valid return exp and jti', () => {
    expect(check({ jti: 'once', nbf: seconds })).toEqual({
      ok: true,
      value: { exp: seconds + 300, jti: 'once' },
    })
    const checked = check({ aud: ['https://other.example', url] })
    expect(checked).toEqual({ ok: true, value: { exp: seconds + 300, jti: undefined } })
  })

  it.each<[Claims, string]>([
    [{ iss: 'other', sub: 'other', aud: 'x' }, iss],
    [{ sub: 'other', aud: 'x' }, iss],
    [{ iss: 'other' }, iss],
    [{ aud: 'x', iat: 'x' }, aud],
    [{ aud: [url, 1] }, aud],
    [{ aud: ['x'] }, aud],
    [{ aud: { 0: url } }, aud],
    [{ iat: String(seconds), exp: 0 }, iat],
    ...[undefined, null, true, [seconds], Number.NEGATIVE_INFINITY].map(
      (value): [Claims, string] => [{ iat: value }, iat],
    ),
    ...[undefined, null, true, [seconds + 300]].map((value): [Claims, string] => [
      { exp: value },
      exp,
    ]),
    [{ iat: seconds + 60.001, exp: seconds + 300 }, iat],
    [{ iat: seconds + 60, exp: seconds + 360 }, 'ok'],
    [{ iat: seconds - 400, exp: seconds }, exp],
    [{ exp: String(seconds + 300) }, exp],
    [{ exp: Number.POSITIVE_INFINITY }, exp],
    [{ exp: seconds + 0.001 }, 'ok'],
    [{ exp: seconds + 300.001, nbf: 'x' }, life],
    [{ iat: seconds + 30, exp: seconds + 29 }, life],
    [{ iat: seconds + 30, exp: seconds + 30 }, 'ok'],
    [{ nbf: seconds + 0.001, jti: '' }, nbf],
    [{ nbf: null }, nbf],
    [{ nbf: String(seconds) }, nbf],
    [{ jti: '' }, jti],
    ...[1, null, true, ['a'], { a: 1 }].map((value): [Claims, string] => [{ jti: value }, jti]),
    [{ jti: 'é'.repeat(128) }, jti],
    [{ jti: `${'é'.repeat(127)}a` }, 'ok'],
  ])('%j: %s', (changes, expected) => {
    expect(outcome(check(changes))).toBe(expected)
  })

  it('have one leeway for exp and one for nbf', () => {
    const leeways = { expLeewaySeconds: 10, nbfLeewaySeconds: 5 }
    expect(outcome(check({ iat: seconds - 200, exp: seconds - 9.999 }, leeways))).toBe('ok')
    expect(outcome(check({ iat: seconds - 200, exp: seconds - 10 }, leeways))).toBe(exp)
    expect(outcome(check({ nbf: seconds + 5 }, leeways))).toBe('ok')
    expect(outcome(check({ nbf: seconds + 5.001 }, leeways))).toBe(nbf)
  })
})
