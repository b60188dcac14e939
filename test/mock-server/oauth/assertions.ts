import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto'

/** A key pair with its public half as a JWK. */
export interface TestKey {
  readonly alg: 'RS256' | 'ES256'
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly jwk: Record<string, unknown>
}

export const rsaKey = (kid: string, modulusLength = 2048): TestKey => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }
  return { alg: 'RS256', kid, privateKey, publicKey, jwk }
}

export const ecKey = (kid: string): TestKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
  return { alg: 'ES256', kid, privateKey, publicKey, jwk }
}

export const base64url = (input: string | Uint8Array): string =>
  Buffer.from(input).toString('base64url')

export const json = (value: unknown): string => base64url(JSON.stringify(value))

/**
 * Signs by plain node:crypto what the header's alg says, or by `alg` where a test lies about it.
 */
const signInput = (input: string, key: KeyObject, alg: string): Buffer => {
  if (alg === 'RS256') return signBytes('sha256', Buffer.from(input), key)
  if (alg === 'ES256')
    return signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  throw new TypeError(`no signer for ${alg}`)
}

export type Fields = Readonly<Record<string, unknown>>

/** A compact JWT of any header and claims; `undefined` members are left out. */
export const jwt = (
  header: Fields,
  claims: Fields,
  key: KeyObject,
  alg = String(header['alg']),
): string => {
  const input = `${json(header)}.${json(claims)}`
  return `${input}.${base64url(signInput(input, key, alg))}`
}
