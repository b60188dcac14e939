import { type CiClient, isCiError } from '@buildwire/sdk'
import type { Context } from '../context/context.js'
import { unlessWithheld } from '../context/withheld.js'
import { usageError } from '../io/command-error.js'
import { isNonInteractive } from '../io/io.js'
import { say } from '../io/printable.js'
import { writeLines } from './device-code.js'

/** Who a token acts for and what it may do, as far as the server tells; null where it does not. */
export type Identity = Awaited<ReturnType<typeof identify>>

/**
 * Asks who a token is. The two operations are extensions: without them only what is known already
 * can be told.
 *
 * @throws ApiError `unauthorized` for a token that the server refuses, and whatever keeps the
 * server from answering.
 */
export async function identify(ci: CiClient, signal: AbortSignal) {
  const token = await ci.accessToken.get({ signal }).catch(unlessOffered)
  const user = token?.user ?? (await ci.user.get({ signal }).catch(unlessOffered))
  return {
    user: user?.email ?? user?.name ?? null,
    scopes: token?.scopes ?? null,
    /** As the server wrote it; null also without an end. */
    expires_at: token?.expires_at ?? null,
    description: token?.description ?? null,
    uuid: token?.uuid ?? null,
  }
}

/** Whether the server has said anything about the token. */
export function isChecked(identity: Identity): boolean {
  return Object.values(identity).some((fact) => fact !== null)
}

export function scopeWords(scope: string): string[] {
  return scope.split(/\s+/u).filter((word) => word !== '')
}

/** A server without the operation, or a token without its scope, is no error here. */
function unlessOffered(error: unknown): null {
  return isCiError(error, 'http_error') || isCiError(error, 'invalid_response')
    ? null
    : unlessWithheld(error)
}

/**
 * Revokes a login. One that is refused as it is counts: it is dead already, and so is what stands
 * behind it.
 */
export async function revoke(
  ci: CiClient,
  options: Parameters<CiClient['accessToken']['revoke']>[0],
): Promise<void> {
  try {
    await ci.accessToken.revoke(options)
  } catch (error) {
    if (!isCiError(error, 'unauthorized') && !isCiError(error, 'oauth_error')) throw error
  }
}

/** A token from stdin, known to the redactor from then on. On a terminal it asks for it. */
export async function tokenFromStdin(context: Context, command: string): Promise<string> {
  const { io } = context
  if (io.stdin.isTTY) {
    if (isNonInteractive(io, context.noInput)) {
      throw usageError(say`${command} reads the token from stdin, which is a terminal`, {
        lines: [say`Pipe it in`],
      })
    }
    await writeLines(context, [say`Paste the token, then Ctrl-D`])
  }
  const token = new TextDecoder().decode(await io.stdin.readAll()).trim()
  if (token === '') throw usageError(say`${command} found no token on stdin`)
  context.redactor.add(token)
  context.usesTokenFromStdin()
  return token
}
