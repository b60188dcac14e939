import { isCiError } from '@buildwire/sdk'
import { contextName, type NamedContext } from '../config/contexts.js'
import { probeContexts, saveContext } from '../config/own-files.js'
import type { Context } from '../context/context.js'
import { CommandError, messageOf, usageError } from '../io/command-error.js'
import type { Sourced } from '../io/error-report.js'
import { variable } from '../io/io.js'
import { blank, say } from '../io/printable.js'
import { wrapped, writeLines } from './device-code.js'
import type { LoginFlagValues } from './flags.js'
import { identify, revoke, scopeWords, tokenFromStdin } from './identity.js'
import { approvedToken, checkedToken, clientId, type IssuedToken } from './issue-token.js'
import { withLoginLock } from './renewal.js'
import { authOf, oauthOptions } from './stored.js'
import { type CredentialStore, newCredential, type StoredCredential } from './stored-credential.js'
import { chooseStore, saveLogin, storeOf } from './stores.js'

/**
 * Logs in by a device code, which the person approves on any device, or with a token from stdin.
 */
export async function login(context: Context, flags: LoginFlagValues): Promise<void> {
  const { clock, interrupts, redactor } = context
  const isPasted = flags['with-token'] === true
  if (isPasted && flags.scope !== undefined)
    throw usageError(
      say`--scope and --with-token cannot be used together: the token has its scopes`,
    )
  const { baseUrl, authUrl } = await context.settings()
  const target = await loginContext(context)
  // The token from stdin, or the client id.
  const input = isPasted
    ? await tokenFromStdin(context, '--with-token')
    : await clientId(context, flags, target.name)

  // Both stores are checked before a token is requested that could not be saved.
  await probeContexts(context)
  const store = await chooseStore(context, flags['insecure-storage'] === true)
  const issued = await (isPasted
    ? checkedToken(context, input)
    : approvedToken(context, flags, target.name, input))
  const credential = newCredential(baseUrl.value, authUrl.value, clock.now(), issued.token)
  redactor.add(credential.access_token, credential.refresh_token)

  const keeping = keepLogin(context, store, target, credential)
  const { usedStore, replaced } = await interrupts.finishFirst('The login is being kept', keeping)
  await printLogin(context, usedStore, target.name, issued)
  if (replaced !== null) await endReplaced(context, target.name, replaced, credential)
}

/**
 * The context of a login: the current one if it names this server, else a new one that is named
 * after the server's host.
 */
export async function loginContext(context: Context): Promise<NamedContext> {
  const { own, baseUrl, authUrl, webUrl, vendor, insecureHttp } = await context.settings()
  if (own !== null) return own
  // `[::1]:8080` becomes `1-8080`: a name with a dash at its start would be a flag in every hint.
  const hostName = new URL(baseUrl.value).host
    .replace(/[^A-Za-z0-9._]+/gu, '-')
    .replace(/^-|-$/gu, '')
  const unlessBaseUrl = ({ value }: Sourced) => (value === baseUrl.value ? undefined : value)
  const record = {
    baseUrl: baseUrl.value,
    authUrl: unlessBaseUrl(authUrl),
    webUrl: unlessBaseUrl(webUrl),
    vendor: vendor.source === 'default' ? undefined : vendor.value,
    insecureHttp: insecureHttp || undefined,
  }
  return { name: contextName(hostName.slice(0, 64) || 'server'), record }
}

/**
 * Saves a login: first the token, then the context, which names the store and becomes the default.
 * Returns the store that was used, and the login that was replaced.
 */
