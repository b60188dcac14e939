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
 * Revokes stored tokens and forgets them. A token that could not be revoked is not forgotten, so
 * that one can try again.
 */
export async function logout(context: Context, all: boolean, keepRemote: boolean): Promise<void> {
  const names = all
    ? (await readContexts(context.io)).contexts.keys()
    : [(await context.settings()).context?.name]
  const done: { context: string; revoked: boolean }[] = []
  for (const name of names) {
    if (name === undefined) continue
    const revoked = await logoutOf(context, name, keepRemote)
    if (revoked !== null) done.push({ context: name, revoked })
  }
  if (done.length === 0)
    throw new CommandError('signed_out', say`nobody is logged in here`, {
      hint: ['auth', 'status', '--all'],
    })
  if (context.out.machine) return context.out.value(all ? done : done[0], () => [])
  for (const { context: name, revoked } of done) {
    context.notes.note(
      say`Logged out of ${name}${revoked ? '' : '; the token stays valid on the server'}`,
    )
  }
}

/** Whether the token was revoked; null when the context has none. */
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
  const revoked = !keepRemote && (await isRevoked(context, settings, name))
  const had = await withLoginLock(context, name, async () => {
    const removed = await store.remove(name)
    await saveContext(context, name, (now = record) => ({ ...now, store: undefined }))
    return removed
  })
  return had ? revoked : null
}

/** False where there is no token that could be read, or the server offers no way to revoke it. */
async function isRevoked(
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
        say`the login of ${name} is kept, because it could not be revoked; --keep-remote forgets it all the same`,
      )
    }
    throw error
  }
}
