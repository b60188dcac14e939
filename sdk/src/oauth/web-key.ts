import type { webcrypto } from 'node:crypto'
import { tried } from '../base/tried.js'
import {
  formOf,
  type Jwk,
  keyRefused,
  type ReadKey,
  type SignerSource,
  textIn,
  webCrypto,
} from './key-form.js'

const conversion = 'convert it: openssl pkcs8 -topk8 -nocrypt -in key.pem -out pkcs8.pem'

/**
 * Reads what WebCrypto reads: PKCS#8, a JWK, a CryptoKey. Every other form is refused with the way
 * to turn it into one.
 */
export async function readKey({ key }: SignerSource): Promise<ReadKey> {
  const form = formOf(key)
  if ('handle' in form) return ofHandle(form.handle as webcrypto.CryptoKey)
  if ('der' in form) return ofPkcs8(form.der)
  if ('jwk' in form)
    return { ...ofJwk(form.jwk), kid: textIn(form.jwk, 'kid'), named: textIn(form.jwk, 'alg') }
  if (form.encrypted)
    throw keyRefused('The key is encrypted, which cannot be undone here', conversion)
  if (!form.pem.startsWith('-----BEGIN PRIVATE KEY-----')) {
    throw keyRefused('The key is PKCS#1 or SEC1, and only PKCS#8 is read here', conversion)
  }
  return ofPkcs8(bytesOf(form.pem))
}

function bytesOf(pem: string): Uint8Array {
  const text = tried(() => atob(pem.replace(/-----[^-]+-----|\s/g, '')))
  if (text === undefined) throw keyRefused('The PEM text is damaged')
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

async function ofPkcs8(der: Uint8Array): Promise<ReadKey> {
  for (const algorithm of [webCrypto.ES256, webCrypto.RS256]) {
    // The key of an algorithm that it does not fit is none.
    const handle = await crypto.subtle
      .importKey('pkcs8', new Uint8Array(der), algorithm, true, ['sign'])
      .catch(() => undefined)
    if (handle !== undefined) return ofHandle(handle)
  }
  throw keyRefused('The key is not a PKCS#8 RSA or P-256 key, or it is damaged', conversion)
}

async function ofHandle(handle: webcrypto.CryptoKey): Promise<ReadKey> {
  if (handle.extractable) return ofJwk({ ...(await crypto.subtle.exportKey('jwk', handle)) })
  return { alg: handle.algorithm.name === 'ECDSA' ? 'ES256' : 'RS256', handle }
}

const members = ['kty', 'crv', 'x', 'y', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const

function ofJwk(given: Readonly<Record<string, unknown>>): ReadKey {
  const found = members.map((member) => [member, textIn(given, member)] as const)
  const jwk: Jwk = Object.fromEntries(found.filter(([, value]) => value !== undefined))
  if (jwk.kty === 'EC') return { alg: 'ES256', jwk }
  const bits = Math.floor(((jwk.n ?? '').length * 6) / 8) * 8
  if (bits < 2048) throw keyRefused(`The RSA key has ${bits} bits`)
  return { alg: 'RS256', jwk }
}