async function keepLogin(
  context: Context,
  store: CredentialStore,
  { name, record }: NamedContext,
  credential: StoredCredential,
): Promise<{ readonly usedStore: CredentialStore; readonly replaced: StoredCredential | null }> {
  const earlierStore = record.store === undefined ? null : await storeOf(record.store, context)
  const result = await withLoginLock(context, name, async () => {
    // If the old login cannot be read, ignore it; the new login must be saved.
    const replaced = (await earlierStore?.load(name).catch(() => null)) ?? null
    const usedStore = await saveLogin(context, store, name, credential)
    const change = (now = record) => ({
      ...now,
      client_id: credential.client_id ?? now.client_id,
      store: usedStore.kind,
    })
    await saveContext(context, name, change, true)
    return { usedStore, replaced }
  })
  // The context no longer names the other store, so the earlier token is removed from it.
  if (earlierStore === null || earlierStore.kind === result.usedStore.kind) return result
  await earlierStore.remove(name).catch((error: unknown) => {
    context.notes.warn(
      say`the earlier token could not be removed from ${earlierStore.place}: ${messageOf(error)}`,
    )
  })
  return result
}

/** Short, because the new login works even if the old one is not revoked. */
const REVOKE_TIMEOUT_MS = 5_000

/**
 * Revokes the login that a new one has replaced, if `ci` requested it from the same server.
 * Otherwise each login would leave a valid token behind. An error is a warning, and the new login
 * is kept.
 */
async function endReplaced(
  context: Context,
  name: string,
  old: StoredCredential,
  current: StoredCredential,
): Promise<void> {
  const { notes, redactor, signal } = context
  const isPasted = old.client_id === null
  const isSameToken = old.access_token === current.access_token
  const isSameServer = old.origin === current.origin && old.authOrigin === current.authOrigin
  if (isPasted || isSameToken || !isSameServer) return

  redactor.add(old.access_token, old.refresh_token)
  const settings = await context.settings()
  const auth = authOf(context, name, old, await oauthOptions(context, settings))
  const ci = await context.clientOf(settings, auth)
  try {
    await revoke(ci, { signal, timeoutMs: REVOKE_TIMEOUT_MS, maxRetries: 0 })
  } catch (error) {
    if (!isCiError(error) && !(error instanceof CommandError)) throw error
    notes.warn(say`the earlier login could not be ended: ${error.message}`)
  }
}

async function printLogin(
  context: Context,
  store: CredentialStore,
  name: string,
  issued: IssuedToken,
): Promise<void> {
  const { io, looks, notes, out } = context
  const { token, requestedScopes = [], identity } = issued
  const { access_token, refresh_token, scope, expiresAt } = token
  const missing = requestedScopes.filter((each) => !scopeWords(scope).includes(each))
  if (missing.length > 0) notes.warn(say`not granted: ${missing.join(' ')}`)
  if (variable(io, 'TOKEN') !== undefined) {
    notes.warn(
      say`BUILDWIRE_TOKEN is set and is used instead of this login, except with --context ${name}`,
    )
  }
  if (out.machine) {
    const record = { type: 'login', context: name, scope, expiresAt, store: store.kind }
    return out.value(record, () => [])
  }

  const ci = await context.clientOf(await context.settings(), access_token)
  // The login is saved already, so an unknown identity is only a debug note.
  const noteUnknown = (error: unknown) => {
    if (!isCiError(error)) throw error
    notes.debug(say`identity unknown: ${error.message}`)
  }
  const user = (identity ?? (await identify(ci, context.signal).catch(noteUnknown)))?.user
  const renewed = refresh_token === undefined ? '' : '; renewed automatically'
  const mark = looks.plain ? blank : context.stderrPaint('green', looks.ascii ? say`+ ` : say`✓ `)
  const asUser = user ? ` as ${user}` : ''
  const scopes = scope === '' ? '' : `, scopes: ${scope}`
  const loggedIn = say`Logged in${asUser}${scopes}`
  const kept = say`Stored in ${store.place}${renewed}. Context ${name} is now the default.`
  const [first = blank, ...rest] = wrapped(context, loggedIn)
  await writeLines(context, [
    say`${mark}${first}`,
    ...rest.map((line) => say`  ${line}`),
    ...wrapped(context, kept, '  '),
  ])
}
