import type { OAuthOptions } from '@buildwire/sdk'
import type { Settings } from '../config/settings.js'
import type { Context } from './context.js'

/** OAuth calls have a shorter limit than reads: nobody waits three minutes for a token. */
const LIMIT_MS = 30_000

/** Options of an OAuth call: the same way out as every other request, seen by `--debug=http` too. */
export async function oauthOptions(
  context: Pick<Context, 'settings' | 'connectionTo' | 'clock'>,
): Promise<OAuthOptions> {
  return oauthOptionsFor(await context.settings(), context)
}

/** The same for another context's server. */
export async function oauthOptionsFor(
  settings: Settings,
  { connectionTo, clock }: Pick<Context, 'connectionTo' | 'clock'>,
): Promise<OAuthOptions> {
  const connection = await connectionTo(settings)
  const { maxRetries: _, timeoutMs, ...travel } = connection
  return { ...travel, authUrl: settings.authUrl.value, timeoutMs: Math.min(timeoutMs, LIMIT_MS), clock }
}
