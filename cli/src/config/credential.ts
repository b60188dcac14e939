import type { TokenProvider } from '@buildwire/sdk'
import { CommandError } from '../io/command-error.js'
import { type Io, variable } from '../io/io.js'
import { type Settings, sameOrigin } from './settings.js'

/** What authorizes the requests of this run, and where it came from. */
export interface Credential {
  readonly auth: string | TokenProvider
  /** For messages: `BUILDWIRE_TOKEN`, or `the token of context acme in the system keyring`. */
  readonly label: string
}

/**
 * Looks the stored credential of a context up; null when none is stored. Only called when the context's own server is
 * the one that will be asked.
 */
export type StoredCredentialLookup = (settings: Settings) => Promise<Credential | null>

/**
 * The credential of this run: `BUILDWIRE_TOKEN`, except under an explicit context, which uses its own.
 *
 * @throws CommandError `signed_out` when there is none.
 */
export async function lookUpCredential(
  settings: Settings,
  io: Io,
  stored: StoredCredentialLookup,
  warn: (text: string) => void,
): Promise<Credential> {
  const token = variable(io, 'TOKEN')
  const ignoresVariable = settings.contextIsExplicit && settings.context !== null
  if (token !== undefined && !ignoresVariable) return { auth: token, label: 'BUILDWIRE_TOKEN' }

  const { context, contextName, baseUrl } = settings
  if (context === null) throw signedOut(settings, 'no access token')
  if (!sameOrigin(context.baseUrl, baseUrl.value)) {
    throw signedOut(settings, 'no access token for this server', [
      `The token of context ${contextName} belongs to ${context.baseUrl}; ${baseUrl.source} points to ${baseUrl.value}`,
    ])
  }
  if (token !== undefined) warn(`BUILDWIRE_TOKEN is ignored: context ${contextName} was named and uses its own token`)
  const credential = await stored(settings)
  if (credential === null) throw signedOut(settings, 'no access token')
  return credential
}

function signedOut(settings: Settings, headline: string, lines: readonly string[] = []): CommandError {
  const context = settings.contextName === null ? '' : ` --context ${settings.contextName}`
  return new CommandError('signed_out', headline, {
    lines: lines.length > 0 ? lines : [`${settings.baseUrl.value} needs one: log in, or put it into BUILDWIRE_TOKEN`],
    hint: `ci auth login${context}`,
  })
}
