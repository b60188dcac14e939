import { saveContext } from '../config/change-contexts.js'
import { contextName, type ServerContext } from '../config/contexts.js'
import { sameOrigin } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { messageOf } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { withLoginLock } from './refresh-store.js'
import type { CredentialStore, StoredCredential } from './stored-credential.js'

/** The context a login belongs to: the one in effect when it names this server, else a new one called after its host. */
export async function loginContext(context: Context): Promise<{ name: string; record: ServerContext }> {
  const settings = await context.settings()
  const { baseUrl, authUrl, webUrl, vendor, insecureHttp } = settings
  const { context: current, contextName: known } = settings
  if (current !== null && known !== null && sameOrigin(current.baseUrl, baseUrl.value)) {
    return { name: known, record: current }
  }
  // `[::1]:8080` is `1-8080`: a name that began with a dash would be a flag in every hint.
  const words = new URL(baseUrl.value).host.replace(/[^A-Za-z0-9._]+/gu, '-').replace(/^-|-$/gu, '')
  const name = contextName(words.slice(0, 64) || 'server')
  const record: ServerContext = {
    baseUrl: baseUrl.value,
    ...(authUrl.value === baseUrl.value ? {} : { authUrl: authUrl.value }),
    ...(webUrl.value === baseUrl.value ? {} : { webUrl: webUrl.value }),
    ...(vendor.source === 'default' ? {} : { vendor: vendor.value }),
    ...(insecureHttp ? { insecureHttp } : {}),
  }
  return { name, record }
}

/**
 * Keeps a login: first the token, then the context that says where it is and is the default from now on. Answers where it
 * is, and the login that it replaces.
 */
export async function keepLogin(
  context: Context,
  store: CredentialStore,
  { name, record }: { readonly name: string; readonly record: ServerContext },
  credential: StoredCredential,
): Promise<{ readonly kept: CredentialStore; readonly replaced: StoredCredential | null }> {
  const { saveLogin, storeOf } = await import('./stores.js')
  const client = credential.client_id === null ? {} : { client_id: credential.client_id }
  const earlier = record.store === undefined ? null : await storeOf(record.store, context)
  const result = await withLoginLock(context, name, async () => {
    // What cannot be read can neither be kept nor ended, and is no reason to lose the new one.
    const replaced = (await earlier?.load(name).catch(() => null)) ?? null
    const used = await saveLogin(store, name, credential, context)
    const change = (now = record) => ({ ...now, ...client, store: used.kind })
    await saveContext(context, name, change, { makeCurrent: true })
    return { kept: used, replaced }
  })
  // A token that an earlier login left in the other store would only be forgotten there.
  if (earlier === null || earlier.kind === result.kept.kind) return result
  await earlier.remove(name).catch((error: unknown) => {
    context.notes.warn(say`the earlier token could not be removed from ${earlier.place}: ${messageOf(error)}`)
  })
  return result
}
