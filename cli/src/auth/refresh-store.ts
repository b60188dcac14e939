import type { RefreshStore, TokenResponse } from '@buildwire/sdk'
import type { Clock } from '../clock.js'
import type { Redactor } from '../io/redact.js'
import { withLockFile } from './lock.js'
import type { CredentialStore, StoredCredential } from './stored-credential.js'

/** What keeps a login alive across processes. */
export interface RefreshStoreOptions {
  readonly store: CredentialStore
  readonly contextName: string
  /** The login as it was read: origin and client stay as they are. */
  readonly credential: StoredCredential
  readonly lockPath: string
  readonly pid: number
  readonly clock: Clock
  readonly redactor: Redactor
}

/** The SDK's view of a stored login: one process renews it, the others adopt what it saved. */
export function refreshStore(options: RefreshStoreOptions): RefreshStore {
  const { store, contextName, credential, clock, redactor } = options
  return {
    async load() {
      const found = await store.load(contextName)
      // A login to another server under the same name is not this one's renewal.
      if (found === null || found.origin !== credential.origin) return null
      redactor.add(found.access_token)
      redactor.add(found.refresh_token)
      return tokenResponse(found)
    },
    async save(tokens) {
      redactor.add(tokens.access_token)
      redactor.add(tokens.refresh_token)
      await store.save(contextName, {
        ...credential,
        access_token: tokens.access_token,
        refresh_token: tokens.refresh_token,
        expiresAt: tokens.expiresAt ?? null,
        scope: tokens.scope ?? credential.scope,
        obtainedAt: clock.now(),
      })
    },
    withLock: (run) => withLockFile({ path: options.lockPath, pid: options.pid, clock }, run),
  }
}

/** A stored login as the token endpoint would answer it. */
export function tokenResponse(credential: StoredCredential): TokenResponse {
  const { access_token, refresh_token, scope, expiresAt } = credential
  return {
    access_token,
    token_type: 'Bearer',
    ...(refresh_token === undefined ? {} : { refresh_token }),
    scope,
    expiresAt,
  }
}
