import type { KeyObject, webcrypto } from 'node:crypto'
import { tried } from '../base/tried.js'
import { ConfigError } from '../errors/errors.js'
import { formOf, keyRefused, type ReadKey, type SignerSource, shown, textIn } from './key-form.js'

type NodeCrypto = typeof import('node:crypto')

/** Reads any of the accepted forms, or refuses in one sentence. */
export async function readKey({ key, passphrase }: SignerSource): Promise<ReadKey> {
  // Loaded late, because most programs sign nothing.
  const nodeCrypto = await import('node:crypto')
  const { createPrivateKey, KeyObject } = nodeCrypto
  if (key instanceof KeyObject) return fitting(usable(key))
  const form = formOf(key)
  if ('handle' in form) return fitting(KeyObject.from(form.handle as webcrypto.CryptoKey))
  if ('der' in form) return fitting(fromDer(nodeCrypto, form.der, passphrase))
  if ('pem' in form)
    return fitting(
      decrypted(nodeCrypto, { key: form.pem, format: 'pem' }, form.encrypted, passphrase),
    )
  const { jwk } = form
  const read = tried(() => createPrivateKey({ key: { ...jwk }, format: 'jwk' }))
  if (read === undefined)
    throw keyRefused('The JWK is damaged: a member is missing or does not decode')
  return { ...fitting(read), kid: textIn(jwk, 'kid'), named: textIn(jwk, 'alg') }
}

function fitting(key: KeyObject): ReadKey {
  return { alg: algorithmOf(key), jwk: key.export({ format: 'jwk' }) }
}

function fromDer(
  nodeCrypto: NodeCrypto,
  bytes: Uint8Array,
  passphrase: string | undefined,
): KeyObject {
  const { createPrivateKey, createPublicKey, X509Certificate } = nodeCrypto
  const der = Buffer.from(bytes)
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    const key = tried(() => createPrivateKey({ key: der, format: 'der', type }))
    if (key !== undefined) return usable(key)
  }
  if (tried(() => new X509Certificate(der)) !== undefined)
    throw keyRefused('The key is a certificate')
  for (const type of ['spki', 'pkcs1'] as const) {
    if (tried(() => createPublicKey({ key: der, format: 'der', type })) !== undefined) {
      throw keyRefused('The key is a public key')
    }
  }
  // Only an encrypted PKCS#8 begins with SEQUENCE { SEQUENCE …; anything else here is not a key.
  if (der[0] !== 0x30) throw keyRefused('The key is a run of bytes that is neither PEM nor DER')
  return decrypted(nodeCrypto, { key: der, format: 'der', type: 'pkcs8' }, true, passphrase)
}

type EncodedKey = { key: string; format: 'pem' } | { key: Buffer; format: 'der'; type: 'pkcs8' }

function decrypted(
  { createPrivateKey }: NodeCrypto,
  encoded: EncodedKey,
  encrypted: boolean,
  passphrase: string | undefined,
): KeyObject {
  if (encrypted && passphrase === undefined) {
    throw new ConfigError('passphrase', 'The key is encrypted (or damaged); give its passphrase')
  }
  const key = tried(() => createPrivateKey(encrypted ? { ...encoded, passphrase } : encoded))
  if (key !== undefined) return usable(key)
  if (encrypted)
    throw new ConfigError(
      'passphrase',
      'The passphrase does not open the key, or the key is damaged',
    )
  throw keyRefused('The PEM text is damaged')
}

function usable(key: KeyObject): KeyObject {
  if (key.type === 'secret') throw keyRefused('The key is a symmetric key')
  if (key.type === 'public') throw keyRefused('The key is a public key')
  return key
}

/**
 * The algorithm that follows from the key: RSA → RS256, P-256 → ES256; every other key is refused.
 */
function algorithmOf(key: KeyObject): 'RS256' | 'ES256' {
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
