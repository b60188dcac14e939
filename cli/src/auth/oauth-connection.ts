import { type OAuthOptions, undiciTransport } from '@buildwire/sdk'
import type { Context } from '../context.js'

/** OAuth calls have a shorter limit than reads: nobody waits three minutes for a token. */
const LIMIT_MS = 30_000

/** Options of an OAuth call: the same way out as every other request, seen by `--debug=http` too. */
export async function oauthOptions({
  settings,
  connection,
  clock,
}: Pick<Context, 'settings' | 'connection' | 'clock'>): Promise<OAuthOptions> {
  const { authUrl } = await settings()
  const found = await connection()
  const { dispatcher, middleware, allowInsecure, timeoutMs, onEvent } = found
  const inner = found.transport ?? undiciTransport(dispatcher === undefined ? {} : { dispatcher })
  const transport = middleware.reduceRight<typeof inner>(
    (next, wrap) => (request, options) => wrap(request, (sent) => next(sent, options)),
    inner,
  )
  return {
    authUrl: authUrl.value,
    transport,
    allowInsecure,
    timeoutMs: Math.min(timeoutMs, LIMIT_MS),
    onEvent,
    clock,
  }
}
