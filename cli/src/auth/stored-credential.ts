import { isJsonObject } from '../config/json-file.js'

/**
 * A login as a store keeps it. A token is used for the origin it was issued for and nowhere else.
 */
export interface StoredCredential {
  readonly origin: string
  /** Where the refresh token was issued, and so where alone it may go. */
  readonly authOrigin: string
  readonly access_token: string
  readonly refresh_token?: string | undefined
  /** Epoch milliseconds; null when no end is known. */
  readonly expiresAt: number | null
  /** Space-delimited, as granted. */
  readonly scope: string
  /** Null for a token that was pasted. */
  readonly client_id: string | null
  /** Epoch milliseconds. */
  readonly obtainedAt: number
  /** A renewal has begun, and its answer is not kept yet. */
  readonly isRenewing?: boolean | undefined
}

export type NewToken = Omit<StoredCredential, 'origin' | 'authOrigin' | 'obtainedAt' | 'isRenewing'>

/** A token as a store keeps it, got from that server at that time. */
export function newCredential(
  baseUrl: string,
  authUrl: string,
  obtainedAt: number,
  token: NewToken,
): StoredCredential {
  return {
    origin: new URL(baseUrl).origin,
    authOrigin: new URL(authUrl).origin,
    ...token,
    obtainedAt,
  }
}

/** Reads what a store holds; null when it is no credential. */
export function readCredential(value: unknown): StoredCredential | null {
  if (!isJsonObject(value)) return null
  const {
    origin,
    authOrigin,
    access_token,
    refresh_token,
    expiresAt,
    scope,
    client_id,
    obtainedAt,
    isRenewing,
  } = value
  if (typeof origin !== 'string' || typeof access_token !== 'string' || access_token === '')
    return null
  return {
    origin,
    authOrigin: typeof authOrigin === 'string' ? authOrigin : origin,
    access_token,
    ...(typeof refresh_token === 'string' && refresh_token !== '' ? { refresh_token } : {}),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : null,
    scope: typeof scope === 'string' ? scope : '',
    client_id: typeof client_id === 'string' ? client_id : null,
    obtainedAt: typeof obtainedAt === 'number' ? obtainedAt : 0,
    ...(isRenewing === true ? { isRenewing } : {}),
  }
}

export interface CredentialStore {
  readonly kind: 'keyring' | 'file'
  /** For people: `the system keyring`, or the path of the file. */
  readonly place: string
  /** Proves that it can be written, so that no token is asked for that could not be kept. */
  probe(): Promise<void>
  load(contextName: string): Promise<StoredCredential | null>
  save(contextName: string, credential: StoredCredential): Promise<void>
  /** False when there was none. */
  remove(contextName: string): Promise<boolean>
}
