import type { CryptoKey, JWK } from 'jose'
import { once } from '../base/once.js'
import type { ClientAssertion } from '../domain/client-assertion.js'
import type { PublicJwk } from '../domain/keys.js'

/** Only the key itself: `acceptKey` and `chooseKeys` check the other members of a JWK. */
function material({ kty, n, e, crv, x, y }: PublicJwk) {
  return (kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) as JWK
}

/**
 * Verifies with jose, which works off the event loop and is loaded with the first assertion. Each
 * key is imported once.
 */
export function createAssertionVerifier() {
  const imported = new WeakMap<PublicJwk, Promise<CryptoKey | Uint8Array>>()
  /** Finds the key that verifies an assertion; undefined if there is none. */
  return async ({ text, alg }: ClientAssertion, keys: readonly PublicJwk[]) => {
    const { compactVerify, importJWK } = await import('jose')
    for (const key of keys) {
      const importing = once(imported, key, () => importJWK(material(key), alg))
      try {
        await compactVerify(text, await importing, { algorithms: [alg] })
        return key
      } catch {
        // Any exception means that this key does not verify the signature.
      }
    }
    return undefined
  }
}
