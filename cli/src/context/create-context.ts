import { CiClient, type CiEvent } from '@buildwire/sdk'
import { proxyFor, proxyTransport } from '@buildwire/sdk/node-http'
import { readProjectFile } from '../config/project-file.js'
import { resolveSettings, type ServerSettings } from '../config/settings.js'
import { type GlobalFlagValues, OUTPUTS, type Output } from '../flags/global.js'
import { isAscii, isPlain, type Looks, paintFor } from '../io/color.js'
import { usageError } from '../io/command-error.js'
import { FROM_STDIN } from '../io/error-report.js'
import { type Io, variable } from '../io/io.js'
import { createNotes, type Notes } from '../io/notes.js'
import { once } from '../io/once.js'
import { commandLine, say } from '../io/printable.js'
import { silentProgress, terminalProgress } from '../io/progress.js'
import { outputOptions } from '../views/output.js'
import { createPrinter } from '../views/print.js'
import type { Context, Runtime, TypedCommand } from './context.js'
import { createTarget } from './create-target.js'
import { lookUpCredential } from './credential.js'
import { gitOf } from './git/git.js'

const DEFAULT_TIMEOUT_MS = 180_000
const DEFAULT_RETRIES = 2
/** With one of these words a command line uses no server, or names the context itself. */
const NO_CONTEXT: ReadonlySet<string | number> = new Set([
  'context',
  '--context',
  'help',
  '--help',
  'keys',
  'server',
])

export async function createContext(
  runtime: Runtime,
  flags: GlobalFlagValues,
  version: string,
  { name, words: typed }: TypedCommand = { name: [], words: [] },
): Promise<Context> {
  const { io, clock, interrupts, redactor, storedCredential } = runtime
  redactor.add(variable(io, 'TOKEN'), variable(io, 'CLIENT_SECRET'), variable(io, 'PRIVATE_KEY'))
  const color = flags['no-color'] === true ? 'never' : flags.color
  const debugging = debugLevel(flags.debug ?? variable(io, 'DEBUG'))
  const quiet = flags.quiet === true
  const { isTTY } = io.stdout
  const preferred = preferredOutput(io)
  const early = outputOptions({ ...flags, preferred, isTTY })
  const stderrPaint = paintFor(io, io.stderr, color)
  const { machine } = early
  const notes = createNotes({
    stderr: io.stderr,
    redactor,
    paint: stderrPaint,
    quiet,
    machine,
    debugging,
  })
  const project = once(() => readProjectFile(io, notes.warn))
  // The project file is read only if no flag or variable chooses the output.
  const chosenOutput = flags.output ?? flags.json ?? flags.jq ?? preferred
  const output =
    chosenOutput === undefined ? outputOptions({ output: (await project())?.output, isTTY }) : early
  const plain = isPlain(io)
  const looks: Looks = {
    ascii: isAscii(io),
    plain,
    utc: flags.utc === true,
    paint: paintFor(io, io.stdout, color),
  }
  // Here ink draws its last frame only; an empty `CI` counts too.
  const isMute = [io.env.CI, io.env.CONTINUOUS_INTEGRATION].some(
    (value = '0') => value !== '0' && value !== 'false',
  )
  const isForPeople = !output.machine && !plain
  const canRedraw = !isMute && io.env.TERM !== 'dumb' && debugging === 'off'
  const redraws = isForPeople && canRedraw
  const progress =
    redraws && io.stderr.isTTY && !quiet ? terminalProgress(io.stderr, clock) : silentProgress
  const noInput = flags['no-input'] === true
  const command: Context['command'] = (words) => {
    const isComplete = flags.context === undefined || words.some((word) => NO_CONTEXT.has(word))
    return commandLine(isComplete ? words : [...words, '--context', flags.context ?? ''])
  }
  const now = () => clock.now()
  const pager = flags['no-pager'] !== true
  const out = createPrinter({
    io,
    notes,
    looks,
    output,
    progress,
    interrupts,
    now,
    command,
    quiet,
    pager,
  })

  const known: { settings?: ServerSettings; label?: string } = {}
  const settings = once(async () => {
    known.settings = await resolveSettings({ io, context: flags.context, warn: notes.warn })
    notes.debug(say`server ${known.settings.baseUrl.value} (${known.settings.baseUrl.source})`)
    return known.settings
  })
  const credential = once(async () => {
    const current = await lookUpCredential(context, await settings(), storedCredential)
    known.label ??= current.label
    notes.debug(say`credential: ${current.label}`)
    return current
  })
  const connectionTo: Context['connectionTo'] = async ({ insecureHttp }) => {
    return {
      transport: proxyTransport(io.env),
      middleware:
        debugging === 'http' ? [(await import('../io/debug-http.js')).debugHttp(notes)] : [],
      allowInsecure: insecureHttp,
      timeoutMs: flags['request-timeout'] ?? DEFAULT_TIMEOUT_MS,
      maxRetries: flags.retries ?? DEFAULT_RETRIES,
      userAgent: `buildwire-cli/${version}`,
      onEvent: debugging === 'off' ? undefined : (event) => noteEvent(event, notes),
    }
  }
  const clientOf: Context['clientOf'] = async (server, auth, middleware = []) => {
    const connection = await connectionTo(server)
    return new CiClient({
      ...connection,
      middleware: [...(connection.middleware ?? []), ...middleware],
      baseUrl: server.baseUrl.value,
      auth,
      clock,
    })
  }
  const ci = once(async () => {
    const { auth } = await credential()
    return clientOf(await settings(), auth)
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
    redraws,
    stderrPaint,
    git,
    noInput,
    command,
    again: (words) =>
      typed === null
        ? say`${command([...name, ...words])} …`
        : commandLine([...name, ...words, ...typed]),
    manifest: runtime.manifest,
    version,
    async openPage(url) {
      const { openPage, whyNoBrowser } = await import('../io/open.js')
      const why = whyNoBrowser(io, noInput)
      if (why === null && (await openPage(io, notes, url))) return
      if (why !== null) notes.note(say`No browser is opened: ${why}`)
      await out.lines([say`${url}`])
    },
    settings,
    project,
    credential,
    usesTokenFromStdin: () => {
      known.label = FROM_STDIN
    },
    ci,
    ask: async (call) => call(await ci(), { signal: interrupts.signal }).withResponse(),
    connectionTo,
    clientOf,
    errorFacts: () => ({
      credential: known.label ?? null,
      contextName: known.settings?.own?.name ?? null,
      baseUrl: known.settings?.baseUrl ?? null,
      authUrl: known.settings?.authUrl ?? null,
      proxyOf: (url) => proxyFor(url, io.env)?.variable ?? null,
      pipeline: target.pipelineOfRun(),
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
  throw usageError(
    say`--debug takes nothing or =http, BUILDWIRE_DEBUG 1 or http; neither takes ${JSON.stringify(value)}`,
  )
}

function preferredOutput(io: Io): Output | undefined {
  const value = variable(io, 'OUTPUT')
  const preferred = OUTPUTS.find((output) => output === value)
  if (preferred === undefined && value !== undefined)
    throw usageError(
      say`BUILDWIRE_OUTPUT is one of ${OUTPUTS.join(', ')}, not ${JSON.stringify(value)}`,
    )
  return preferred
}

function noteEvent(event: CiEvent, notes: Notes): void {
  const { type, ...rest } = event
  const facts = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'number' ? Math.round(value) : String(value)}`,
  )
  notes.debug(say`${type} ${facts.join(' ')}`)
}
