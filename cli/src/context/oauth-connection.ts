import type { OAuthOptions } from '@buildwire/sdk'
import type { Settings } from '../config/settings.js'
import type { Context } from './context.js'

/** OAuth calls have a shorter limit than reads: nobody waits three minutes for a token. */
const LIMIT_MS = 30_000

/** Options of an OAuth call to this run's server, or another context's: it travels as every other request does. */
export async function oauthOptions(
  context: Pick<Context, 'settings' | 'connectionTo' | 'clock'>,
  server?: Settings,
): Promise<OAuthOptions> {
  const settings = server ?? (await context.settings())
  const { maxRetries: _, timeoutMs, ...travel } = await context.connectionTo(settings)
  const { clock } = context
  return { ...travel, authUrl: settings.authUrl.value, timeoutMs: Math.min(timeoutMs, LIMIT_MS), clock }
}
