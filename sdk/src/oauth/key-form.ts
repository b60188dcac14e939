import type { webcrypto } from 'node:crypto'
import { isBytes } from '../base/checked.js'
import { tried } from '../base/tried.js'
import { ConfigError } from '../errors/errors.js'

type JwkText =
  | 'kty'
  | 'kid'
  | 'alg'
  | 'use'
  | 'crv'
  | 'x'
  | 'y'
  | 'n'
  | 'e'
  | 'd'
  | 'p'
  | 'q'
  | 'dp'
  | 'dq'
  | 'qi'

/** A private key as JSON (RFC 7517), RSA or EC. */
export type Jwk = { readonly [K in JwkText]?: string | undefined } & {
  readonly key_ops?: readonly string[] | undefined
}

/** A `CryptoKey`, or a `KeyObject` of `node:crypto`. */
export interface KeyHandle {
  readonly type: string
}

/**
 * Where a signer's private key comes from: PEM or JWK text, PEM or DER bytes, a JWK, or a key
 * object. Where there is no `node:crypto`, PEM and DER must be PKCS#8 and not encrypted.
 */
export interface SignerSource {
  readonly key: string | Uint8Array | Jwk | KeyHandle
  readonly kid?: string | undefined
  readonly alg?: 'RS256' | 'ES256' | undefined
  readonly passphrase?: string | undefined
}

/** A private key that was read, and what its JWK said of itself. */
export interface ReadKey {
  /** Follows the key. */
  readonly alg: 'RS256' | 'ES256'
  /** Its members and no others; absent for a key that cannot be taken out of `handle`. */
  readonly jwk?: Jwk | undefined
  readonly handle?: KeyHandle | undefined
  readonly kid?: string | undefined
  readonly named?: string | undefined
}

/** How WebCrypto names the two algorithms. */
export const webCrypto = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const

/** What a key is given as, as far as its form tells. */
export type KeyForm =
  | { readonly jwk: Readonly<Record<string, unknown>> }
  | { readonly pem: string; readonly encrypted: boolean }
  | { readonly der: Uint8Array }
  | { readonly handle: KeyHandle }

/** Tells the form of a key, or refuses it in one sentence. */
export function formOf(key: unknown): KeyForm {
  if (typeof key === 'string') return ofText(key)
  if (isBytes(key)) {
    const start = new TextDecoder().decode(key.subarray(0, 64)).trimStart()
    return /^(-----BEGIN|\{)/.test(start) ? ofText(new TextDecoder().decode(key)) : { der: key }
  }
  // By its tag: Node 20 has no class to compare with at `node:crypto`, and other realms have their
  // own.
  if (Object.prototype.toString.call(key) === '[object CryptoKey]')
    return ofHandle(key as webcrypto.CryptoKey)
  if (typeof key === 'object' && key !== null && !Array.isArray(key)) return ofJwk({ ...key })
  throw keyRefused('The key is neither text, bytes, a JWK nor a key object')
}

function ofText(text: string): KeyForm {
  if (text.trimStart().startsWith('{')) return ofJwk(parsed(text))
  const block = privateKeyBlock(text)
  if (block === null) throw noKey(text)
  return block
}

function parsed(text: string): Record<string, unknown> {
  const value: unknown = tried(() => JSON.parse(text))
  if (typeof value === 'object' && value !== null) return { ...value }
  throw keyRefused('The key looks like a JWK but is not valid JSON')
}

function ofJwk(jwk: Record<string, unknown>): KeyForm {
  refuseUnfitJwk(jwk)
  if (jwk['kty'] === 'EC' && jwk['crv'] !== 'P-256')
    throw keyRefused(`The key is on the curve ${shown(jwk['crv'])}`)
  return { jwk }
}

function ofHandle(handle: webcrypto.CryptoKey): KeyForm {
  const { name } = handle.algorithm
  if (handle.type === 'secret') throw keyRefused('The key is a symmetric key')
  if (handle.type === 'public') throw keyRefused('The key is a public key')
  if (name === 'RSA-PSS') throw keyRefused('The key is an RSA-PSS key')
  const hash =
    'hash' in handle.algorithm ? (handle.algorithm.hash as { name?: string }).name : undefined
  if (name === 'RSASSA-PKCS1-v1_5' && hash !== 'SHA-256')
    throw keyRefused(`The CryptoKey signs with ${shown(hash)}`)
  if (!handle.usages.includes('sign'))
    throw keyRefused('The CryptoKey may not sign (its usages lack "sign")')
  return { handle }
}

/** A member that is a text; any other counts as absent. */
export function textIn(jwk: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = jwk[member]
  return typeof value === 'string' ? value : undefined
}

/** What fits, said once: every refusal of a key ends with it. */
const fits = 'give an RSA private key of at least 2048 bits (RS256) or a P-256 private key (ES256)'

/** The refusal of a key: what was given, then what fits. Nothing of the key itself is in it. */
export function keyRefused(what: string, advice = fits): ConfigError {
  return new ConfigError('key', `${what}; ${advice}`)
}

const armoured: readonly (readonly [RegExp, string, string?])[] = [
  [
    /^OPENSSH PRIVATE KEY$/,
    'The key is an OpenSSH file',
    'convert with ssh-keygen -p -m PKCS8 -f <file>, or give PEM (PKCS#8, PKCS#1 or SEC1)',
  ],
  [/CERTIFICATE/, 'The key is a certificate, which holds a public key only'],
  [/PUBLIC KEY/, 'The key is a public key'],
  [/^PGP /, 'The key is an OpenPGP key'],
]

/**
 * The one private-key block of a PEM text, null without any; environment variables often spell its
 * line breaks as `\n`.
 */
export function privateKeyBlock(text: string): { pem: string; encrypted: boolean } | null {
  const lines = text.replaceAll('\\r', '').replaceAll('\\n', '\n').trim()
  const blocks = [...lines.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)]
  const key = blocks.find(
    ([, label = '']) => /PRIVATE KEY$/.test(label) && label !== 'OPENSSH PRIVATE KEY',
  )
  if (key !== undefined) {
    const [pem, label = ''] = key
    return {
      pem: `${pem}\n`,
      encrypted: label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: *4,ENCRYPTED/m.test(pem),
    }
  }
  const label = blocks[0]?.[1]
  if (label === undefined) {
    if (/^(ssh-|ecdsa-sha2-)/.test(lines))
      throw keyRefused('The key is a public key in OpenSSH form')
    return null
  }
  for (const [pattern, what, advice] of armoured)
    if (pattern.test(label)) throw keyRefused(what, advice)
  throw keyRefused(`The PEM text holds no private key but ${label}`)
}

