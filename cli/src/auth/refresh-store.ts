import { isCiError, type RefreshStore, type TokenResponse } from '@buildwire/sdk'
import type { StoredTools } from '../config/credential.js'
import type { FileTools } from '../config/own-files.js'
import { CommandError, messageOf } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { CredentialStore, StoredCredential } from './stored-credential.js'

/** What keeps a login alive across processes. */
export interface RefreshStoreOptions extends Pick<StoredTools, 'io' | 'clock' | 'notes' | 'interrupts' | 'redactor'> {
  readonly store: CredentialStore
  readonly contextName: string
  /** The login as it was read: origin and client stay as they are. */
  readonly credential: StoredCredential
}

/** Runs `run` while no other process renews, replaces or forgets this context's login. */
export async function withLoginLock<T>(tools: FileTools, contextName: string, run: () => Promise<T>): Promise<T> {
  // Loaded by those who write only.
  const { withLock } = await import('../config/own-files.js')
  return withLock(tools, `login-${contextName.toLowerCase()}`, run)
}

/**
 * The SDK's view of a stored login: one process renews it, the others adopt what it saved. The SDK saves what it holds
 * before it asks, and again with the answer. In between the login is marked, so that a later process can tell why its
 * refresh token is spent.
 */
export function refreshStore(options: RefreshStoreOptions): RefreshStore {
  const { store, contextName, credential, clock, interrupts, redactor } = options
  const hint = ['auth', 'login', '--context', contextName]
  let isThere = false
  let wasCutShort = false
  /** What this renewal saved last, at first with the mark; empty before. */
  let saved: [StoredCredential?] = []

  return {
    async load() {
      const found = await store.load(contextName)
      // A login to another server under the same name is not this one's renewal, nor is one without a refresh token.
      isThere = found?.origin === credential.origin && found.refresh_token !== undefined
      if (found === null || !isThere) return null
      if (saved.length === 0) wasCutShort = found.isRenewing === true
      redactor.add(found.access_token)
      redactor.add(found.refresh_token)
      return tokenResponse(found)
    },
    async save(tokens) {
      redactor.add(tokens.access_token)
      redactor.add(tokens.refresh_token)
      if (!isThere)
        throw new CommandError('signed_out', say`the login of context ${contextName} was ended meanwhile`, { hint })
      const next: StoredCredential = {
        ...credential,
        access_token: tokens.access_token,
        refresh_token: tokens.refresh_token,
        expiresAt: tokens.expiresAt ?? null,
        scope: tokens.scope ?? credential.scope,
        obtainedAt: clock.now(),
        isRenewing: saved.length === 0 ? true : undefined,
      }
      await store.save(contextName, next).catch((error: unknown) => {
        if (saved.length > 0) tellUnsaved(options, error)
        throw error
      })
      saved = [next]
    },
    withLock: (run) =>
      withLoginLock(options, contextName, async () => {
        saved = []
        try {
          return await interrupts.finishFirst(`The login of context ${contextName} is being renewed`, run())
        } catch (error) {
          const isOver = isCiError(error, 'oauth_error') && error.error === 'invalid_grant'
          const [last] = saved
          if (last?.isRenewing && isSettled(error) && !(isOver && wasCutShort)) {
            await store.save(contextName, { ...last, isRenewing: undefined })
          }
          if (!isOver) throw error
          const why = wasCutShort
            ? say`A command that renewed it was ended, or cut off, before the new token had arrived`
            : say`The server renews it no more: it was revoked, it ran out, or another program has renewed it`
          throw new CommandError('signed_out', say`the login of context ${contextName} has ended`, {
            lines: [why],
            hint,
            cause: error,
          })
        }
      }),
  }
}

/** Whether a renewal failed for good: its request was answered, or never sent. */
function isSettled(error: unknown): boolean {
  if (isCiError(error, 'oauth_error')) return error.status < 500
  return isCiError(error) && 'sent' in error && error.sent !== 'unknown'
}

/** The server has rotated the token already: this run goes on with the new one, and says that the next one cannot. */
function tellUnsaved({ notes, contextName }: RefreshStoreOptions, error: unknown): void {
  const reason = messageOf(error)
  notes.warn(
    say`the renewed login of context ${contextName} could not be kept (${reason}); log in again after this command`,
  )
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
