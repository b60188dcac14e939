import { createPrivateKey, createPublicKey, KeyObject, type webcrypto, X509Certificate } from 'node:crypto'
import { ConfigError } from '../errors.js'
import { keyRefused, privateKeyBlock, refuseUnfitJwk, shown } from './key-refusals.js'

/** Where a signer's private key comes from: PEM or JWK text, PEM or DER bytes, a JWK, or a key object. */
export interface SignerSource {
  readonly key: string | Uint8Array | webcrypto.JsonWebKey | KeyObject | webcrypto.CryptoKey
  readonly kid?: string | undefined
  readonly alg?: 'RS256' | 'ES256' | undefined
  readonly passphrase?: string | undefined
}

/** A private key that was read, and what its JWK said of itself. */
export interface ReadKey {
  readonly key: KeyObject
  readonly kid?: string | undefined
  readonly alg?: string | undefined
}

/** Reads any of the accepted forms, or refuses in one sentence. */
export function readKey({ key, passphrase }: SignerSource): ReadKey {
  if (typeof key === 'string') return fromText(key, passphrase)
  if (key instanceof Uint8Array) return { key: fromBytes(key, passphrase) }
  if (key instanceof KeyObject) return { key: usable(key) }
  if (isCryptoKey(key)) return { key: usable(fromCryptoKey(key)) }
  if (typeof key === 'object' && key !== null && !Array.isArray(key)) return fromJwk({ ...key })
  throw keyRefused('The key is neither text, bytes, a JWK nor a key object')
}

/** By its tag: Node 20 has no class to compare with at `node:crypto`, and other realms have their own. */
function isCryptoKey(key: unknown): key is webcrypto.CryptoKey {
  return Object.prototype.toString.call(key) === '[object CryptoKey]'
}

function fromText(text: string, passphrase: string | undefined): ReadKey {
  if (text.trimStart().startsWith('{')) return fromJwk(parsed(text))
  const block = privateKeyBlock(text)
  if (block === null) throw keyRefused('The key is a text that is neither PEM nor a JWK')
  return { key: decrypted({ key: block.pem, format: 'pem' }, block.encrypted, passphrase) }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // The parser's own message quotes the text, which is a private key.
  }
  throw keyRefused('The key looks like a JWK but is not valid JSON')
}

function fromJwk(jwk: Record<string, unknown>): ReadKey {
  refuseUnfitJwk(jwk)
  if (jwk['kty'] === 'EC' && jwk['crv'] !== 'P-256') throw keyRefused(`The key is on the curve ${shown(jwk['crv'])}`)
  try {
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    return { key, kid: optionalText(jwk['kid']), alg: optionalText(jwk['alg']) }
  } catch {
    throw keyRefused('The JWK is damaged: a member is missing or does not decode')
  }
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function fromBytes(bytes: Uint8Array, passphrase: string | undefined): KeyObject {
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart()
  if (start.startsWith('-----BEGIN') || start.startsWith('{')) {
    return fromText(new TextDecoder().decode(bytes), passphrase).key
  }
  const der = Buffer.from(bytes)
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    const key = attempt(() => createPrivateKey({ key: der, format: 'der', type }))
    if (key !== undefined) return usable(key)
  }
  if (attempt(() => new X509Certificate(der)) !== undefined) throw keyRefused('The key is a certificate')
  for (const type of ['spki', 'pkcs1'] as const) {
    if (attempt(() => createPublicKey({ key: der, format: 'der', type })) !== undefined) {
      throw keyRefused('The key is a public key')
    }
  }
  // Only an encrypted PKCS#8 begins with SEQUENCE { SEQUENCE …; anything else here is no key at all.
  if (der[0] !== 0x30) throw keyRefused('The key is a run of bytes that is neither PEM nor DER')
  return decrypted({ key: der, format: 'der', type: 'pkcs8' }, true, passphrase)
}

type Encoded = { key: string; format: 'pem' } | { key: Buffer; format: 'der'; type: 'pkcs8' }

function decrypted(encoded: Encoded, encrypted: boolean, passphrase: string | undefined): KeyObject {
  if (encrypted && passphrase === undefined) {
    throw new ConfigError('passphrase', 'The key is encrypted (or damaged); give its passphrase')
  }
  const key = attempt(() => createPrivateKey(encrypted ? { ...encoded, passphrase } : encoded))
  if (key !== undefined) return usable(key)
  if (encrypted) throw new ConfigError('passphrase', 'The passphrase does not open the key, or the key is damaged')
  throw keyRefused('The PEM text is damaged')
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined // the caller refuses in its own words; OpenSSL's would only name an internal routine
  }
}

function fromCryptoKey(key: webcrypto.CryptoKey): KeyObject {
  const { name } = key.algorithm
  if (key.type === 'private') {
    if (name === 'RSA-PSS') throw keyRefused('The key is an RSA-PSS key')
    const hash = 'hash' in key.algorithm ? (key.algorithm.hash as { name?: string }).name : undefined
    if (name === 'RSASSA-PKCS1-v1_5' && hash !== 'SHA-256') throw keyRefused(`The CryptoKey signs with ${shown(hash)}`)
    if (!key.usages.includes('sign')) throw keyRefused('The CryptoKey may not sign (its usages lack "sign")')
  }
  return KeyObject.from(key)
}

function usable(key: KeyObject): KeyObject {
  if (key.type === 'secret') throw keyRefused('The key is a symmetric key')
  if (key.type === 'public') throw keyRefused('The key is a public key')
  return key
}

/** The algorithm that follows from the key: RSA → RS256, P-256 → ES256; every other key is refused. */
export function algorithmOf(key: KeyObject): 'RS256' | 'ES256' {
  const type = key.asymmetricKeyType
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (type === 'rsa') {
    if (modulusLength < 2048) throw keyRefused(`The RSA key has ${modulusLength} bits`)
    return 'RS256'
  }
  if (type === 'rsa-pss') throw keyRefused('The key is an RSA-PSS key')
  if (type !== 'ec') throw keyRefused(`The key is of type ${shown(type)}`)
  if (namedCurve !== 'prime256v1') throw keyRefused(`The key is on the curve ${shown(namedCurve)}`)
  return 'ES256'
}
