import type { webcrypto } from 'node:crypto'
import type { JWK_EC_Public, JWK_RSA_Public } from 'jose'
import { readKey } from '#keys'
import { checkedNames, must } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'
import { inspectSymbol } from '../http/token-provider.js'
import { type Jwk, keyRefused, type SignerSource, shown, webCrypto } from './key-form.js'

/** The signature algorithms a client assertion may use. */
export type SigningAlgorithm = 'RS256' | 'ES256'

/**
 * A public key as a JWKS publishes it (RFC 7517); `kid` is always there, because the service wants
 * it on every key.
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
 * Whatever can sign a client assertion: a local key, or a key service. `sign` gets the JWT's
 * signing input and returns the raw signature (ES256: 64 bytes r‖s). `publicJwk` is only needed by
 * {@link publicJwks}.
 *
 * @example
 * ```ts
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

/**
 * Imports a private key once, into a key that cannot be read back, and returns its signer. `alg`
 * follows the key (RSA → RS256, P-256 → ES256); `kid` is the given one, else the JWK's.
 *
 * @throws ConfigError `config` in one sentence that says what was given and what fits; the key is
 * never echoed.
 * @example
 * ```ts
 * const signer = await createSigner({ key: process.env.SIGNING_KEY ?? '', kid: 'release-2026' })
 * ```
 */
export async function createSigner(source: SignerSource): Promise<AssertionSigner> {
  const { alg: wanted } = checkedNames('source', source, {
    key: true,
    kid: true,
    alg: true,
    passphrase: true,
  })
  if (wanted !== undefined) checkAlgorithm(wanted)
  const read = await readKey(source)
  const { alg, jwk } = read
  for (const named of [wanted, read.named]) {
    if (named !== undefined && named !== alg) {
      throw new ConfigError(
        'alg',
        `The algorithm ${named} does not fit the key, which signs with ${alg}`,
      )
    }
  }
  const kid = source.kid ?? read.kid
  if (kid !== undefined && (typeof kid !== 'string' || kid === '')) {
    throw new ConfigError('kid', 'The key id must be a non-empty string')
  }
  const publicJwk = jwk === undefined ? undefined : await publish(jwk, alg, kid)
  const handle = read.handle as webcrypto.CryptoKey | undefined
  const key = handle ?? (await handleOf({ ...jwk } as webcrypto.JsonWebKey, alg))
  const sign = async (input: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign(webCrypto[alg], key, new Uint8Array(input)))
  return {
    alg,
    ...(kid !== undefined && { kid }),
    ...(publicJwk !== undefined && { publicJwk }),
    sign,
  }
}

function checkAlgorithm(alg: string): void {
  if (alg === 'RS256' || alg === 'ES256') return
  throw new ConfigError('alg', `The algorithm ${shown(alg)} is not accepted; use RS256 or ES256`)
}

async function handleOf(
  jwk: webcrypto.JsonWebKey,
  alg: SigningAlgorithm,
): Promise<webcrypto.CryptoKey> {
  try {
    return await crypto.subtle.importKey('jwk', jwk, webCrypto[alg], false, ['sign'])
  } catch {
    throw keyRefused('The JWK is damaged: a member is missing or does not decode')
  }
}

async function publish(
  { n, e, x, y }: Jwk,
  alg: SigningAlgorithm,
  kid: string | undefined,
): Promise<PublicJwk> {
  if (n !== undefined && e !== undefined) {
    return {
      kty: 'RSA',
      kid: kid ?? (await thumbprint({ kty: 'RSA', n, e })),
      alg,
      use: 'sig',
      n,
      e,
    }
  }
  if (x === undefined || y === undefined) throw keyRefused('The key has no public half')
  const named = kid ?? (await thumbprint({ kty: 'EC', crv: 'P-256', x, y }))
  return { kty: 'EC', kid: named, alg, use: 'sig', crv: 'P-256', x, y }
}

