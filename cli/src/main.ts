import { Config } from '@oclif/core/config'
import { canonicalize, cutTail, type FlagSpec, type FlagTable, flagTable } from './argv.js'
import type { Clock } from './clock.js'
import { commandByName, commands, topics } from './commands/index.js'
import type { StoredCredentialLookup } from './config/credential.js'
import type { Context, Runtime } from './context.js'
import { ExitCode } from './exit-codes.js'
import { globalFlags } from './flags/global.js'
import type { Manifest } from './help/manifest.js'
import { ExitRequest, InterruptedError, OutputClosedError, usageError } from './io/command-error.js'
import type { Io } from './io/io.js'
import { createRedactor } from './io/redact.js'
import { ownSignals } from './io/signals.js'
import { type Resolution, resolveCommand } from './resolve.js'
import { tellError } from './tell-error.js'

/** What the program stands on; tests hand in their own. */
export interface World {
  readonly io: Io
  readonly clock: Clock
  readonly version: string
  /** Reads the manifest; only help, hints and completion do. */
  readonly manifest: () => Promise<Manifest>
  readonly storedCredential: StoredCredentialLookup
}

/** oclif's configuration without its plugins, themes and `CI_…` variables, which belong to CI systems. */
class CiConfig extends Config {
  override scopedEnvVarKeys(key: string): string[] {
    return [`BUILDWIRE_${key}`]
  }

  override async loadTheme(): Promise<undefined> {
    return undefined
  }

  override async loadPluginsAndCommands(): Promise<void> {}
}

async function loadConfig(version: string): Promise<Config> {
  const pjson = { name: '@buildwire/cli', version, type: 'module', oclif: { bin: 'ci', dirname: 'buildwire' } }
  const root = { name: pjson.name, root: '.', pjson, valid: true, version, commands: [], topics: [], hooks: {} }
  const plugins = new Map([[pjson.name, root]])
  const options = { root: '.', pjson, version, plugins, userPlugins: false, devPlugins: false }
  const config = new CiConfig(options as unknown as ConstructorParameters<typeof Config>[0])
  await config.load()
  return config
}

/**
 * Runs one command line to its exit code. Never throws: what goes wrong is told on stderr.
 *
 * @example
 * ```ts
 * process.exitCode = await main(process.argv.slice(2), world)
 * ```
 */
export async function main(argv: readonly string[], world: World): Promise<number> {
  const { io } = world
  const interrupts = ownSignals(io)
  const redactor = createRedactor()
  const runtime: Runtime = { ...world, interrupts, redactor }
  let context: Context | null = null
  try {
    const onContext = (made: Context) => {
      context = made
    }
    await Promise.race([runCommand(argv, world, runtime, onContext), interrupts.interrupted])
    return ExitCode.ok
  } catch (error) {
    if (error instanceof ExitRequest) return error.exitCode
    if (error instanceof OutputClosedError) {
      interrupts.abort(error)
      return ExitCode.ok
    }
    const interruption = interrupts.signal.aborted ? interrupts.signal.reason : error
    if (interruption instanceof InterruptedError) {
      if (interrupts.hint !== null) await io.stderr.write(`${interrupts.hint}\n`).catch(() => undefined)
      return interruption.exitCode
    }
    return tellError(error, argv, { io, redactor, context })
  } finally {
    interrupts.dispose()
  }
}

async function runCommand(
  argv: readonly string[],
  world: World,
  runtime: Runtime,
  onContext: (context: Context) => void,
): Promise<void> {
  const { head, tail } = cutTail(argv)
  const globals = flagTable(specs(globalFlags))
  const names = { command: commandByName, isTopic: (word: string) => Object.hasOwn(topics, word) }
  const found = resolveCommand(head, names, globals)
  if (found.kind !== 'command') return answerWithHelp(found, head, world)
  const entry = commands[found.id]
  if (entry === undefined) throw new RangeError(`no command ${found.id}`)

  if (entry.raw === true) {
    const Command = await entry.load()
    const words = [...found.rest, ...(tail === null ? [] : ['--', ...tail])]
    await new Command([], await loadConfig(world.version), { runtime, tail: words, onContext }).start()
    return
  }
  if (asksForHelp(found.rest)) {
    const { helpFor } = await import('./help/help.js')
    if (await helpFor(found.id, found.rest, world)) return
  }
  const Command = await entry.load()
  const table = flagTable(specs({ ...Command.baseFlags, ...Command.flags }))
  const canonical = await canonicalizeFor(found.id, [...found.rest, ...(tail === null ? [] : ['--', ...tail])], table)
  const words = [...canonical.argv, ...positionalTail(Command, canonical.tail)]
  await checkArguments(found.id, Command, words)
  const setup = { runtime, tail: canonical.tail ?? [], onContext }
  await new Command(words, await loadConfig(world.version), setup).start()
}

/** Whether `--help` or `-h` may stand in the words; only the pre-pass knows for sure. */
function asksForHelp(words: readonly string[]): boolean {
  return words.some((word) => word === '--help' || /^-[A-Za-z]*h/u.test(word))
}

function specs(flags: Readonly<Record<string, unknown>>): FlagSpec[] {
  return Object.entries(flags).map(([name, flag]) => ({ ...(flag as Omit<FlagSpec, 'name'>), name }))
}

async function canonicalizeFor(id: string, words: readonly string[], table: FlagTable) {
  try {
    return canonicalize(words, table)
  } catch (error) {
    const { withNearestFlag } = await import('./help/suggest.js')
    throw await withNearestFlag(error, id, table)
  }
}

/** Words after `--` are arguments like any other, except for commands that hand them to another program. */
function positionalTail(Command: object, tail: readonly string[] | null): string[] {
  if (tail === null || ('tail' in Command && Command.tail === true)) return []
  return ['--', ...tail]
}

async function checkArguments(
  id: string,
  Command: { args?: Readonly<Record<string, unknown>> },
  words: readonly string[],
) {
  const args = Object.entries(Command.args ?? {}) as [string, { required?: boolean; multiple?: boolean }][]
  const typed = positionals(words)
  const required = args.filter(([, arg]) => arg.required === true).map(([name]) => name.toUpperCase())
  if (typed.length < required.length) {
    throw usageError(`${required.slice(typed.length).join(' and ')} is missing`, { hint: `ci ${id} --help` })
  }
  const open = args.some(([, arg]) => arg.multiple === true)
  if (!open && typed.length > args.length) {
    const extra = typed.slice(args.length).map((word) => JSON.stringify(word))
    throw usageError(`${extra.join(', ')} is one argument too many`, { hint: `ci ${id} --help` })
  }
}

function positionals(words: readonly string[]): string[] {
  const cut = words.indexOf('--')
  const before = cut === -1 ? words : words.slice(0, cut)
  const plain = before.filter((word) => (word === '-' || !word.startsWith('-')) && !word.startsWith('\u0001'))
  return [...plain, ...(cut === -1 ? [] : words.slice(cut + 1))]
}

async function answerWithHelp(found: Exclude<Resolution, { kind: 'command' }>, head: readonly string[], world: World) {
  if (found.kind === 'none' && head.some((word) => word === '--version' || word === '-v')) {
    return world.io.stdout.write(`ci ${world.version}\n`)
  }
  const { answerUnresolved } = await import('./help/help.js')
  return answerUnresolved(found, head, world)
}
