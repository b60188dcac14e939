import { type AccessToken, refreshingTokenProvider, type TokenProvider } from '@buildwire/sdk'
import type { Credential, StoredTools } from '../config/credential.js'
import type { Settings } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { CommandError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { say } from '../io/printable.js'
import type { Redactor } from '../io/redact.js'
import { refreshStore, tokenResponse } from './refresh-store.js'
import type { CredentialStore, StoredCredential } from './stored-credential.js'
import { saveLogin, storeOf } from './stores.js'

/**
 * The login that a context's store holds; null when there is none. A login with a refresh token is renewed by itself.
 *
 * @throws CommandError `signed_out` when it belongs to another server than the context names now.
 */
export async function storedCredential(settings: Settings, tools: StoredTools): Promise<Credential | null> {
  const { context, contextName } = settings
  if (context?.store === undefined || contextName === null) return null
  const { redactor } = tools
  const store = await storeOf(context.store, tools)
  const renewed: CredentialStore = {
    ...store,
    async save(name, credential) {
      const { kind } = await saveLogin(store, name, credential, tools)
      if (kind === store.kind) return
      const { saveContext } = await import('../config/change-contexts.js')
      await saveContext(tools, name, (now = context) => ({ ...now, store: kind }))
    },
  }
  const credential = await store.load(contextName)
  if (credential === null) return null
  redactor.add(credential.access_token)
  redactor.add(credential.refresh_token)
  if (credential.origin !== new URL(settings.baseUrl.value).origin) {
    throw new CommandError('signed_out', say`no access token for this server`, {
      lines: [
        say`The token of context ${contextName} was issued for ${credential.origin}; the context names ${settings.baseUrl.value} now`,
      ],
      hint: ['auth', 'login', '--context', contextName],
    })
  }
  const label = `the token of context ${contextName} in ${store.place}`
  const { client_id } = credential
  if (credential.refresh_token === undefined || client_id === null) return { auth: credential.access_token, label }
  if (credential.authOrigin !== new URL(settings.authUrl.value).origin) {
    tools.notes.warn(
      say`${label} is not renewed: it came from ${credential.authOrigin}, not from ${settings.authUrl.value}`,
    )
    return { auth: credential.access_token, label }
  }
  const kept = refreshStore({ ...tools, store: renewed, contextName, credential })
  const provider = providerOf(credential, { ...(await tools.oauth()), store: kept }, tools)
  return { auth: provider ?? credential.access_token, label }
}

/** What renews a login; null for one that cannot be renewed. */
export function providerOf(
  credential: StoredCredential,
  options: Parameters<typeof refreshingTokenProvider>[1],
  { io, redactor }: Pick<StoredTools, 'io' | 'redactor'>,
): TokenProvider | null {
  const { client_id, refresh_token } = credential
  if (refresh_token === undefined || client_id === null) return null
  const secret = variable(io, 'CLIENT_SECRET')
  const login = {
    client_id,
    tokens: tokenResponse(credential),
    ...(secret === undefined ? {} : { client_secret: secret }),
  }
  return watched(refreshingTokenProvider(login, options), redactor)
}

/** The token of this run, renewed if need be. */
export async function currentToken({
  credential,
  signal,
}: Pick<Context, 'credential' | 'signal'>): Promise<AccessToken> {
  const { auth } = await credential()
  return typeof auth === 'string' ? { value: auth, expiresAt: null } : auth.getToken({ signal })
}

/** A provider whose every token the redactor knows before anybody can print it. */
function watched(provider: TokenProvider, redactor: Redactor): TokenProvider {
  return {
    async getToken(options) {
      const token = await provider.getToken(options)
      redactor.add(token.value)
      return token
    },
    invalidate: (token) => provider.invalidate(token),
  }
}
