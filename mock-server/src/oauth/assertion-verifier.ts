import { type CryptoKey, compactVerify, importJWK } from 'jose'
import type { ClientAssertion } from '../domain/client-assertion.js'
import type { PublicJwk } from '../domain/keys.js'

/** Finds the key that verifies an assertion; undefined when none does. */
export type VerifyAssertion = (assertion: ClientAssertion, keys: readonly PublicJwk[]) => Promise<PublicJwk | undefined>

/** Only what makes the key: other members of a JWK are ours to judge, not the importer's. */
const material = ({ kty, n, e, crv, x, y }: PublicJwk) =>
  (kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) as Parameters<typeof importJWK>[0]

/** jose does the arithmetic; each key is imported once for as long as its record lives. */
export const createAssertionVerifier = (): VerifyAssertion => {
  const imported = new WeakMap<PublicJwk, Promise<CryptoKey | Uint8Array>>()
  const importOnce = (key: PublicJwk, alg: string) => {
    const known = imported.get(key) ?? importJWK(material(key), alg)
    imported.set(key, known)
    return known
  }
  return async (assertion, keys) => {
    for (const key of keys) {
      try {
        await compactVerify(assertion.text, await importOnce(key, assertion.alg), { algorithms: [assertion.alg] })
        return key
      } catch {
        // Whatever its class, an exception here is a signature that this key did not verify.
      }
    }
    return undefined
  }
}
