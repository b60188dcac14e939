import { isCiError } from '@buildwire/sdk'
import { probeContexts, saveContext } from '../config/change-contexts.js'
import { readContexts } from '../config/contexts.js'
import type { Settings } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { settingsOf, storedClient } from './login-of.js'
import { withLoginLock } from './refresh-store.js'
import { storeOf } from './stores.js'

/**
 * Revokes stored tokens and forgets them. A token that could not be revoked is not forgotten, so that one can try again.
 */
export async function logout(context: Context, all: boolean, keepRemote: boolean): Promise<void> {
  const names = all ? (await readContexts(context.io)).contexts.keys() : [(await context.settings()).contextName]
  const done: { context: string; revoked: boolean }[] = []
  for (const name of names) {
    if (name === null) continue
    const settings = await settingsOf(context, name)
    const revoked = await logoutOf(context, settings, name, keepRemote)
    if (revoked !== null) done.push({ context: name, revoked })
  }
  if (done.length === 0)
    throw new CommandError('signed_out', say`nobody is logged in here`, { hint: ['auth', 'status', '--all'] })
  if (context.out.machine) return context.out.value(all ? done : done[0], () => [])
  for (const { context: name, revoked } of done) {
    context.notes.note(say`Logged out of ${name}${revoked ? '' : '; the token stays valid on the server'}`)
  }
}

/** Whether the token was revoked; null when the context has none. */
async function logoutOf(
  context: Context,
  settings: Settings,
  name: string,
  keepRemote: boolean,
): Promise<boolean | null> {
  const record = settings.context
  if (record?.store === undefined) return null
  const store = await storeOf(record.store, context)
  await probeContexts(context)
  const revoked = keepRemote ? false : await revoke(context, settings, name)
  const had = await withLoginLock(context, name, async () => {
    const removed = await store.remove(name)
    await saveContext(context, name, (now) => ({ ...(now ?? record), store: undefined }), { forgetStore: true })
    return removed
  })
  return had ? (revoked ?? true) : null
}

/** True when the token is dead now, null when there was none to kill. */
async function revoke(context: Context, settings: Settings, name: string): Promise<boolean | null> {
  const ci = await storedClient(context, settings)
  if (ci === null) return null
  try {
    await ci.accessToken.revoke({ signal: context.signal })
    return true
  } catch (error) {
    // Refused as it is: dead already, and so is the login behind it.
    if (isCiError(error, 'unauthorized') || isCiError(error, 'oauth_error')) return true
    if (isCiError(error, 'not_found') || isCiError(error, 'http_error')) {
      context.notes.warn(say`this server cannot revoke tokens here; revoke the application on your account page`)
      return false
    }
    if (isCiError(error, 'connection') || isCiError(error, 'timeout')) {
      context.notes.warn(
        say`the login of ${name} is kept, because it could not be revoked; --keep-remote forgets it all the same`,
      )
    }
    throw error
  }
}
