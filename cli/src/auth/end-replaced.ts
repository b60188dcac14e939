import { isCiError } from '@buildwire/sdk'
import type { Context } from '../context/context.js'
import { say } from '../io/printable.js'
import { providerOf } from './stored.js'
import type { StoredCredential } from './stored-credential.js'

/** Nobody waits long for what is only tidiness. */
const LIMIT_MS = 5_000

/**
 * Revokes the login that a new one has replaced, where `ci` itself got it from the same server: else each login would leave
 * a live token behind that nobody knows of. The new login stands whatever comes of it.
 */
export async function endReplaced(context: Context, old: StoredCredential, now: StoredCredential): Promise<void> {
  const { clock, notes, redactor, signal } = context
  if (old.client_id === null || old.access_token === now.access_token) return
  if (old.origin !== now.origin || old.authOrigin !== now.authOrigin) return
  redactor.add(old.access_token)
  redactor.add(old.refresh_token)
  const { oauthOptions } = await import('../context/oauth-connection.js')
  const provider = providerOf(old, { ...(await oauthOptions(context)), clock }, context)
  const ci = await context.clientOf(await context.settings(), provider ?? old.access_token)
  try {
    await ci.accessToken.revoke({ signal, timeoutMs: LIMIT_MS, maxRetries: 0 })
  } catch (error) {
    // Dead already.
    if (isCiError(error, 'unauthorized') || isCiError(error, 'oauth_error')) return
    if (!isCiError(error)) throw error
    notes.warn(say`the earlier login could not be ended: ${error.message}`)
  }
}
