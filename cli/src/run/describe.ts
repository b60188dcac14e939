import type { CommandClass, CommandEntry } from '../commands/index.js'
import { commandId, type ManifestArg, type ManifestCommand, type ManifestFlag } from '../help/manifest.js'

interface Described {
  readonly summary?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly scope?: string | null
  readonly operations?: readonly string[]
  readonly record?: string | null
  readonly tail?: boolean
  readonly usage?: string | readonly string[]
}

/** Describes a command from its class: the one source of help, docs and completion. */
export function describeCommand(name: string, entry: CommandEntry, Command: CommandClass): ManifestCommand {
  const facts = Command as unknown as Described
  return {
    id: commandId(name),
    summary: facts.summary ?? '',
    description: facts.description ?? null,
    examples: (facts.examples ?? []).map(String),
    flags: Object.fromEntries(
      Object.entries({ ...Command.flags, ...Command.baseFlags }).map(([key, flag]) => [key, describeFlag(key, flag)]),
    ),
    args: Object.fromEntries(Object.entries(Command.args ?? {}).map(([key, arg]) => [key, describeArg(key, arg)])),
    hiddenAliases: (entry.aliases ?? []).map(commandId),
    usage: typeof facts.usage === 'string' ? facts.usage : null,
    scope: facts.scope ?? null,
    operations: facts.operations ?? [],
    record: facts.record ?? null,
    tail: facts.tail === true,
    isESM: true,
    relativePath: ['dist', 'commands', ...`${name}.js`.split(' ')],
  }
}

function describeFlag(name: string, flag: unknown): ManifestFlag {
  const { summary, char, type, multiple, allowNo, bare, aliases, helpValue, helpGroup, hidden, choices } =
    flag as ManifestFlag
  const all = {
    name,
    summary,
    type,
    char,
    multiple: multiple || undefined,
    allowNo: allowNo || undefined,
    bare,
    aliases,
  }
  return JSON.parse(JSON.stringify({ ...all, helpValue, helpGroup, hidden, choices }))
}

function describeArg(name: string, arg: unknown): ManifestArg {
  const { description, required, multiple } = arg as Partial<ManifestArg>
  return { name, description: description ?? '', required: required === true, multiple: multiple === true }
}
