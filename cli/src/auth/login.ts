import {
  type DeviceAuthorization,
  isCiError,
  parseTimestamp,
  requestDeviceAuthorization,
  type TokenSet,
} from '@buildwire/sdk'
import { probeContexts } from '../config/change-contexts.js'
import type { Settings } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { oauthOptions } from '../context/oauth-connection.js'
import { CommandError, usageError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { blank, say } from '../io/printable.js'
import { endedWithoutToken, waitForApproval, wantsNewCode } from './approval.js'
import { keepLogin, loginContext } from './context-for-login.js'
import { codeLines, pageToOpen, wrapped, writeLines } from './device-code.js'
import { clientWith, type Identity, identify } from './identity.js'
import { DEFAULT_SCOPES, fewerScopes, scopeWords } from './scopes.js'
import { tokenFromStdin } from './stdin-secret.js'
import { providerOf } from './stored.js'
import { type CredentialStore, type NewToken, newCredential, type StoredCredential } from './stored-credential.js'
import { chooseStore } from './stores.js'

export interface LoginRequest {
  readonly 'client-id'?: string | undefined
  /** Undefined: the default ones, as far as the service knows them. */
  readonly scope?: readonly (readonly string[])[] | undefined
  readonly 'no-browser'?: boolean | undefined
  readonly 'insecure-storage'?: boolean | undefined
}

const scopesOf = ({ scope }: LoginRequest) => (scope === undefined ? DEFAULT_SCOPES : [...new Set(scope.flat())])

type Place = Awaited<ReturnType<typeof loginContext>>

/** Logs in by a device code: the person approves on any device, this program keeps the token. */
export async function deviceLogin(context: Context, request: LoginRequest): Promise<void> {
  const settings = await context.settings()
  const client_id = request['client-id'] ?? settings.client_id?.value
  const place = await loginContext(context)
  if (client_id === undefined) {
    throw usageError(say`no client id is known for this server; ask its operator for one`, {
      lines: [say`Name it with --client-id ID, BUILDWIRE_CLIENT_ID, or once for all with ci context set`],
      hint: ['context', 'set', place.name, '--client-id', 'ID'],
    })
  }
  // A token that could not be kept must not be asked for.
  const store = await provenStore(context, request)
  const tokens = await askForTokens(context, settings, place.name, client_id, request)
  const { access_token, refresh_token, expiresAt, scope } = tokens
  const token = { access_token, refresh_token, expiresAt, scope, client_id }
  await conclude(context, { store, place, token, asked: scopesOf(request) })
}

/** Logs in with a token from stdin, once the server has accepted it. */
export async function tokenLogin(context: Context, request: LoginRequest): Promise<void> {
  const place = await loginContext(context)
  const access_token = await tokenFromStdin(context, '--with-token')
  const store = await provenStore(context, request)
  const identity = await identify(await clientWith(context, access_token), context.signal)
  if (Object.values(identity).every((fact) => fact === null)) {
    context.notes.warn(say`this server does not tell about tokens, so nobody checked this one`)
  }
  const scope = identity.scopes?.join(' ') ?? ''
  const token = { access_token, expiresAt: parseTimestamp(identity.expires_at), scope, client_id: null }
  await conclude(context, { store, place, token, identity })
}

/** Where the token will be kept; whether that and the context can be written is known before a server is asked. */
async function provenStore(context: Context, request: LoginRequest): Promise<CredentialStore> {
  await probeContexts(context)
  return chooseStore(context, request['insecure-storage'] === true)
}

async function askForTokens(
  context: Context,
  settings: Settings,
  name: string,
  client_id: string,
  request: LoginRequest,
): Promise<TokenSet> {
  const { io, out, signal } = context
  const oauth = await oauthOptions(context)
  const client_secret = variable(io, 'CLIENT_SECRET')
  let scopes = scopesOf(request)
  for (;;) {
    let found: DeviceAuthorization
    try {
      found = await requestDeviceAuthorization({ client_id, scope: scopes, client_secret }, { ...oauth, signal })
    } catch (error) {
      const fewer = request.scope === undefined && unknownScope(error) ? fewerScopes(scopes) : null
      if (fewer === null) throw error
      scopes = fewer
      continue
    }
    await writeLines(context, codeLines(context, name, settings, found, scopes))
    if (out.mode === 'jsonl') {
      const { user_code, verification_uri, verification_uri_complete = null, expires_in } = found
      const codes = { user_code, verification_uri, verification_uri_complete, expires_in }
      await out.value({ type: 'device_authorization', ...codes }, () => [])
    }
    const page = pageToOpen(context, settings, found, request['no-browser'] === true)
    try {
      return await waitForApproval(context, found, page)
    } catch (error) {
      const why = endedWithoutToken(error)
      if (why === null || !(await wantsNewCode(context, why))) throw signedOut(error)
    }
  }
}

const unknownScope = (error: unknown): boolean => isCiError(error, 'oauth_error') && error.error === 'invalid_scope'

/** A lost answer may have been the approval: the person should know. */
function signedOut(error: unknown): unknown {
  if (!isCiError(error, 'device_authorization') || !error.maybeApproved) return error
  return new CommandError('signed_out', say`the login was approved perhaps, but its answer was lost`, {
    lines: [say`Log in again, and revoke the unused authorization on your account page`],
    hint: ['auth', 'login'],
    cause: error,
  })
}

interface Conclusion {
  readonly store: CredentialStore
  readonly place: Place
  readonly token: NewToken
  /** Scopes that were asked for; absent for a pasted token. */
  readonly asked?: readonly string[] | undefined
  readonly identity?: Identity | undefined
}

async function conclude(context: Context, conclusion: Conclusion): Promise<void> {
  const { store, place, token } = conclusion
  const { baseUrl, authUrl } = await context.settings()
  const credential = newCredential(baseUrl.value, authUrl.value, context.clock.now(), token)
  context.redactor.add(credential.access_token)
  context.redactor.add(credential.refresh_token)
  const { kept, replaced } = await context.interrupts.finishFirst(
    'The login is being kept',
    keepLogin(context, store, place, credential),
  )
  await tellLogin(context, kept, conclusion)
  if (replaced !== null) await endReplaced(context, replaced, credential)
}

/** Nobody waits long for what is only tidiness. */
const END_MS = 5_000

/**
 * Revokes the login that a new one has replaced, where `ci` itself got it from the same server: else each login would leave
 * a live token behind that nobody knows of. The new login stands whatever comes of it.
 */
async function endReplaced(context: Context, old: StoredCredential, now: StoredCredential): Promise<void> {
  const { notes, redactor, signal } = context
  if (old.client_id === null || old.access_token === now.access_token) return
  if (old.origin !== now.origin || old.authOrigin !== now.authOrigin) return
  redactor.add(old.access_token)
  redactor.add(old.refresh_token)
  const provider = providerOf(old, await oauthOptions(context), context)
  const ci = await context.clientOf(await context.settings(), provider ?? old.access_token)
  try {
    await ci.accessToken.revoke({ signal, timeoutMs: END_MS, maxRetries: 0 })
  } catch (error) {
    // Dead already.
    if (isCiError(error, 'unauthorized') || isCiError(error, 'oauth_error')) return
    if (!isCiError(error)) throw error
    notes.warn(say`the earlier login could not be ended: ${error.message}`)
  }
}

async function tellLogin(
  context: Context,
  kept: CredentialStore,
  { place, token: credential, asked = [], identity }: Conclusion,
): Promise<void> {
  const { io, notes, out } = context
  const missing = asked.filter((scope) => !scopeWords(credential.scope).includes(scope))
  if (missing.length > 0) notes.warn(say`not granted: ${missing.join(' ')}`)
  if (variable(io, 'TOKEN') !== undefined) {
    notes.warn(say`BUILDWIRE_TOKEN is set and wins over this login, except under --context ${place.name}`)
  }
  if (out.machine) {
    const { scope, expiresAt } = credential
    return out.value({ type: 'login', context: place.name, scope, expiresAt, store: kept.kind }, () => [])
  }
  const who = identity ?? (await askWho(context, credential.access_token))
  const scopes = credential.scope === '' ? '' : `, scopes: ${credential.scope}`
  const renewed = credential.refresh_token === undefined ? '' : '; renewed automatically'
  const mark = context.looks.plain ? blank : context.stderrPaint('green', context.looks.ascii ? say`+ ` : say`✓ `)
  const [first = blank, ...rest] = wrapped(context, say`Logged in${who?.user ? ` as ${who.user}` : ''}${scopes}`)
  await writeLines(context, [
    say`${mark}${first}`,
    ...rest.map((line) => say`  ${line}`),
    ...wrapped(context, say`Kept in ${kept.place}${renewed}. Context ${place.name} is now the default.`, '  '),
  ])
}

/** Who logged in; the login stands even when nobody tells. */
async function askWho(context: Context, token: string): Promise<Identity | null> {
  try {
    return await identify(await clientWith(context, token), context.signal)
  } catch (error) {
    if (!isCiError(error)) throw error
    context.notes.debug(say`identity unknown: ${error.message}`)
    return null
  }
}
