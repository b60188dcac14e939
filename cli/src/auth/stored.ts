import {
  type AccessToken,
  type OAuthOptions,
  refreshingTokenProvider,
  type TokenProvider,
} from '@buildwire/sdk'
import { resolveSettings, type ServerSettings } from '../config/settings.js'
import type { Context, Credential } from '../context/context.js'
import { CommandError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { say } from '../io/printable.js'
import { refreshStore, renewalError, tokenResponse } from './renewal.js'
import type { CredentialStore, StoredCredential } from './stored-credential.js'
import { saveLogin, storeOf } from './stores.js'

/** OAuth calls have a shorter time-out than other calls, because a user waits for the token. */
const LIMIT_MS = 30_000

/**
 * Options of an OAuth call to the server of these settings, with the same connection options as
 * every other request.
 */
export async function oauthOptions(
  { connectionTo, clock }: Context,
  settings: ServerSettings,
): Promise<OAuthOptions> {
  const { maxRetries: _, timeoutMs = LIMIT_MS, ...connection } = await connectionTo(settings)
  return {
    ...connection,
    authUrl: settings.authUrl.value,
    timeoutMs: Math.min(timeoutMs, LIMIT_MS),
    clock,
  }
}

/** The settings of a context, without the variables that may name another server. */
export function settingsOf({ io, notes }: Context, name: string): Promise<ServerSettings> {
  const isKept = (key: string) => !key.startsWith('BUILDWIRE_') || key === 'BUILDWIRE_CONFIG_DIR'
  const env = Object.fromEntries(Object.entries(io.env).filter(([key]) => isKept(key)))
  return resolveSettings({ io: { ...io, env }, context: name, warn: notes.warn })
}

/**
 * The login in a context's store; null if there is none. A login with a refresh token is renewed
 * automatically.
 *
 * @throws CommandError `signed_out` if the login belongs to another server than the context names.
 */
export async function storedCredential(
  context: Context,
  settings: ServerSettings,
): Promise<Credential | null> {
  const { own, baseUrl, authUrl } = settings
  if (own?.record.store === undefined) return null
  const { name, record } = own
  const store = await storeOf(own.record.store, context)
  const login = await store.load(name)
  if (login === null) return null
  const { access_token, refresh_token, client_id, scope, expiresAt } = login
  context.redactor.add(access_token, refresh_token)
  if (login.origin !== new URL(baseUrl.value).origin) {
    throw new CommandError('signed_out', say`no access token for this server`, {
      lines: [
        say`The token of context ${name} was issued for ${login.origin}; the context names ${baseUrl.value} now`,
      ],
      hint: ['auth', 'login', '--context', name],
    })
  }
  const label = `the token of context ${name} in ${store.place}`
  const unrenewed = { auth: access_token, label, scope, expiresAt }
  if (refresh_token === undefined || client_id === null) return unrenewed
  if (login.authOrigin !== new URL(authUrl.value).origin) {
    context.notes.warn(
      say`${label} is not renewed: it came from ${login.authOrigin}, not from ${authUrl.value}`,
    )
    return unrenewed
  }

  const renewalStore: CredentialStore = {
    ...store,
    async save(_, next) {
      const { kind } = await saveLogin(context, store, name, next)
      if (kind === store.kind) return
      const { saveContext } = await import('../config/own-files.js')
      await saveContext(context, name, (now = record) => ({ ...now, store: kind }))
    },
  }
  const options = {
    ...(await oauthOptions(context, settings)),
    store: refreshStore(context, renewalStore, name, login),
  }
  return { ...unrenewed, auth: authOf(context, name, login, options) }
}

/**
 * The authorization of requests by the login of a context: a provider that renews the token, or the
 * token itself if it cannot be renewed.
 */
export function authOf(
  { io, redactor }: Pick<Context, 'io' | 'redactor'>,
  contextName: string,
  login: StoredCredential,
  options: Parameters<typeof refreshingTokenProvider>[1],
): string | TokenProvider {
  const { client_id, refresh_token, access_token } = login
  if (refresh_token === undefined || client_id === null) return access_token
  const client_secret = variable(io, 'CLIENT_SECRET')
  const provider = refreshingTokenProvider(
    { client_id, client_secret, tokens: tokenResponse(login) },
    options,
  )
  return {
    async getToken(call) {
      try {
        const token = await provider.getToken(call)
        // The redactor learns a renewed token here, because a login without a store is not saved.
        redactor.add(token.value)
        return token
      } catch (error) {
        throw renewalError(error, contextName)
      }
    },
    invalidate: (token) => provider.invalidate(token),
  }
}

/** The token of a credential, renewed if need be. */
export async function tokenOf(
  { auth, expiresAt }: Credential,
  signal: AbortSignal,
): Promise<AccessToken> {
  return typeof auth === 'string' ? { value: auth, expiresAt } : auth.getToken({ signal })
}
