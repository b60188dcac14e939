import { describe, expect, it } from 'vitest'
import {
  acceptKey,
  chooseKeys,
  decodeBase64url,
  type PublicJwk,
} from '../../../mock-server/src/domain/keys.js'
import { base64url, ecKey, rsaKey } from './assertions.js'
import { outcome } from './verdict.js'
import { weakKeys } from './weak-keys.js'

const rsa = rsaKey('r').jwk
const ec = ecKey('e').jwk
const refused = (message: string) => `unprocessable: ${message}`
const bigRsa = (bytes: number, first: number) => {
  const n = Buffer.alloc(bytes, 0xff)
  n[0] = first
  return { ...rsa, n: base64url(n) }
}

describe('a key', () => {
  const modulus = refused('the modulus must have 2048 to 8192 bits')
  const exponent = refused('the public exponent must be odd, at least 3 and below 2^64')
  const coordinates = refused('x and y must be 32 bytes in base64url without padding')
  const reasons: Readonly<Record<string, string>> = {
    'EC P-384': refused('the curve must be P-256'),
    'EC secp256k1': refused('the curve must be P-256'),
    'EC point (0,0)': refused('the point is not on the curve'),
    'EC point off the curve': refused('the point is not on the curve'),
    'EC x of 31 bytes': coordinates,
    'EC x with a leading zero': coordinates,
    'EC x with padding': coordinates,
    'EC x not canonical': coordinates,
    'RSA 1024': modulus,
    'RSA 16384 bits': modulus,
    'RSA e = 1': exponent,
    'RSA even e': exponent,
    'RSA e of 2^64 + 1': exponent,
    'RSA even n': refused('the modulus must be odd'),
    'RSA n in plain base64': refused('n and e must be base64url without padding'),
    'RSA without e': refused('n and e must be base64url without padding'),
    'RSA private': refused('a public key has no member d'),
    'EC private': refused('a public key has no member d'),
    symmetric: refused('symmetric keys are not accepted'),
    'kid missing': refused('kid must be a non-empty string'),
    'kid empty': refused('kid must be a non-empty string'),
    'kid a number': refused('kid must be a non-empty string'),
    'kty missing': refused('kty must be a string'),
    'no object': refused('a key must be an object'),
  }

  it.each(Object.entries(weakKeys))('that is weak is refused with its reason: %s', (name, jwk) => {
    expect(outcome(acceptKey(jwk))).toBe(reasons[name])
  })

  it.each<[string, unknown, string]>([
    ['null', null, refused('a key must be an object')],
    ['a list', [rsa], refused('a key must be an object')],
    ['RSA of 2047 bits', bigRsa(256, 0x7f), modulus],
    ['RSA of 2048 bits', bigRsa(256, 0x80), 'ok'],
    ['RSA of 8192 bits', bigRsa(1024, 0x80), 'ok'],
    ['RSA of 8193 bits', bigRsa(1025, 0x01), modulus],
    ['RSA of few bits in 1025 bytes', bigRsa(1025, 0x00), modulus],
    [
      'RSA with a modulus of text',
      { ...rsa, n: 7 },
      refused('n and e must be base64url without padding'),
    ],
    ['RSA e = 3', { ...rsa, e: base64url(new Uint8Array([3])) }, 'ok'],
    ['RSA e = 2', { ...rsa, e: base64url(new Uint8Array([2])) }, exponent],
    ['RSA e of eight bytes', { ...rsa, e: base64url(Buffer.alloc(8, 0xff)) }, 'ok'],
    [
      'RSA e of nine bytes',
      { ...rsa, e: base64url(Buffer.from('000000000000010001', 'hex')) },
      exponent,
    ],
    ['EC without y', { ...ec, y: undefined }, coordinates],
    ['EC with y of 31 bytes', { ...ec, y: base64url(Buffer.alloc(31, 1)) }, coordinates],
    [
      'EC with x and y of 32 bytes above the field',
      { ...ec, x: base64url(Buffer.alloc(32, 0xff)) },
      refused('the point is not on the curve'),
    ],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((member): [string, unknown, string] => [
      `RSA with ${member}`,
      { ...rsa, [member]: 'x' },
      refused(`a public key has no member ${member}`),
    ]),
    ['of an unknown type', { kty: 'OKP', kid: 'o' }, 'ok'],
    ['RSA', rsa, 'ok'],
    ['EC', ec, 'ok'],
  ])('%s: %s', (_name, jwk, expected) => {
    expect(outcome(acceptKey(jwk))).toBe(expected)
  })

  it('has one encoding for each point: a coordinate must be smaller than the field', () => {
    const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
    const point = (x: bigint, y: bigint) => {
      const bytes = (value: bigint) =>
        base64url(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
      return outcome(acceptKey({ ...ec, x: bytes(x), y: bytes(y) }))
    }
    const rootOfB = 0x66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4n
    const xOfFive = 0xd7325d7646cd60d80a92738ceb345f844cffaf35841022cab176f692de8de1d7n
    expect([point(0n, rootOfB), point(xOfFive, 5n)]).toEqual(['ok', 'ok'])
    const off = refused('the point is not on the curve')
    expect([point(p, rootOfB), point(xOfFive, p + 5n)]).toEqual([off, off])
  })

  it('is returned unchanged', () => {
    expect(acceptKey(ec)).toEqual({ ok: true, value: ec })
  })

  it.each([
    ['AQAB', [1, 0, 1]],
    ['', undefined],
    ['AQAB=', undefined],
    ['AR', undefined],
    ['A+AB', undefined],
    [65, undefined],
  ])('has members of canonical base64url: %j', (text, bytes) => {
    expect(decodeBase64url(text)).toEqual(bytes === undefined ? undefined : Buffer.from(bytes))
  })
})

describe('the keys that may verify', () => {
  const keys = [
    { kty: 'RSA', kid: 'r1' },
    { kty: 'RSA', kid: 'r2', alg: 'RS256', use: 'sig', key_ops: ['sign', 'verify'] },
    { kty: 'RSA', kid: 'r3', alg: 'PS256' },
    { kty: 'RSA', kid: 'r4', use: 'enc' },
    { kty: 'RSA', kid: 'r5', key_ops: ['sign'] },
    { kty: 'RSA', kid: 'r6', key_ops: 'verify' },
    { kty: 'EC', kid: 'e1', crv: 'P-256' },
    { kty: 'EC', kid: 'e2', crv: 'P-384' },
    { kty: 'OKP', kid: 'o1', crv: 'P-256' },
    { kty: 'EC', kid: 'e1', crv: 'P-256', alg: 'ES256' },
  ] as readonly PublicJwk[]
  const kids = (alg: 'RS256' | 'ES256', kid?: string) =>
    chooseKeys(keys, alg, kid).map((key) => key.kid)

  it('have the type of the algorithm and are for signatures; a kid only chooses among them', () => {
    expect(kids('RS256')).toEqual(['r1', 'r2'])
    expect(kids('ES256')).toEqual(['e1', 'e1'])
    expect(kids('ES256', 'e1')).toEqual(['e1', 'e1'])
    expect(kids('RS256', 'r2')).toEqual(['r2'])
    expect(kids('RS256', 'e1')).toEqual([])
    expect(kids('RS256', 'unknown')).toEqual([])
  })
})
