import { createPublicKey, KeyObject, type webcrypto } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { checkedObject } from '../checked.js'
import { ConfigError } from '../errors.js'
import { keyRefused, shown } from './key-refusals.js'
import { algorithmOf, readKey, type SignerSource } from './private-key.js'

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

/** The signature algorithms a client assertion may use. */
export type SigningAlgorithm = 'RS256' | 'ES256'

/**
 * A public key as a JWKS publishes it (RFC 7517); `kid` is always there, because the service wants it on every key.
 *
 * @example
 * ```ts
 * import type { PublicJwk } from '@buildwire/sdk'
 * const jwks = (keys: PublicJwk[]) => JSON.stringify({ keys })
 * ```
 */
export interface PublicJwk {
  readonly kty: 'RSA' | 'EC'
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly use: 'sig'
  readonly n?: string
  readonly e?: string
  readonly crv?: 'P-256'
  readonly x?: string
  readonly y?: string
}

/**
 * Whatever can sign a client assertion: a local key, or a key service. `sign` gets the JWT's signing input and returns the raw
 * signature (ES256: 64 bytes r‖s). `publicJwk` is only needed by {@link publicJwks}.
 *
 * @example
 * ```ts
 * import { ecdsaDerToJose, type AssertionSigner } from '@buildwire/sdk'
 * const fromKeyService = (signWithKms: (input: Uint8Array) => Promise<Uint8Array>): AssertionSigner => ({
 *   alg: 'ES256',
 *   kid: 'release-2026',
 *   sign: async (input) => ecdsaDerToJose(await signWithKms(input)),
 * })
 * ```
 */
export interface AssertionSigner {
  readonly alg: SigningAlgorithm
  readonly kid?: string | undefined
  readonly publicJwk?: PublicJwk | undefined
  sign(input: Uint8Array): Promise<Uint8Array>
}

const webCrypto = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const

/**
 * Imports a private key once, into a key that cannot be read back, and returns its signer. `alg` follows the key (RSA → RS256,
 * P-256 → ES256); `kid` is the given one, else the JWK's.
 *
 * @throws ConfigError `config` in one sentence that says what was given and what fits; the key is never echoed.
 * @example
 * ```ts
 * import { createSigner } from '@buildwire/sdk'
 * const signer = await createSigner({ key: process.env.SIGNING_KEY ?? '', kid: 'release-2026' })
 * ```
 */
export async function createSigner(source: SignerSource): Promise<AssertionSigner> {
  const { alg: wanted } = checkedObject('source', source, '{ key }')
  if (wanted !== undefined && wanted !== 'RS256' && wanted !== 'ES256') {
    throw new ConfigError('alg', `The algorithm ${shown(wanted)} is not accepted; use RS256 or ES256`)
  }
  const read = readKey(source)
  const alg = algorithmOf(read.key)
  for (const named of [wanted, read.alg]) {
    if (named !== undefined && named !== alg) {
      throw new ConfigError('alg', `The algorithm ${named} does not fit the key, which signs with ${alg}`)
    }
  }
  const kid = source.kid ?? read.kid
  if (kid !== undefined && (typeof kid !== 'string' || kid === '')) {
    throw new ConfigError('kid', 'The key id must be a non-empty string')
  }
  const publicJwk = await publish(read.key, alg, kid)
  const pkcs8 = read.key.export({ format: 'der', type: 'pkcs8' })
  const key = await crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), webCrypto[alg], false, ['sign'])
  pkcs8.fill(0)
  return new LocalSigner(key, alg, kid, publicJwk)
}

class LocalSigner implements AssertionSigner {
  readonly alg: SigningAlgorithm
  declare readonly kid?: string | undefined
  readonly publicJwk: PublicJwk
  readonly #key: webcrypto.CryptoKey

  constructor(key: webcrypto.CryptoKey, alg: SigningAlgorithm, kid: string | undefined, publicJwk: PublicJwk) {
    this.#key = key
    this.alg = alg
    this.publicJwk = publicJwk
    if (kid !== undefined) this.kid = kid
  }

  async sign(input: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign(webCrypto[this.alg], this.#key, new Uint8Array(input)))
  }
}

async function publish(key: KeyObject, alg: SigningAlgorithm, kid: string | undefined): Promise<PublicJwk> {
  const { n, e, x, y } = createPublicKey(key).export({ format: 'jwk' })
  if (n !== undefined && e !== undefined) {
    return { kty: 'RSA', kid: kid ?? (await calculateJwkThumbprint({ kty: 'RSA', n, e })), alg, use: 'sig', n, e }
  }
  if (x === undefined || y === undefined) throw keyRefused('The key has no public half')
  const thumbprint = kid ?? (await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y }))
  return { kty: 'EC', kid: thumbprint, alg, use: 'sig', crv: 'P-256', x, y }
}

