import type { OAuthOptions, TokenProvider } from '@buildwire/sdk'
import type { Clock } from '../io/clock.js'
import { CommandError } from '../io/command-error.js'
import { type Io, variable } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import { type Printable, say } from '../io/printable.js'
import type { Redactor } from '../io/redact.js'
import type { Interrupts } from '../io/signals.js'
import { ownContextName, type Settings, sameOrigin } from './settings.js'

/** What authorizes the requests of this run, and where it came from. */
export interface Credential {
  readonly auth: string | TokenProvider
  /** For messages: `BUILDWIRE_TOKEN`, or `the token of context acme in the system keyring`. */
  readonly label: string
}

export interface StoredTools {
  readonly io: Io
  readonly clock: Clock
  readonly redactor: Redactor
  readonly notes: Notes
  readonly interrupts: Interrupts
  readonly oauth: () => Promise<OAuthOptions>
}

/**
 * Looks the stored credential of a context up; null when none is stored. Only called when the context's own server is
 * the one that will be asked.
 */
export type StoredCredentialLookup = (settings: Settings, tools: StoredTools) => Promise<Credential | null>

/** The credential of this run: `BUILDWIRE_TOKEN`, except under an explicit context, which uses its own. */
export async function lookUpCredential(
  settings: Settings,
  stored: StoredCredentialLookup,
  tools: StoredTools,
): Promise<Credential> {
  const { io, notes } = tools
  const token = variable(io, 'TOKEN')
  const ignoresVariable = settings.contextIsExplicit && settings.context !== null
  if (token !== undefined && !ignoresVariable) return { auth: token, label: 'BUILDWIRE_TOKEN' }

  const { context, contextName, baseUrl } = settings
  if (context === null) throw signedOut(settings, say`no access token`)
  if (!sameOrigin(context.baseUrl, baseUrl.value)) {
    throw signedOut(settings, say`no access token for this server`, [
      say`The token of context ${contextName ?? ''} belongs to ${context.baseUrl}; ${baseUrl.source} points to ${baseUrl.value}`,
    ])
  }
  if (token !== undefined)
    notes.warn(say`BUILDWIRE_TOKEN is ignored: context ${contextName ?? ''} was named and uses its own token`)
  const credential = await stored(settings, tools)
  if (credential === null) throw signedOut(settings, say`no access token`)
  return credential
}

function signedOut(settings: Settings, headline: Printable, lines: readonly Printable[] = []): CommandError {
  const name = ownContextName(settings)
  return new CommandError('signed_out', headline, {
    lines:
      lines.length > 0 ? lines : [say`${settings.baseUrl.value} needs one: log in, or put it into BUILDWIRE_TOKEN`],
    hint: ['auth', 'login', ...(name === null ? [] : ['--context', name])],
  })
}
