import { isCiError, parseTimestamp, requestDeviceAuthorization } from '@buildwire/sdk'
import { contextName, type NamedContext } from '../config/contexts.js'
import { probeContexts, saveContext } from '../config/own-files.js'
import type { Context } from '../context/context.js'
import { CommandError, messageOf, usageError } from '../io/command-error.js'
import type { Sourced } from '../io/error-report.js'
import { variable } from '../io/io.js'
import { blank, say } from '../io/printable.js'
import {
  codeLines,
  pageToOpen,
  waitForApproval,
  wantsNewCode,
  wrapped,
  writeLines,
} from './device-code.js'
import { DEFAULT_SCOPES, fewerScopes, type LoginFlagValues } from './flags.js'
import {
  type Identity,
  identify,
  isChecked,
  revoke,
  scopeWords,
  tokenFromStdin,
} from './identity.js'
import { withLoginLock } from './renewal.js'
import { authOf, oauthOptions } from './stored.js'
import {
  type CredentialStore,
  type NewToken,
  newCredential,
  type StoredCredential,
} from './stored-credential.js'
import { chooseStore, saveLogin, storeOf } from './stores.js'

/**
 * A token that was got: with the scopes that were asked for, or with what its server says of it.
 */
interface Got {
  readonly token: NewToken
  readonly asked?: readonly string[]
  readonly identity?: Identity
}

/**
 * Logs in by a device code, which the person approves on any device, or with a token from stdin.
 */
export async function login(context: Context, flags: LoginFlagValues): Promise<void> {
  const { clock, interrupts, redactor } = context
  const isPasted = flags['with-token'] === true
  if (isPasted && flags.scope !== undefined)
    throw usageError(say`--scope and --with-token exclude each other: the token has its scopes`)
  const { baseUrl, authUrl } = await context.settings()
  const place = await loginContext(context)
  const given = isPasted
    ? await tokenFromStdin(context, '--with-token')
    : await clientId(context, flags, place.name)
  // What could not be kept must not be asked for.
  await probeContexts(context)
  const store = await chooseStore(context, flags['insecure-storage'] === true)
  const got = await (isPasted
    ? checkedToken(context, given)
    : approvedToken(context, flags, place.name, given))
  const made = newCredential(baseUrl.value, authUrl.value, clock.now(), got.token)
  redactor.add(made.access_token, made.refresh_token)
  const keeping = keepLogin(context, store, place, made)
  const { kept, replaced } = await interrupts.finishFirst('The login is being kept', keeping)
  await tellLogin(context, kept, place.name, got)
  if (replaced !== null) await endReplaced(context, replaced, made)
}

/**
 * The context a login belongs to: the one in effect when it names this server, else a new one
 * called after its host.
 */
export async function loginContext(context: Context): Promise<NamedContext> {
  const { own, baseUrl, authUrl, webUrl, vendor, insecureHttp } = await context.settings()
  if (own !== null) return own
  // `[::1]:8080` is `1-8080`: a name that began with a dash would be a flag in every hint.
  const words = new URL(baseUrl.value).host.replace(/[^A-Za-z0-9._]+/gu, '-').replace(/^-|-$/gu, '')
  const apart = ({ value }: Sourced) => (value === baseUrl.value ? undefined : value)
  const record = {
    baseUrl: baseUrl.value,
    authUrl: apart(authUrl),
    webUrl: apart(webUrl),
    vendor: vendor.source === 'default' ? undefined : vendor.value,
    insecureHttp: insecureHttp || undefined,
  }
  return { name: contextName(words.slice(0, 64) || 'server'), record }
}

async function clientId(context: Context, flags: LoginFlagValues, name: string): Promise<string> {
  const found = flags['client-id'] ?? (await context.settings()).client_id?.value
  if (found !== undefined) return found
  throw usageError(say`no client id is known for this server; ask its operator for one`, {
    lines: [
      say`Name it with --client-id ID, BUILDWIRE_CLIENT_ID, or once for all with ci context set`,
    ],
    hint: ['context', 'set', name, '--client-id', 'ID'],
  })
}

/** A token from stdin, once the server has accepted it. */
async function checkedToken(context: Context, access_token: string): Promise<Got> {
  const identity = await identify(
    await context.clientOf(await context.settings(), access_token),
    context.signal,
  )
  if (!isChecked(identity)) {
    context.notes.warn(say`this server does not tell about tokens, so nobody checked this one`)
  }
  const scope = identity.scopes?.join(' ') ?? ''
  return {
    token: { access_token, expiresAt: parseTimestamp(identity.expires_at), scope, client_id: null },
    identity,
  }
}