/** RFC 7638. */
async function thumbprint(jwk: JWK_EC_Public | JWK_RSA_Public): Promise<string> {
  const { calculateJwkThumbprint } = await import('jose/jwk/thumbprint')
  return calculateJwkThumbprint(jwk)
}

/**
 * A fresh key pair: publish `publicJwk`, keep what `revealPem()` or `revealJwk()` returns, sign
 * with `signer`. The object prints without the private half.
 */
export interface GeneratedSigningKey {
  readonly alg: SigningAlgorithm
  readonly kid: string
  readonly publicJwk: PublicJwk
  readonly signer: AssertionSigner
  revealPem(): string
  revealJwk(): Jwk & { kid: string; alg: SigningAlgorithm; use: 'sig' }
}

/**
 * Makes a key pair for client assertions: P-256 for ES256, RSA of `modulusLength` bits (default
 * 3072) for RS256. `kid` defaults to the RFC 7638 thumbprint.
 *
 * @throws ConfigError `config` for another algorithm, or a modulus below 2048 bits.
 * @example
 * ```ts
 * const { kid, publicJwk } = await generateSigningKey({ alg: 'RS256', modulusLength: 4096 })
 * ```
 */
export async function generateSigningKey(params: {
  alg: SigningAlgorithm
  modulusLength?: number | undefined
  kid?: string | undefined
}): Promise<GeneratedSigningKey> {
  const { alg, modulusLength = 3072 } = checkedNames('params', params, {
    alg: true,
    modulusLength: true,
    kid: true,
  })
  checkAlgorithm(alg)
  if (!Number.isInteger(modulusLength) || modulusLength < 2048 || modulusLength > 8192) {
    throw new ConfigError('modulusLength', 'The modulus length must be 2048 to 8192 bits')
  }
  const shape =
    alg === 'RS256'
      ? { ...webCrypto.RS256, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) }
      : webCrypto.ES256
  const { privateKey } = (await crypto.subtle.generateKey(shape, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
  const exported = (await crypto.subtle.exportKey('jwk', privateKey)) as webcrypto.JsonWebKey
  const { key_ops: _, ext: __, alg: ___, ...jwk } = exported
  const publicJwk = await publish(jwk, alg, params.kid)
  const { kid } = publicJwk
  const made = {
    alg,
    kid,
    publicJwk,
    signer: await createSigner({ key: jwk, kid }),
    revealPem: () => pemOf(pkcs8),
    revealJwk: () => ({ ...jwk, kid, alg, use: 'sig' as const }),
    toJSON: () => ({ publicJwk }),
    [inspectSymbol]: () => `GeneratedSigningKey ${alg} ${kid} [redacted]`,
  }
  return made
}

function pemOf(pkcs8: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...pkcs8)).match(/.{1,64}/g) ?? []
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
}

/**
 * The public key set to register or to serve at the application's JWKS URI. During a rotation put
 * both signers in, for the hour a server may cache the set.
 *
 * @throws ConfigError `config` for a signer without `publicJwk` (a key service), and for two keys
 * with one `kid`.
 * @example
 * ```ts
 * const signers = [await createSigner({ key: process.env.OLD_KEY ?? '' }), await createSigner({ key: process.env.NEW_KEY ?? '' })]
 * console.log(JSON.stringify(publicJwks(signers), null, 2))
 * ```
 */
export function publicJwks(signers: Iterable<Pick<AssertionSigner, 'publicJwk'>>): {
  keys: PublicJwk[]
} {
  if (typeof signers?.[Symbol.iterator] !== 'function')
    throw must('signers', 'be a list of signers')
  const keys = new Map<string, PublicJwk>()
  for (const { publicJwk } of signers) {
    const missing =
      'A signer has no publicJwk; export the public key from your key service and add it'
    if (publicJwk === undefined) throw new ConfigError('signers', missing)
    const { kid } = publicJwk
    if (keys.has(kid))
      throw new ConfigError('signers', `Two keys share the kid ${JSON.stringify(kid)}`)
    keys.set(kid, publicJwk)
  }
  return { keys: [...keys.values()] }
}
