import { type CiClient, isCiError } from '@buildwire/sdk'
import type { Context } from '../context/context.js'
import { unlessWithheld } from '../context/git/inference.js'

/** Who a token acts for and what it may do, as far as the server tells. */
export interface Identity {
  /** E-mail, else name; null when no operation tells. */
  readonly user: string | null
  readonly scopes: readonly string[] | null
  /** As the server wrote it; null without an end, or when it does not tell. */
  readonly expires_at: string | null
  readonly description: string | null
  readonly uuid: string | null
}

/** A client of this run's server with another token. */
export async function clientWith(context: Context, token: string): Promise<CiClient> {
  context.redactor.add(token)
  return context.clientOf(await context.settings(), token)
}

/**
 * Asks who a token is. The two operations are extensions: without them only what is known already can be told.
 *
 * @throws ApiError `unauthorized` for a token that the server refuses, and whatever keeps the server from answering.
 */
export async function identify(ci: CiClient, signal: AbortSignal): Promise<Identity> {
  const token = await ci.accessToken.get({ signal }).catch(unlessOffered)
  const user = token?.user ?? (await ci.user.get({ signal }).catch(unlessOffered))
  return {
    user: user?.email ?? user?.name ?? null,
    scopes: token?.scopes ?? null,
    expires_at: token?.expires_at ?? null,
    description: token?.description ?? null,
    uuid: token?.uuid ?? null,
  }
}

/** A server without the operation, or a token without its scope, is no error here. */
function unlessOffered(error: unknown): null {
  return isCiError(error, 'http_error') || isCiError(error, 'invalid_response') ? null : unlessWithheld(error)
}
