import type { CiClient } from '@buildwire/sdk'
import { resolveSettings, type Settings } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { oauthOptions } from '../context/oauth-connection.js'
import { storedCredential } from './stored.js'

/** A context's own settings, as if no variable named another server. */
export function settingsOf({ io, notes }: Context, name: string): Promise<Settings> {
  const names = ['BASE_URL', 'AUTH_URL', 'WEB_URL', 'VENDOR', 'CLIENT_ID', 'CONTEXT', 'TOKEN']
  const foreign = new Set(names.map((each) => `BUILDWIRE_${each}`))
  const env = Object.fromEntries(Object.entries(io.env).filter(([key]) => !foreign.has(key)))
  return resolveSettings({ io: { ...io, env }, context: name, warn: notes.warn })
}

/** A client with the login that a context's store holds; null when it holds none. */
export async function storedClient(context: Context, settings: Settings): Promise<CiClient | null> {
  const credential = await storedCredential(settings, { ...context, oauth: () => oauthOptions(context, settings) })
  return credential === null ? null : context.clientOf(settings, credential.auth)
}
