import { isCiError, type RefreshStore, type TokenResponse } from '@buildwire/sdk'
import type { FileTools } from '../config/own-files.js'
import type { Context } from '../context/context.js'
import { CommandError, messageOf } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { wait } from '../io/time.js'
import type { CredentialStore, StoredCredential } from './stored-credential.js'

/** Runs `run` while no other process renews, replaces or removes this context's login. */
export async function withLoginLock<T>(
  tools: FileTools,
  contextName: string,
  run: () => Promise<T>,
): Promise<T> {
  // Loaded only by commands that write.
  const { withLock } = await import('../config/own-files.js')
  return withLock(tools, `login-${contextName.toLowerCase()}`, run)
}

/**
 * The stored login as a store of the SDK: one process renews it, and the others use the result. The
 * SDK saves the login before it requests a renewal, and again with the new tokens. In between the
 * login is marked with `isRenewing`, so that a later process can tell why its refresh token does
 * not work any more. Origin and client stay those of `login`.
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
  let exists = false
  let wasCutShort = false
  /** The login as this renewal saved it last; undefined before. */
  let lastSaved: StoredCredential | undefined
  const removeMark = async () => {
    if (lastSaved?.isRenewing !== true) return
    await store.save(contextName, { ...lastSaved, isRenewing: undefined })
  }

  return {
    async load() {
      const stored = await store.load(contextName)
      // A login of this context to another server, or without a refresh token, is a different
      // login.
      exists = stored?.origin === login.origin && stored.refresh_token !== undefined
      if (stored === null || !exists) return null
      if (lastSaved === undefined) wasCutShort = stored.isRenewing === true
      redactor.add(stored.access_token, stored.refresh_token)
      return tokenResponse(stored)
    },
    async save({ access_token, refresh_token, expiresAt = null, scope = login.scope }) {
      redactor.add(access_token, refresh_token)
      if (!exists) throw ended('was ended meanwhile')
      const isFirstSave = lastSaved === undefined
      const next = {
        ...login,
        access_token,
        refresh_token,
        expiresAt,
        scope,
        obtainedAt: clock.now(),
        isRenewing: isFirstSave ? true : undefined,
      }
      await store.save(contextName, next).catch((error: unknown) => {
        // The server has rotated the refresh token already: this command continues with the new
        // tokens, but the next command has only the old ones.
        if (!isFirstSave) {
          const failure = say`the renewed login of context ${contextName} could not be saved (${messageOf(error)})`
          notes.warn(say`${failure}; log in again after this command`)
        }
        throw error
      })
      lastSaved = next
    },
    withLock: (run) =>
      withLoginLock(tools, contextName, async () => {
        lastSaved = undefined
        try {
          return await interrupts.finishFirst(
            `The login of context ${contextName} is being renewed`,
            run(),
          )
        } catch (error) {
          const isOver = isCiError(error, 'oauth_error') && error.error === 'invalid_grant'
          const keepsMark = !isSettled(error) || (isOver && wasCutShort)
          if (!keepsMark) await removeMark()
          if (!isOver) throw error
          const why = wasCutShort
            ? 'A command that renewed it was ended, or cut off, before the new token had arrived'
            : 'The server renews it no more: it was revoked, it ran out, or another program has renewed it'
          throw ended('has ended', why, error)
        }
      }),
  }
}

/**
 * The error for a renewal that the server could not do now, such as with 503: it names the login and
 * the request, because the command itself sent another one. Any other error as it is.
 */
export function renewalError(error: unknown, contextName: string): unknown {
  if (!isCiError(error, 'oauth_error') || error.status < 500) return error
  const { status, retryAfterMs } = error
  const answer = `POST /oauth/token answered ${status}`
  const headline = say`the login of context ${contextName} was not renewed: ${answer}`
  const soon = retryAfterMs === undefined ? 'later' : `in ${wait(retryAfterMs)}`
  return new CommandError('unavailable', headline, {
    lines: [say`The server cannot renew it now; run the command again ${soon}`],
    cause: error,
  })
}

/** Whether the result of a failed renewal is known: it was answered, or never sent. */
function isSettled(error: unknown): boolean {
  if (isCiError(error, 'oauth_error')) return error.status < 500
  return isCiError(error) && 'sent' in error && error.sent !== 'unknown'
}

/** A stored login in the form of a token endpoint's answer. */
export function tokenResponse({
  access_token,
  refresh_token,
  scope,
  expiresAt,
}: StoredCredential): TokenResponse {
  return { access_token, token_type: 'Bearer', refresh_token, scope, expiresAt }
}
