import { generateKeyPairSync } from 'node:crypto'
import { base64url, ecKey, rsaKey } from './assertions.js'

const rsa = rsaKey('weak')
const ec = ecKey('weak')

const bytes = (value: unknown): Buffer => Buffer.from(String(value), 'base64url')

const evenModulus = (): string => {
  const n = bytes(rsa.jwk['n'])
  n[n.length - 1] = (n.at(-1) ?? 1) & 0xfe
  return base64url(n)
}

/** The same number as valid text that another encoder would not have written. */
const nonCanonical = (text: unknown): string => {
  const last = String(text).at(-1) ?? 'A'
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return `${String(text).slice(0, -1)}${alphabet[alphabet.indexOf(last) + 1]}`
}

const curve = (namedCurve: string) => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve })
  return { ...publicKey.export({ format: 'jwk' }), kid: 'weak' }
}

const zero = base64url(new Uint8Array(32))

/** Keys that are well formed and must never verify anything (JO12, A4). */
export const weakKeys: Readonly<Record<string, unknown>> = {
  'EC P-384': curve('P-384'),
  'EC secp256k1': curve('secp256k1'),
  'EC point (0,0)': { ...ec.jwk, x: zero, y: zero },
  'EC point off the curve': { ...ec.jwk, y: ec.jwk['x'] },
  'EC x of 31 bytes': { ...ec.jwk, x: base64url(bytes(ec.jwk['x']).subarray(1)) },
  'EC x with a leading zero': {
    ...ec.jwk,
    x: base64url(Buffer.concat([Buffer.from([0]), bytes(ec.jwk['x'])])),
  },
  'EC x with padding': { ...ec.jwk, x: `${ec.jwk['x']}=` },
  'EC x not canonical': { ...ec.jwk, x: nonCanonical(ec.jwk['x']) },
  'RSA 1024': rsaKey('weak', 1024).jwk,
  'RSA 16384 bits': { ...rsa.jwk, n: base64url(Buffer.alloc(2048, 0xff)) },
  'RSA e = 1': { ...rsa.jwk, e: 'AQ' },
  'RSA even e': { ...rsa.jwk, e: 'AQAA' },
  'RSA e of 2^64 + 1': { ...rsa.jwk, e: base64url(Buffer.from('010000000000000001', 'hex')) },
  'RSA even n': { ...rsa.jwk, n: evenModulus() },
  'RSA n in plain base64': { ...rsa.jwk, n: `${bytes(rsa.jwk['n']).toString('base64')}` },
  'RSA without e': { ...rsa.jwk, e: undefined },
  'RSA private': { ...rsa.privateKey.export({ format: 'jwk' }), kid: 'weak' },
  'EC private': { ...ec.privateKey.export({ format: 'jwk' }), kid: 'weak' },
  symmetric: { kty: 'oct', kid: 'weak', k: base64url('a shared secret of some length') },
  'kid missing': { ...ec.jwk, kid: undefined },
  'kid empty': { ...ec.jwk, kid: '' },
  'kid a number': { ...ec.jwk, kid: 7 },
  'kty missing': { ...ec.jwk, kty: undefined },
  'no object': 'key',
}
