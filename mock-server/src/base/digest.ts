import { hash } from 'node:crypto'

/** SHA-256 of a secret in hex: what the store keeps and looks up instead of the secret itself. */
export const digest = (text: string): string => hash('sha256', text)

/** Replay key of an assertion: application and jti in one unambiguous text. */
export const assertionDigest = (client_id: string, jti: string): string =>
  digest(JSON.stringify([client_id, jti]))
