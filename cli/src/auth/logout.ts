import { isCiError } from '@buildwire/sdk'
import { readContexts } from '../config/contexts.js'
import { probeContexts, saveContext } from '../config/own-files.js'
import type { ServerSettings } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { revoke } from './identity.js'
import { withLoginLock } from './renewal.js'
import { settingsOf, storedCredential } from './stored.js'
import { storeOf } from './stores.js'

/**
 * Revokes stored tokens and removes them. A token that could not be revoked is kept, so that the
 * user can try again.
 */
export async function logout(context: Context, all: boolean, keepRemote: boolean): Promise<void> {
  const names = all
    ? (await readContexts(context)).contexts.keys()
    : [(await context.settings()).context?.name]
  const loggedOut: { context: string; revoked: boolean }[] = []
  for (const name of names) {
    if (name === undefined) continue
    const revoked = await logoutOf(context, name, keepRemote)
    if (revoked !== null) loggedOut.push({ context: name, revoked })
  }
  if (loggedOut.length === 0) {
    throw new CommandError('signed_out', say`you are not logged in`, {
      hint: ['auth', 'status', '--all'],
    })
  }
  if (context.out.machine) return context.out.value(all ? loggedOut : loggedOut[0], () => [])
  for (const { context: name, revoked } of loggedOut) {
    context.notes.note(
      say`Logged out of ${name}${revoked ? '' : '; the token stays valid on the server'}`,
    )
  }
}

/** Returns whether the token was revoked; null if the context has no token. */
async function logoutOf(
  context: Context,
  name: string,
  keepRemote: boolean,
): Promise<boolean | null> {
  const settings = await settingsOf(context, name)
  const record = settings.own?.record
  if (record?.store === undefined) return null
  const store = await storeOf(record.store, context)
  await probeContexts(context)
  const revoked = !keepRemote && (await revokeStored(context, settings, name))
  const existed = await withLoginLock(context, name, async () => {
    const removed = await store.remove(name)
    await saveContext(context, name, (now = record) => ({ ...now, store: undefined }))
    return removed
  })
  return existed ? revoked : null
}

/** Returns false if there is no token, or if the server cannot revoke tokens. */
async function revokeStored(
  context: Context,
  settings: ServerSettings,
  name: string,
): Promise<boolean> {
  const { notes, signal } = context
  const credential = await storedCredential(context, settings)
  if (credential === null) return false
  try {
    await revoke(await context.clientOf(settings, credential.auth), { signal })
    return true
  } catch (error) {
    if (isCiError(error, 'not_found') || isCiError(error, 'http_error')) {
      notes.warn(
        say`this server cannot revoke tokens here; revoke the application on your account page`,
      )
      return false
    }
    if (isCiError(error, 'connection') || isCiError(error, 'timeout')) {
      notes.warn(
        say`the login of ${name} is kept, because it could not be revoked; --keep-remote deletes it anyway`,
      )
    }
    throw error
  }
}
