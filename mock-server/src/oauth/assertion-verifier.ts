import type { CryptoKey, JWK } from 'jose'
import { once } from '../base/once.js'
import type { ClientAssertion } from '../domain/client-assertion.js'
import type { PublicJwk } from '../domain/keys.js'

/** Only what makes the key: other members of a JWK are ours to judge, not the importer's. */
function material({ kty, n, e, crv, x, y }: PublicJwk) {
  return (kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) as JWK
}

/**
 * jose verifies, off the event loop; loaded with the first assertion. Each key is imported once
 * while its record lives.
 */
export function createAssertionVerifier() {
  const imported = new WeakMap<PublicJwk, Promise<CryptoKey | Uint8Array>>()
  /** Finds the key that verifies an assertion; undefined when none does. */
  return async ({ text, alg }: ClientAssertion, keys: readonly PublicJwk[]) => {
    const { compactVerify, importJWK } = await import('jose')
    for (const key of keys) {
      const importing = once(imported, key, () => importJWK(material(key), alg))
      try {
        await compactVerify(text, await importing, { algorithms: [alg] })
        return key
      } catch {
        // Whatever its class, an exception here is a signature that this key did not verify.
      }
    }
    return undefined
  }
}
