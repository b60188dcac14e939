import { hash } from 'node:crypto'

/** SHA-256 of a secret in hex. The store keeps this digest instead of the secret. */
export function digest(text: string): string {
  return hash('sha256', text)
}

/** The digest that identifies an assertion, from the client_id and the jti. */
export function assertionDigest(client_id: string, jti: string): string {
  return digest(JSON.stringify([client_id, jti]))
}