/**
 * A fresh key pair: publish `publicJwk`, keep what `revealPem()` or `revealJwk()` returns, sign with `signer`. The object prints
 * without the private half.
 *
 * @example
 * ```ts
 * import { generateSigningKey, publicJwks } from '@buildwire/sdk'
 * const key = await generateSigningKey({ alg: 'ES256' })
 * console.log(JSON.stringify(publicJwks([key])))
 * ```
 */
export interface GeneratedSigningKey {
  readonly alg: SigningAlgorithm
  readonly kid: string
  readonly publicJwk: PublicJwk
  readonly signer: AssertionSigner
  revealPem(): string
  revealJwk(): webcrypto.JsonWebKey & { kid: string; alg: SigningAlgorithm; use: 'sig' }
}

class FreshKey implements GeneratedSigningKey {
  readonly #key: KeyObject
  readonly signer: AssertionSigner
  readonly publicJwk: PublicJwk

  constructor(key: KeyObject, signer: AssertionSigner, publicJwk: PublicJwk) {
    this.#key = key
    this.signer = signer
    this.publicJwk = publicJwk
  }

  get alg(): SigningAlgorithm {
    return this.publicJwk.alg
  }

  get kid(): string {
    return this.publicJwk.kid
  }

  revealPem(): string {
    return this.#key.export({ format: 'pem', type: 'pkcs8' }).toString()
  }

  revealJwk(): webcrypto.JsonWebKey & { kid: string; alg: SigningAlgorithm; use: 'sig' } {
    return { ...this.#key.export({ format: 'jwk' }), kid: this.kid, alg: this.alg, use: 'sig' }
  }

  toJSON(): object {
    return { publicJwk: this.publicJwk }
  }

  [inspectSymbol](): string {
    return `GeneratedSigningKey ${this.alg} ${this.kid} [redacted]`
  }
}

/**
 * Makes a key pair for client assertions: P-256 for ES256, RSA of `modulusLength` bits (default 3072) for RS256. `kid` defaults to
 * the RFC 7638 thumbprint.
 *
 * @throws ConfigError `config` for another algorithm, or a modulus below 2048 bits.
 * @example
 * ```ts
 * import { generateSigningKey } from '@buildwire/sdk'
 * const { kid, publicJwk } = await generateSigningKey({ alg: 'RS256', modulusLength: 4096 })
 * ```
 */
export async function generateSigningKey(params: {
  alg: SigningAlgorithm
  modulusLength?: number | undefined
  kid?: string | undefined
}): Promise<GeneratedSigningKey> {
  const { alg, modulusLength = 3072 } = checkedObject('params', params, '{ alg }')
  if (alg !== 'RS256' && alg !== 'ES256') {
    throw new ConfigError('alg', `The algorithm ${shown(alg)} is not accepted; use RS256 or ES256`)
  }
  if (!Number.isInteger(modulusLength) || modulusLength < 2048 || modulusLength > 8192) {
    throw new ConfigError('modulusLength', 'The modulus length must be 2048 to 8192 bits')
  }
  const shape =
    alg === 'RS256' ? { ...webCrypto.RS256, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) } : webCrypto.ES256
  const { privateKey } = (await crypto.subtle.generateKey(shape, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const key = KeyObject.from(privateKey)
  const publicJwk = await publish(key, alg, params.kid)
  return new FreshKey(key, await createSigner({ key, kid: publicJwk.kid }), publicJwk)
}

/**
 * The public key set to register or to serve at the application's JWKS URI. During a rotation put both signers in, for the hour
 * a server may cache the set.
 *
 * @throws ConfigError `config` for a signer without `publicJwk` (a key service), and for two keys with one `kid`.
 * @example
 * ```ts
 * import { createSigner, publicJwks } from '@buildwire/sdk'
 * const signers = [await createSigner({ key: process.env.OLD_KEY ?? '' }), await createSigner({ key: process.env.NEW_KEY ?? '' })]
 * console.log(JSON.stringify(publicJwks(signers), null, 2))
 * ```
 */
export function publicJwks(signers: Iterable<Pick<AssertionSigner, 'publicJwk'>>): { keys: PublicJwk[] } {
  if (typeof signers?.[Symbol.iterator] !== 'function')
    throw new ConfigError('signers', 'signers must be a list of signers')
  const keys = new Map<string, PublicJwk>()
  for (const { publicJwk } of signers) {
    if (publicJwk === undefined) {
      throw new ConfigError(
        'signers',
        'A signer has no publicJwk; export the public key from your key service and add it',
      )
    }
    if (keys.has(publicJwk.kid))
      throw new ConfigError('signers', `Two keys share the kid ${JSON.stringify(publicJwk.kid)}`)
    keys.set(publicJwk.kid, publicJwk)
  }
  return { keys: [...keys.values()] }
}
