import { type CiClient, isCiError } from '@buildwire/sdk'
import type { Context } from '../context/context.js'
import { unlessWithheld } from '../context/withheld.js'
import { usageError } from '../io/command-error.js'
import { isNonInteractive } from '../io/io.js'
import { say } from '../io/printable.js'
import { writeLines } from './device-code.js'

/** The user and the scopes of a token; null for facts that the server does not provide. */
export type Identity = Awaited<ReturnType<typeof identify>>

/**
 * Asks the server for the user and the scopes of a token. Both operations are extensions: a server
 * without them gives an identity of nulls.
 *
 * @throws ApiError `unauthorized` if the server refuses the token. CiError if the server cannot be
 * reached.
 */
export async function identify(ci: CiClient, signal: AbortSignal) {
  const token = await ci.accessToken.get({ signal }).catch(unlessOffered)
  const user = token?.user ?? (await ci.user.get({ signal }).catch(unlessOffered))
  return {
    user: user?.email ?? user?.name ?? null,
    scopes: token?.scopes ?? null,
    /** As the server sent it; null also for a token that does not expire. */
    expires_at: token?.expires_at ?? null,
    description: token?.description ?? null,
    uuid: token?.uuid ?? null,
  }
}

/** Whether the server provided any fact about the token. */
export function isChecked(identity: Identity): boolean {
  return Object.values(identity).some((fact) => fact !== null)
}

export function scopeWords(scope: string): string[] {
  return scope.split(/\s+/u).filter((word) => word !== '')
}

/** Ignores the error of a server without the operation, or of a token without its scope. */
function unlessOffered(error: unknown): null {
  return isCiError(error, 'http_error') || isCiError(error, 'invalid_response')
    ? null
    : unlessWithheld(error)
}

/**
 * Revokes the token of a login. A token that the server refuses counts as revoked: it is invalid
 * already.
 */
export async function revoke(
  ci: CiClient,
  options: Parameters<CiClient['accessToken']['revoke']>[0],
): Promise<void> {
  try {
    await ci.accessToken.revoke(options)
  } catch (error) {
    const isRefused = isCiError(error, 'oauth_error') && error.status < 500
    if (!isCiError(error, 'unauthorized') && !isRefused) throw error
  }
}

/** Reads a token from stdin and adds it to the redactor. On a terminal it asks for the token. */
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
