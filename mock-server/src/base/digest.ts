import { hash } from 'node:crypto'

/** SHA-256 of a secret in hex: what the store keeps and looks up instead of the secret itself. */
export function digest(text: string): string {
  return hash('sha256', text)
}

/** Replay key of an assertion: application and jti in one unambiguous text. */
export function assertionDigest(client_id: string, jti: string): string {
  return digest(JSON.stringify([client_id, jti]))
}
