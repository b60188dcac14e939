import type { ServerSettings } from '../config/settings.js'
import { CommandError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { type Printable, say } from '../io/printable.js'
import type { Context, Credential, Runtime } from './context.js'

/** The credential of this run: `BUILDWIRE_TOKEN`, but the stored login for an explicit context. */
export async function lookUpCredential(
  context: Context,
  settings: ServerSettings,
  stored: Runtime['storedCredential'],
): Promise<Credential> {
  const { context: named, own, baseUrl } = settings
  const token = variable(context.io, 'TOKEN')
  if (token !== undefined && (named === null || !settings.contextIsExplicit)) {
    return { auth: token, label: 'BUILDWIRE_TOKEN', scope: '', expiresAt: null }
  }
  if (named === null) throw signedOut(settings, say`no access token`)
  if (own === null) {
    throw signedOut(
      settings,
      say`no access token for this server`,
      say`The token of context ${named.name} is for ${named.record.baseUrl}; ${baseUrl.source} points to ${baseUrl.value}`,
    )
  }
  if (token !== undefined) {
    context.notes.warn(
      say`BUILDWIRE_TOKEN is ignored: context ${own.name} was named and uses its own token`,
    )
  }
  const credential = await stored(context, settings)
  if (credential === null) throw signedOut(settings, say`no access token`)
  return credential
}

function signedOut(
  { own, baseUrl }: ServerSettings,
  headline: Printable,
  line?: Printable,
): CommandError {
  return new CommandError('signed_out', headline, {
    lines: [line ?? say`${baseUrl.value} needs one: log in, or set BUILDWIRE_TOKEN`],
    hint: ['auth', 'login', ...(own === null ? [] : ['--context', own.name])],
  })
}
