import { CommandError, messageOf, usageError } from '../io/command-error.js'
import type { Sourced } from '../io/error-report.js'
import { type Io, variable } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import { say } from '../io/printable.js'
import { type NamedContext, noContext, readContexts, type ServerContext } from './contexts.js'
import { serverUrlFault, trimmedUrl, UNENCRYPTED } from './server-url.js'

/** The server of a run and the names to use there, resolved once per run. */
export type ServerSettings = Awaited<ReturnType<typeof resolveSettings>>

interface SettingsInputs {
  readonly io: Io
  /** The value of `--context`. */
  readonly context: string | undefined
  readonly warn: Notes['warn']
}

/**
 * Resolves the server and its names: flag, then `BUILDWIRE_*`, then context, then default.
 *
 * @throws CommandError `configuration` when no server is configured or a file is damaged; `usage`
 * for a context that does not exist.
 */
export async function resolveSettings({ io, context: flag, warn }: SettingsInputs) {
  const baseVariable = variable(io, 'BASE_URL')
  const file = await readContexts({ io, notes: { warn } }).catch((error: unknown) => {
    // With the server, the token and no context named, the run does not need the file.
    const needsFile =
      baseVariable === undefined || variable(io, 'TOKEN') === undefined || flag !== undefined
    if (needsFile) throw error
    warn(say`${messageOf(error)}; contexts are ignored`)
    return null
  })
  const typed = flag ?? variable(io, 'CONTEXT')
  const name = typed ?? file?.current ?? ''
  const record = file?.contexts.get(name)
  if (typed !== undefined && record === undefined)
    throw noContext(typed, file?.contexts ?? new Map(), baseVariable)

  const fromContext = (value: string | undefined): Sourced | null =>
    value ? { value, source: `context ${name}` } : null
  const named = (word: string, inContext: string | undefined): Sourced | null => {
    const value = variable(io, word)
    return value === undefined ? fromContext(inContext) : { value, source: `BUILDWIRE_${word}` }
  }
  const baseUrl = named('BASE_URL', record?.baseUrl)
  if (baseUrl === null) {
    const how = say`Name one with ci context set NAME --base-url URL, or in BUILDWIRE_BASE_URL`
    throw new CommandError('configuration', say`no server is configured`, {
      lines: [say`${how}; to try it out, start your own`],
      hint: ['server', 'start', '--set-context', 'local'],
    })
  }
  const context: NamedContext | null = record === undefined ? null : { name, record }
  const own = context !== null && sameOrigin(context.record.baseUrl, baseUrl.value) ? context : null
  const { insecureHttp = false, ...other }: Partial<ServerContext> = own?.record ?? {}
  return {
    /** The context in effect; null when variables alone name the server. */
    context,
    contextIsExplicit: typed !== undefined,
    /**
     * The context if requests go to its server, else null: its values and its token are not used
     * for another server that a variable names.
     */
    own,
    baseUrl: validUrl(baseUrl, insecureHttp),
    authUrl: validUrl(named('AUTH_URL', other.authUrl) ?? baseUrl, insecureHttp),
    webUrl: validUrl(named('WEB_URL', other.webUrl) ?? baseUrl, insecureHttp),
    vendor: named('VENDOR', other.vendor) ?? { value: 'buildwire', source: 'default' },
    client_id: named('CLIENT_ID', other.client_id),
    org_slug: fromContext(other.org_slug),
    insecureHttp,
  }
}

/** Validates a server URL; the error names the setting that it came from. */
function validUrl({ value, source }: Sourced, insecureHttp: boolean): Sourced {
  const fault = serverUrlFault(value, insecureHttp)
  if (fault === null) return { value: trimmedUrl(value), source }
  const allow = say`In a network you trust, a context may allow it: ci context set NAME --base-url URL --insecure-http`
  const lines = fault === UNENCRYPTED ? [allow] : []
  const headline = say`${source}: ${fault}`
  if (source.startsWith('BUILDWIRE_'))
    throw usageError(headline, { lines, hint: ['help', 'environment'] })
  throw new CommandError('configuration', headline, { lines, hint: ['context', 'list'] })
}

/** Whether two URLs have one origin; false when one cannot be read. */
export function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin
}
