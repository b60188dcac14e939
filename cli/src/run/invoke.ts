import { Config } from '@oclif/core/config'
import { type CommandEntry, commandClass } from '../commands/index.js'
import type { CommandClass } from '../context/base-command.js'
import type { Context, Runtime } from '../context/context.js'
import {
  canonicalize,
  cutTail,
  type FlagTable,
  flagSpecs,
  flagTable,
  isMasked,
} from '../flags/argv.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

export interface Invocation {
  readonly id: string
  readonly entry: CommandEntry
  /** All words except the command's name, with the first `--` and the words after it. */
  readonly words: readonly string[]
  readonly version: string
  readonly runtime: Runtime
  readonly onContext: (context: Context) => void
}

/** oclif's configuration without plugins, themes and `CI_…` variables, which CI systems set. */
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
  const pjson = {
    name: '@buildwire/cli',
    version,
    type: 'module',
    oclif: { bin: 'ci', dirname: 'buildwire' },
  }
  const root = {
    name: pjson.name,
    root: '.',
    pjson,
    valid: true,
    version,
    commands: [],
    topics: [],
    hooks: {},
  }
  const plugins = new Map([[pjson.name, root]])
  const options = { root: '.', pjson, version, plugins, userPlugins: false, devPlugins: false }
  const config = new CiConfig(options as unknown as ConstructorParameters<typeof Config>[0])
  await config.load()
  return config
}

export async function invoke({
  id,
  entry,
  words,
  version,
  runtime,
  onContext,
}: Invocation): Promise<void> {
  const Command = await commandClass(id, entry)
  const config = await loadConfig(version)
  const typed = { name: id.split(' '), words }
  if (entry.raw === true) {
    await new Command([], config, { runtime, typed, tail: words, onContext }).start()
    return
  }
  const table = flagTable(flagSpecs({ ...Command.baseFlags, ...Command.flags }))
  const canonical = await canonicalizeFor(id, words, table)
  const argv = [...canonical.argv, ...positionalTail(Command, canonical.tail)]
  checkArguments(id, Command, argv)
  await new Command(argv, config, { runtime, typed, tail: canonical.tail ?? [], onContext }).start()
}

async function canonicalizeFor(id: string, words: readonly string[], table: FlagTable) {
  try {
    return canonicalize(words, table)
  } catch (error) {
    const { withNearestFlag } = await import('../flags/nearest.js')
    throw withNearestFlag(error, id, table)
  }
}

/** Words after `--` are arguments, except for commands that pass them to another program. */
function positionalTail(Command: CommandClass, tail: readonly string[] | null): string[] {
  if (tail === null || Command.tail === true) return []
  return ['--', ...tail]
}

function checkArguments(
  id: string,
  Command: { args?: Readonly<Record<string, unknown>> },
  words: readonly string[],
): void {
  const args = Object.entries(Command.args ?? {}) as [
    string,
    { required?: boolean; multiple?: boolean },
  ][]
  const typed = positionals(words)
  const required = args
    .filter(([, arg]) => arg.required === true)
    .map(([name]) => name.toUpperCase())
  if (typed.length < required.length) {
    throw usageError(say`${required.slice(typed.length).join(' and ')} is missing`, {
      hint: [...id.split(' '), '--help'],
    })
  }
  const takesAnyNumber = args.some(([, arg]) => arg.multiple === true)
  if (!takesAnyNumber && typed.length > args.length) {
    const extra = typed.slice(args.length).map((word) => JSON.stringify(word))
    throw usageError(say`${extra.join(', ')} is an extra argument`, {
      hint: [...id.split(' '), '--help'],
    })
  }
}

function positionals(words: readonly string[]): string[] {
  const { head, tail } = cutTail(words)
  const plain = head.filter((word) => (word === '-' || !word.startsWith('-')) && !isMasked(word))
  return [...plain, ...(tail ?? [])]
}
