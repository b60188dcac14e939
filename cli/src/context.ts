import { CiClient, type CiEvent, type ResponseInfo } from '@buildwire/sdk'
import type { Clock } from './clock.js'
import { type Credential, lookUpCredential, type StoredCredentialLookup } from './config/credential.js'
import type { ProjectFile } from './config/project-file.js'
import { ownContextName, projectFile, resolveSettings, type Settings } from './config/settings.js'
import { OUTPUTS, type Output } from './flags/global.js'
import { type Git, gitOf } from './git/git.js'
import type { Manifest } from './help/manifest.js'
import { type ColorInputs, isAscii, isPlain, type Looks, type Paint, paintFor } from './io/color.js'
import { usageError } from './io/command-error.js'
import { type Address, type ErrorFacts, FROM_STDIN } from './io/error-report.js'
import { chooseRoute, proxyVariable } from './io/http-transport.js'
import { type Io, variable } from './io/io.js'
import { createNotes, type Notes } from './io/notes.js'
import { once } from './io/once.js'
import { type OutputOptions, outputOptions } from './io/output.js'
import { createPrinter, type Printer } from './io/print.js'
import { commandLine, type Printable, say } from './io/printable.js'
import { type Progress, silentProgress } from './io/progress.js'
import type { Redactor } from './io/redact.js'
import type { Interrupts } from './io/signals.js'
import { createTarget, type Target } from './target.js'

/** What a run has before its command line is understood. */
export interface Runtime {
  readonly io: Io
  readonly clock: Clock
  readonly interrupts: Interrupts
  readonly redactor: Redactor
  readonly manifest: () => Promise<Manifest>
  /** Looks a context's stored credential up. */
  readonly storedCredential: StoredCredentialLookup
}

/** The values of the global flags. */
export interface GlobalFlagValues {
  readonly pipeline?: { org_slug?: string | undefined; pipeline_slug: string } | undefined
  readonly org?: string | undefined
  readonly context?: string | undefined
  readonly output?: Output | undefined
  readonly json?: string | undefined
  readonly jq?: string | undefined
  readonly utc?: boolean | undefined
  readonly color?: ColorInputs['flag']
  readonly 'no-color'?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly debug?: string | undefined
  readonly 'no-input'?: boolean | undefined
  readonly 'no-pager'?: boolean | undefined
  readonly 'request-timeout'?: number | undefined
  readonly retries?: number | undefined
}

/** What a command works with. Everything that costs something is made at its first use, and once. */
export interface Context {
  readonly io: Io
  readonly clock: Clock
  readonly interrupts: Interrupts
  /** Aborted by Ctrl-C and by a reader that went away; belongs into every request. */
  readonly signal: AbortSignal
  readonly redactor: Redactor
  readonly notes: Notes
  readonly out: Printer
  readonly progress: Progress
  readonly looks: Looks
  /** Styles for stderr, where logins and prompts are told. */
  readonly stderrPaint: Paint
  readonly git: Git
  readonly target: Target
  readonly noInput: boolean
  /** A command line of this program that leads to the server and the context of this run, quoted for a shell. */
  command(words: readonly (string | number)[]): Printable
  /** The command line of this run, with `words` behind the name of the command. */
  again(words: readonly (string | number)[]): Printable
  readonly manifest: () => Promise<Manifest>
  readonly version: string
  /** Opens a page for a person, or prints its address where no browser can be opened. */
  openPage(url: string): Promise<void>
  settings(): Promise<Settings>
  project(): Promise<ProjectFile | null>
  credential(): Promise<Credential>
  /** Lets errors name stdin as the place that the token came from. */
  usesTokenFromStdin(): void
  /** The client of this run's server, with this run's credential. */
  ci(): Promise<CiClient>
  /** For options of OAuth calls and of clients with another token. */
  connection(): Promise<Connection>
  /** The same for a URL of its own, such as that of another context's server. */
  connectionTo(url: string, settings: Pick<Settings, 'insecureHttp'>): Promise<Connection>
  /** What an error may refer to, as far as it is known already. */
  errorFacts(): ErrorFacts
}

/** How requests of this run travel, without a credential. */
interface Connection {
  readonly transport?: import('@buildwire/sdk').Transport | undefined
  readonly dispatcher?: import('undici').Dispatcher | undefined
  readonly middleware: readonly import('@buildwire/sdk').Middleware[]
  readonly allowInsecure: boolean
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly userAgent: string
  readonly onEvent: (event: CiEvent) => void
}