/** The refusal of a text that holds no key: variables often hold one in base64, or where it is. */
function noKey(text: string): ConfigError {
  const word = text.trim()
  // So begin "-----BEGIN", the sequences of DER and a JWK.
  if (/^(LS0tLS1CRUdJTi|MI[GIH]|MHcC|eyJ)/.test(word))
    return keyRefused('The key is in base64', 'give what it decodes to')
  if (word.length < 300 && /^([~./\\]|[A-Za-z]:)|\.(pem|key|jwk|json)$/.test(word)) {
    return keyRefused('The key looks like the path of a file', 'give what the file holds')
  }
  return keyRefused('The key is a text that is neither PEM nor a JWK')
}

const signatureAlgorithms = new Set(['RS256', 'ES256'])

/** Refuses a JWK whose own members say that it cannot sign here (RFC 7517 §4). */
export function refuseUnfitJwk(jwk: Record<string, unknown>): void {
  const { kty, alg, use, key_ops } = jwk
  if (Array.isArray(jwk['keys']))
    throw keyRefused('The key is a JWK set', 'give one private key of it')
  if (typeof kty !== 'string')
    throw keyRefused('The key is an object without `kty`, so it is not a JWK')
  if (kty === 'oct') throw keyRefused('The key is a symmetric key')
  if (kty !== 'RSA' && kty !== 'EC') throw keyRefused(`The key is a JWK of type ${shown(kty)}`)
  if (jwk['d'] === undefined) throw keyRefused('The key is a public JWK (it has no `d`)')
  if (use !== undefined && use !== 'sig')
    throw keyRefused('The JWK is not for signatures (`use` is not "sig")')
  if (key_ops !== undefined && !(Array.isArray(key_ops) && key_ops.includes('sign'))) {
    throw keyRefused('The JWK is not for signing (`key_ops` lacks "sign")')
  }
  if (alg !== undefined && !signatureAlgorithms.has(String(alg))) {
    throw keyRefused(`The JWK is for ${shown(alg)}`)
  }
}

/**
 * A short word from the caller's own key, safe to print: algorithm and type names, nothing longer.
 */
export function shown(word: unknown): string {
  return typeof word === 'string' && /^[\w.+-]{1,20}$/.test(word) ? word : 'an unknown kind'
}
