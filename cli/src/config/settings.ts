import { CommandError, messageOf, usageError } from '../io/command-error.js'
import { type Io, variable } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import { say } from '../io/printable.js'
import { type ContextFile, readContexts } from './contexts.js'
import { type ProjectFile, readProjectFile } from './project-file.js'
import { serverUrlFault, trimmedUrl, UNENCRYPTED } from './server-url.js'

interface Sourced<T> {
  readonly value: T
  readonly source: string
}

/** Everything that decides which server is asked and as whom, resolved once per run. */
export type Settings = Awaited<ReturnType<typeof resolveSettings>>

interface SettingsInputs {
  readonly io: Io
  /** The value of `--context`. */
  readonly context: string | undefined
  readonly warn: Notes['warn']
}

/**
 * Resolves the server and its names: flag, then `BUILDWIRE_*`, then context, then default.
 *
 * @throws CommandError `configuration` when no server is configured or a file is damaged; `usage` for a context that
 * does not exist.
 */
export async function resolveSettings({ io, context: flag, warn }: SettingsInputs) {
  const baseVariable = variable(io, 'BASE_URL')
  const file = await readContexts(io).catch((error: unknown) => {
    // A run that names server and token itself must not fail for a file it does not need.
    if (baseVariable === undefined || variable(io, 'TOKEN') === undefined || flag !== undefined) throw error
    warn(say`${messageOf(error)}; contexts are ignored`)
    return null
  })
  const typed = flag ?? variable(io, 'CONTEXT')
  const contextName = typed ?? file?.current ?? null
  const context = contextName === null ? null : (file?.contexts.get(contextName) ?? null)
  if (typed !== undefined && context === null) throw unknownContext(typed, file, baseVariable)

  const fromContext = `context ${contextName}`
  const named = (name: string, own: string | undefined) =>
    pick([variable(io, name), `BUILDWIRE_${name}`], [own, fromContext])
  const baseUrl = named('BASE_URL', context?.baseUrl)
  if (baseUrl === null) throw noServer()
  // A context's other values belong to its own server; they do not follow a variable to another one.
  const own = context !== null && sameOrigin(context.baseUrl, baseUrl.value) ? context : null
  const insecureHttp = own?.insecureHttp === true
  return {
    /** The name of the context in effect; null when variables alone say everything. */
    contextName,
    contextIsExplicit: typed !== undefined,
    context,
    baseUrl: checked(baseUrl, insecureHttp),
    authUrl: checked(named('AUTH_URL', own?.authUrl) ?? baseUrl, insecureHttp),
    webUrl: checked(named('WEB_URL', own?.webUrl) ?? baseUrl, insecureHttp),
    vendor: named('VENDOR', own?.vendor) ?? { value: 'buildwire', source: 'default' },
    client_id: named('CLIENT_ID', own?.client_id),
    org_slug: pick([own?.org_slug, fromContext]),
    insecureHttp,
  }
}

/** The name of the context whose server is asked; null where a variable points to another one. */
export function ownContextName({ context, contextName, baseUrl }: Settings): string | null {
  return context !== null && sameOrigin(context.baseUrl, baseUrl.value) ? contextName : null
}

/** The project file, with one warning for keys that it may not have. */
export async function projectFile(io: Io, warn: Notes['warn']): Promise<ProjectFile | null> {
  const project = await readProjectFile(io.cwd, io.home)
  if (project !== null && project.unknown.length > 0) {
    warn(
      say`${project.path}: ${project.unknown.join(', ')} is ignored; a project may set org_slug, pipeline_slug, suite_slug and output`,
    )
  }
  return project
}

function pick(...candidates: readonly (readonly [string | undefined, string])[]): Sourced<string> | null {
  for (const [value, source] of candidates) if (value !== undefined && value !== '') return { value, source }
  return null
}

/** A server's URL that can be asked; whoever wrote it is named where it cannot. */
function checked({ value, source }: Sourced<string>, insecureHttp: boolean): Sourced<string> {
  const fault = serverUrlFault(value, insecureHttp)
  if (fault === null) return { value: trimmedUrl(value), source }
  const allow = say`In a network you trust, a context may allow it: ci context set NAME --base-url URL --insecure-http`
  const lines = fault === UNENCRYPTED ? [allow] : []
  const said = say`${source}: ${fault}`
  if (source.startsWith('BUILDWIRE_')) throw usageError(said, { lines, hint: ['help', 'environment'] })
  throw new CommandError('configuration', said, { lines, hint: ['context', 'list'] })
}

/** Whether two URLs have one origin; false when one cannot be read. */
export function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin
}

function noServer(): CommandError {
  return new CommandError('configuration', say`no server is configured`, {
    lines: [
      say`Name one with ci context set NAME --base-url URL, or in BUILDWIRE_BASE_URL; to try it out, start your own`,
    ],
    hint: ['server', 'start', '--set-context', 'local'],
  })
}

function unknownContext(name: string, file: ContextFile | null, url = 'URL'): CommandError {
  const names = [...(file?.contexts.keys() ?? [])]
  return usageError(say`there is no context ${JSON.stringify(name)}`, {
    lines: [names.length === 0 ? say`No context is set yet` : say`Contexts: ${names.join(', ')}`],
    hint: names.length === 0 ? ['context', 'set', name, '--base-url', url] : ['context', 'list'],
  })
}