const DEFAULT_TIMEOUT_MS = 180_000
const DEFAULT_RETRIES = 2
/** Words of command lines that are about no server, or name the context themselves. */
const NO_CONTEXT: ReadonlySet<string | number> = new Set(['context', '--context', 'help', '--help', 'keys', 'server'])

/** What replaces an extension operation on a server that does not offer it. */
function replacements(command: ErrorFacts['command']): ErrorFacts['replaces'] {
  const build = (verb: string, what: string) => (at: Address) => {
    const ref = `${at.org ?? 'ORG'}/${at.pipeline ?? 'SLUG'}#${at.number ?? 'NUMBER'}`
    return say`${what}: ${command(['builds', verb, ref])}`
  }
  const page = build('open', 'look at the page of the build')
  return {
    'jobs.get': build('get', 'the build shows its jobs'),
    'jobs.retry': build('retry', 'all failed jobs can be retried'),
    'jobs.unblock': build('open', 'it can be unblocked on the page of the build'),
    'annotations.list': page,
    'annotations.create': page,
    'artifacts.list': page,
    'artifacts.listForJob': page,
    'artifacts.download': page,
    'user.get': () => say`@me needs it; name the user instead: --creator UUID`,
    'organizations.list': () => say`name the organization instead: --org SLUG`,
    'pipelines.list': ({ org = 'ORG' }) => say`name the pipeline instead: -p ${org}/SLUG`,
    'pipelines.get': ({ org = 'ORG', pipeline = 'SLUG' }) =>
      say`the builds can be read all the same: ${command(['builds', 'list', '-p', `${org}/${pipeline}`])}`,
    'accessToken.get': () =>
      say`what the text of a token tells needs no server: ${command(['token', 'inspect', '--offline'])}`,
    'accessToken.revoke': () =>
      say`the token is forgotten here; it stays valid until it is revoked on the account page`,
  }
}

/** The command line of a run. */
export interface Typed {
  readonly name: readonly string[]
  /** Null where they may hold what no log should show. */
  readonly words: readonly string[] | null
}

