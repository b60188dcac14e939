import { isJsonObject } from '../config/json-file.js'

/** A login as a store keeps it. Its token is sent only to the origin that it was issued for. */
export interface StoredCredential {
  readonly origin: string
  /** The origin that issued the refresh token; it is sent only there. */
  readonly authOrigin: string
  readonly access_token: string
  readonly refresh_token?: string | undefined
  /** Epoch milliseconds; null if no expiry is known. */
  readonly expiresAt: number | null
  /** The granted scopes, space-delimited. */
  readonly scope: string
  /** Null for a token that was pasted. */
  readonly client_id: string | null
  /** Epoch milliseconds. */
  readonly obtainedAt: number
  /** A renewal has begun, and its new tokens are not saved yet. */
  readonly isRenewing?: boolean | undefined
}

export type NewToken = Omit<StoredCredential, 'origin' | 'authOrigin' | 'obtainedAt' | 'isRenewing'>

/** Adds the origins of the server and the time (epoch ms) to a new token. */
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

/** Reads a credential from a value of a store; null if the value is not a credential. */
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
  /** The name of the store in messages: `the system keyring`, or the path of the file. */
  readonly place: string
  /** Checks that the store can be written, before a token is requested. */
  probe(): Promise<void>
  load(contextName: string): Promise<StoredCredential | null>
  save(contextName: string, credential: StoredCredential): Promise<void>
  /** Returns false if there was no login. */
  remove(contextName: string): Promise<boolean>
}
