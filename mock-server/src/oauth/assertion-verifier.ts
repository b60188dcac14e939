import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import type { ClientAssertion } from '../domain/client-assertion.js'
import type { PublicJwk } from '../domain/keys.js'

/** Finds the key that verifies an assertion; undefined when none does. */
export type VerifyAssertion = (assertion: ClientAssertion, keys: readonly PublicJwk[]) => PublicJwk | undefined

/** Only what makes the key: other members of a JWK are ours to judge, not the importer's. */
const material = ({ kty, n, e, crv, x, y }: PublicJwk) =>
  (kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) as JsonWebKey

/**
 * Node verifies, in this turn: one signature takes less time than handing it to another thread and back. Each key is
 * imported once for as long as its record lives.
 */
export const createAssertionVerifier = (): VerifyAssertion => {
  const imported = new WeakMap<PublicJwk, KeyObject>()
  const importOnce = (key: PublicJwk): KeyObject => {
    const known = imported.get(key) ?? createPublicKey({ key: material(key), format: 'jwk' })
    imported.set(key, known)
    return known
  }
  return ({ text }, keys) => {
    const end = text.lastIndexOf('.')
    const input = Buffer.from(text.slice(0, end), 'ascii')
    const signature = Buffer.from(text.slice(end + 1), 'base64url')
    return keys.find((key) => {
      try {
        // RS256 and ES256 (RFC 7518 §3.3, §3.4): both hash by SHA-256; ES256 signs as r and s side by side, not in DER.
        return verify('sha256', input, { key: importOnce(key), dsaEncoding: 'ieee-p1363' }, signature)
      } catch {
        // Whatever its class, an exception here is a signature that this key did not verify.
        return false
      }
    })
  }
}