/** Tokens for which a person has approved a code. */
async function approvedToken(
  context: Context,
  flags: LoginFlagValues,
  name: string,
  client_id: string,
): Promise<Got> {
  const { io, out, signal } = context
  const settings = await context.settings()
  const options = { ...(await oauthOptions(context, settings)), signal }
  const client_secret = variable(io, 'CLIENT_SECRET')
  const asked = flags.scope === undefined ? DEFAULT_SCOPES : [...new Set(flags.scope.flat())]
  let scope = asked
  /** A service may not know the scopes of extensions. */
  const askForLess = (error: unknown) => {
    const isUnknown = isCiError(error, 'oauth_error') && error.error === 'invalid_scope'
    const fewer = flags.scope === undefined && isUnknown ? fewerScopes(scope) : null
    if (fewer === null) throw error
    scope = fewer
    return null
  }
  for (;;) {
    const found = await requestDeviceAuthorization(
      { client_id, scope, client_secret },
      options,
    ).catch(askForLess)
    if (found === null) continue
    await writeLines(context, codeLines(context, name, settings, found, scope))
    if (out.mode === 'jsonl') {
      const { user_code, verification_uri, verification_uri_complete = null, expires_in } = found
      const codes = { user_code, verification_uri, verification_uri_complete, expires_in }
      await out.value({ type: 'device_authorization', ...codes }, () => [])
    }
    const page = pageToOpen(context, settings, found, flags['no-browser'] === true)
    try {
      const {
        access_token,
        refresh_token,
        expiresAt,
        scope: granted,
      } = await waitForApproval(context, found, page)
      return { token: { access_token, refresh_token, expiresAt, scope: granted, client_id }, asked }
    } catch (error) {
      if (!(await wantsNewCode(context, error))) throw signedOut(error)
    }
  }
}

/** A lost answer may have been the approval: the person should know. */
function signedOut(error: unknown): unknown {
  if (!isCiError(error, 'device_authorization') || !error.maybeApproved) return error
  return new CommandError(
    'signed_out',
    say`the login was approved perhaps, but its answer was lost`,
    {
      lines: [say`Log in again, and revoke the unused authorization on your account page`],
      hint: ['auth', 'login'],
      cause: error,
    },
  )
}

/**
 * Keeps a login: first the token, then the context that says where it is and is the default from
 * now on. Answers where it is, and the login that it replaces.
 */
async function keepLogin(
  context: Context,
  store: CredentialStore,
  { name, record }: NamedContext,
  made: StoredCredential,
): Promise<{ readonly kept: CredentialStore; readonly replaced: StoredCredential | null }> {
  const earlier = record.store === undefined ? null : await storeOf(record.store, context)
  const result = await withLoginLock(context, name, async () => {
    // What cannot be read can neither be kept nor ended, and is no reason to lose the new one.
    const replaced = (await earlier?.load(name).catch(() => null)) ?? null
    const kept = await saveLogin(context, store, name, made)
    const change = (now = record) => ({
      ...now,
      client_id: made.client_id ?? now.client_id,
      store: kept.kind,
    })
    await saveContext(context, name, change, true)
    return { kept, replaced }
  })
  // A token that an earlier login left in the other store would only be forgotten there.
  if (earlier === null || earlier.kind === result.kept.kind) return result
  await earlier.remove(name).catch((error: unknown) => {
    context.notes.warn(
      say`the earlier token could not be removed from ${earlier.place}: ${messageOf(error)}`,
    )
  })
  return result
}

/** Nobody waits long for what is only tidiness. */
const END_MS = 5_000

/**
 * Revokes the login that a new one has replaced, where `ci` itself got it from the same server:
 * else each login would leave a live token behind that nobody knows of. The new login stands
 * whatever comes of it.
 */
async function endReplaced(
  context: Context,
  old: StoredCredential,
  now: StoredCredential,
): Promise<void> {
  const { notes, redactor, signal } = context
  if (old.client_id === null || old.access_token === now.access_token) return
  if (old.origin !== now.origin || old.authOrigin !== now.authOrigin) return
  redactor.add(old.access_token, old.refresh_token)
  const settings = await context.settings()
  const ci = await context.clientOf(
    settings,
    authOf(context, old, await oauthOptions(context, settings)),
  )
  try {
    await revoke(ci, { signal, timeoutMs: END_MS, maxRetries: 0 })
  } catch (error) {
    if (!isCiError(error)) throw error
    notes.warn(say`the earlier login could not be ended: ${error.message}`)
  }
}

async function tellLogin(
  context: Context,
  kept: CredentialStore,
  name: string,
  got: Got,
): Promise<void> {
  const { io, looks, notes, out } = context
  const { token, asked = [], identity } = got
  const { access_token, refresh_token, scope, expiresAt } = token
  const missing = asked.filter((each) => !scopeWords(scope).includes(each))
  if (missing.length > 0) notes.warn(say`not granted: ${missing.join(' ')}`)
  if (variable(io, 'TOKEN') !== undefined) {
    notes.warn(say`BUILDWIRE_TOKEN is set and wins over this login, except under --context ${name}`)
  }
  if (out.machine)
    return out.value({ type: 'login', context: name, scope, expiresAt, store: kept.kind }, () => [])
  const ci = await context.clientOf(await context.settings(), access_token)
  // The login stands even when nobody tells whose it is.
  const unknown = (error: unknown) => {
    if (!isCiError(error)) throw error
    notes.debug(say`identity unknown: ${error.message}`)
  }
  const who = identity ?? (await identify(ci, context.signal).catch(unknown))
  const renewed = refresh_token === undefined ? '' : '; renewed automatically'
  const mark = looks.plain ? blank : context.stderrPaint('green', looks.ascii ? say`+ ` : say`✓ `)
  const loggedIn = say`Logged in${who?.user ? ` as ${who.user}` : ''}${scope === '' ? '' : `, scopes: ${scope}`}`
  const [first = blank, ...rest] = wrapped(context, loggedIn)
  await writeLines(context, [
    say`${mark}${first}`,
    ...rest.map((line) => say`  ${line}`),
    ...wrapped(
      context,
      say`Kept in ${kept.place}${renewed}. Context ${name} is now the default.`,
      '  ',
    ),
  ])
}
