import type { webcrypto } from 'node:crypto'
import { tried } from '../base/tried.js'
import { keyRefused, noKey, privateKeyBlock, refuseUnfitJwk, shown } from './key-refusals.js'

type JwkText = 'kty' | 'kid' | 'alg' | 'use' | 'crv' | 'x' | 'y' | 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi'

/** A private key as JSON (RFC 7517), RSA or EC. */
export type Jwk = { readonly [K in JwkText]?: string | undefined } & {
  readonly key_ops?: readonly string[] | undefined
}

/** A `CryptoKey`, or a `KeyObject` of `node:crypto`. */
export interface KeyHandle {
  readonly type: string
}

/**
 * Where a signer's private key comes from: PEM or JWK text, PEM or DER bytes, a JWK, or a key object. Where there is no
 * `node:crypto`, PEM and DER must be PKCS#8 and not encrypted.
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
  if (key instanceof Uint8Array) {
    const start = new TextDecoder().decode(key.subarray(0, 64)).trimStart()
    return /^(-----BEGIN|\{)/.test(start) ? ofText(new TextDecoder().decode(key)) : { der: key }
  }
  // By its tag: Node 20 has no class to compare with at `node:crypto`, and other realms have their own.
  if (Object.prototype.toString.call(key) === '[object CryptoKey]') return ofHandle(key as webcrypto.CryptoKey)
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
  if (jwk['kty'] === 'EC' && jwk['crv'] !== 'P-256') throw keyRefused(`The key is on the curve ${shown(jwk['crv'])}`)
  return { jwk }
}

function ofHandle(handle: webcrypto.CryptoKey): KeyForm {
  const { name } = handle.algorithm
  if (handle.type === 'secret') throw keyRefused('The key is a symmetric key')
  if (handle.type === 'public') throw keyRefused('The key is a public key')
  if (name === 'RSA-PSS') throw keyRefused('The key is an RSA-PSS key')
  const hash = 'hash' in handle.algorithm ? (handle.algorithm.hash as { name?: string }).name : undefined
  if (name === 'RSASSA-PKCS1-v1_5' && hash !== 'SHA-256') throw keyRefused(`The CryptoKey signs with ${shown(hash)}`)
  if (!handle.usages.includes('sign')) throw keyRefused('The CryptoKey may not sign (its usages lack "sign")')
  return { handle }
}

/** A member that is a text; any other counts as absent. */
export function textIn(jwk: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = jwk[member]
  return typeof value === 'string' ? value : undefined
}
