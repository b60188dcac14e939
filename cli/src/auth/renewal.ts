import { isCiError, type RefreshStore, type TokenResponse } from '@buildwire/sdk'
import type { FileTools } from '../config/own-files.js'
import type { Context } from '../context/context.js'
import { CommandError, messageOf } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { CredentialStore, StoredCredential } from './stored-credential.js'

/** Runs `run` while no other process renews, replaces or forgets this context's login. */
export async function withLoginLock<T>(
  tools: FileTools,
  contextName: string,
  run: () => Promise<T>,
): Promise<T> {
  // Loaded by those who write only.
  const { withLock } = await import('../config/own-files.js')
  return withLock(tools, `login-${contextName.toLowerCase()}`, run)
}

/**
 * The SDK's view of a stored login: one process renews it, the others adopt what it saved. The SDK
 * saves what it holds before it asks, and again with the answer. In between the login is marked, so
 * that a later process can tell why its refresh token is spent. Of `login`, as it was read, origin
 * and client stay as they are.
 */
export function refreshStore(
  tools: Pick<Context, 'io' | 'clock' | 'notes' | 'interrupts' | 'redactor'>,
  store: CredentialStore,
  contextName: string,
  login: StoredCredential,
): RefreshStore {
  const { clock, interrupts, notes, redactor } = tools
  const ended = (headline: string, line?: string, cause?: unknown) =>
    new CommandError('signed_out', say`the login of context ${contextName} ${headline}`, {
      lines: line === undefined ? [] : [say`${line}`],
      hint: ['auth', 'login', '--context', contextName],
      cause,
    })
  let isThere = false
  let wasCutShort = false
  /** What this renewal saved last, at first with the mark; empty before. */
  let saved: [StoredCredential?] = []

  return {
    async load() {
      const found = await store.load(contextName)
      // A login to another server under the same name is not this one's renewal, nor is one without
      // a refresh token.
      isThere = found?.origin === login.origin && found.refresh_token !== undefined
      if (found === null || !isThere) return null
      if (saved.length === 0) wasCutShort = found.isRenewing === true
      redactor.add(found.access_token, found.refresh_token)
      return tokenResponse(found)
    },
    async save({ access_token, refresh_token, expiresAt = null, scope = login.scope }) {
      redactor.add(access_token, refresh_token)
      if (!isThere) throw ended('was ended meanwhile')
      const isRenewing = saved.length === 0 ? true : undefined
      const next = {
        ...login,
        access_token,
        refresh_token,
        expiresAt,
        scope,
        obtainedAt: clock.now(),
        isRenewing,
      }
      await store.save(contextName, next).catch((error: unknown) => {
        // The server has rotated the token already: this run goes on with the new one, and the next
        // one cannot.
        if (saved.length > 0) {
          const kept = say`the renewed login of context ${contextName} could not be kept (${messageOf(error)})`
          notes.warn(say`${kept}; log in again after this command`)
        }
        throw error
      })
      saved = [next]
    },
    withLock: (run) =>
      withLoginLock(tools, contextName, async () => {
        saved = []
        try {
          return await interrupts.finishFirst(
            `The login of context ${contextName} is being renewed`,
            run(),
          )
        } catch (error) {
          const isOver = isCiError(error, 'oauth_error') && error.error === 'invalid_grant'
          const [last] = saved
          if (last?.isRenewing && isSettled(error) && !(isOver && wasCutShort)) {
            await store.save(contextName, { ...last, isRenewing: undefined })
          }
          if (!isOver) throw error
          const why = wasCutShort
            ? 'A command that renewed it was ended, or cut off, before the new token had arrived'
            : 'The server renews it no more: it was revoked, it ran out, or another program has renewed it'
          throw ended('has ended', why, error)
        }
      }),
  }
}

/** Whether a renewal failed for good: its request was answered, or never sent. */
function isSettled(error: unknown): boolean {
  if (isCiError(error, 'oauth_error')) return error.status < 500
  return isCiError(error) && 'sent' in error && error.sent !== 'unknown'
}

/** A stored login as the token endpoint would answer it. */
export function tokenResponse({
  access_token,
  refresh_token,
  scope,
  expiresAt,
}: StoredCredential): TokenResponse {
  return { access_token, token_type: 'Bearer', refresh_token, scope, expiresAt }
}