/** Makes the context of a run from its global flags. */
export async function createContext(
  runtime: Runtime,
  flags: GlobalFlagValues,
  version: string,
  { name, words: typed }: Typed = { name: [], words: [] },
): Promise<Context> {
  const { io, clock, interrupts, redactor, storedCredential } = runtime
  for (const name of ['TOKEN', 'CLIENT_SECRET', 'PRIVATE_KEY']) redactor.add(variable(io, name))
  const color = flags['no-color'] === true ? 'never' : flags.color
  const debugging = debugLevel(flags.debug ?? variable(io, 'DEBUG'))
  const quiet = flags.quiet === true
  const early = outputOptions({
    ...flags,
    preferred: preferredOutput(io),
    isTTY: io.stdout.isTTY,
    jq: flags.jq,
    json: flags.json,
    output: flags.output,
  })
  const stderrPaint = paintFor(io, io.stderr, color)
  const notes = createNotes({
    stderr: io.stderr,
    redactor,
    paint: stderrPaint,
    quiet,
    machine: early.machine,
    debugging,
  })
  const project = once(() => projectFile(io, notes.warn))
  const output = await withProjectOutput(early, flags, io, project)
  const plain = isPlain(io)
  const looks: Looks = { ascii: isAscii(io), plain, utc: flags.utc === true, paint: paintFor(io, io.stdout, color) }
  const watched =
    io.stderr.isTTY && !quiet && !output.machine && !plain && io.env.TERM !== 'dumb' && debugging === 'off'
  const progress = watched
    ? (await import('./io/terminal-progress.js')).terminalProgress(io.stderr, clock)
    : silentProgress
  const noInput = flags['no-input'] === true
  const command: Context['command'] = (words) => {
    const isComplete = flags.context === undefined || words.some((word) => NO_CONTEXT.has(word))
    return commandLine(isComplete ? words : [...words, '--context', flags.context ?? ''])
  }
  const out = createPrinter({
    io,
    notes,
    looks,
    output,
    progress,
    interrupts,
    now: () => clock.now(),
    command,
    quiet,
    pager: flags['no-pager'] !== true,
  })

  let fromStdin = false
  const known: { settings?: Settings; credential?: Credential } = {}
  const settings = once(async () => {
    known.settings = await resolveSettings({ io, context: flags.context, warn: notes.warn })
    notes.debug(say`server ${known.settings.baseUrl.value} (${known.settings.baseUrl.source})`)
    return known.settings
  })
  const credential = once(async () => {
    const oauth = async () => (await import('./auth/oauth-connection.js')).oauthOptions(context)
    const tools = { io, clock, redactor, notes, interrupts, oauth }
    known.credential = await lookUpCredential(await settings(), storedCredential, tools)
    notes.debug(say`credential: ${known.credential.label}`)
    return known.credential
  })
  const connectionTo: Context['connectionTo'] = async (url, { insecureHttp }) => {
    const route = await chooseRoute(url, io.env)
    const middleware = debugging === 'http' ? [(await import('./io/debug-http.js')).debugHttp(notes)] : []
    return {
      ...route,
      middleware,
      allowInsecure: insecureHttp,
      timeoutMs: flags['request-timeout'] ?? DEFAULT_TIMEOUT_MS,
      maxRetries: flags.retries ?? DEFAULT_RETRIES,
      userAgent: `buildwire-cli/${version}`,
      onEvent: (event) => tellEvent(event, notes),
    }
  }
  const connection = once(async () => {
    const found = await settings()
    return connectionTo(found.baseUrl.value, found)
  })
  const ci = once(async () => {
    const { baseUrl } = await settings()
    const { auth } = await credential()
    if (typeof auth === 'string') redactor.add(auth)
    return new CiClient({ ...(await connection()), baseUrl: baseUrl.value, auth, clock })
  })
  const git = gitOf(io)
  const context: Context = {
    io,
    clock,
    interrupts,
    signal: interrupts.signal,
    redactor,
    notes,
    out,
    progress,
    looks,
    stderrPaint,
    git,
    noInput,
    command,
    again: (words) =>
      typed === null ? say`${command([...name, ...words])} …` : commandLine([...name, ...words, ...typed]),
    manifest: runtime.manifest,
    version,
    async openPage(url) {
      const { openPage, whyNoBrowser } = await import('./io/open.js')
      const why = whyNoBrowser(io, noInput)
      if (why === null && (await openPage(io, notes, url))) return
      if (why !== null) notes.note(say`No browser is opened: ${why}`)
      await out.lines([say`${url}`])
    },
    settings,
    project,
    credential,
    usesTokenFromStdin: () => {
      fromStdin = true
    },
    ci,
    connection,
    connectionTo,
    errorFacts: () => ({
      credential: fromStdin ? FROM_STDIN : (known.credential?.label ?? null),
      contextName: known.settings === undefined ? null : ownContextName(known.settings),
      baseUrl: known.settings?.baseUrl ?? null,
      authUrl: known.settings?.authUrl ?? null,
      proxyOf: (url) => proxyVariable(url, io.env),
      replaces: replacements(command),
      pipeline: target.known,
      command,
    }),
    get target() {
      return target
    },
  }
  const target = createTarget(context, flags)
  return context
}

function debugLevel(value: string | undefined): Notes['debugging'] {
  if (value === undefined || value === '0' || value === 'off') return 'off'
  if (value === 'http') return 'http'
  if (value === 'on' || value === '1' || value === 'true') return 'on'
  throw usageError(say`--debug takes nothing or =http, not ${JSON.stringify(value)}`)
}

function preferredOutput(io: Io): Output | undefined {
  const value = variable(io, 'OUTPUT')
  if (value === undefined) return undefined
  const found = OUTPUTS.find((output) => output === value)
  if (found === undefined)
    throw usageError(say`BUILDWIRE_OUTPUT is one of ${OUTPUTS.join(', ')}, not ${JSON.stringify(value)}`)
  return found
}

/** The project file may prefer an output; it is read only when nothing else decided. */
async function withProjectOutput(
  early: OutputOptions,
  flags: GlobalFlagValues,
  io: Io,
  project: () => Promise<ProjectFile | null>,
): Promise<OutputOptions> {
  const decided = flags.output !== undefined || flags.json !== undefined || flags.jq !== undefined
  if (decided || variable(io, 'OUTPUT') !== undefined) return early
  const preferred = (await project())?.output
  if (preferred === undefined) return early
  return outputOptions({
    output: preferred,
    json: undefined,
    jq: undefined,
    preferred: undefined,
    isTTY: io.stdout.isTTY,
  })
}

function tellEvent(event: CiEvent, notes: Notes): void {
  if (notes.debugging === 'off') return
  const { type, ...rest } = event
  const facts = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'number' ? Math.round(value) : String(value)}`,
  )
  notes.debug(say`${type} ${facts.join(' ')}`)
}

/** The `Date` header of an answer, for ages by the server's clock. */
export function dateOf(response: Pick<ResponseInfo, 'headers'>): string | null {
  return response.headers.get('date')
}
