import type { CommandEntry } from '../commands/index.js'
import type { CommandClass } from '../context/base-command.js'
import { commandId, type ManifestArg, type ManifestCommand, type ManifestFlag } from '../help/manifest.js'

/** Describes a command from its class: the one source of help, docs and completion. */
export function describeCommand(name: string, entry: CommandEntry, Command: CommandClass): ManifestCommand {
  return {
    id: commandId(name),
    summary: Command.summary,
    description: Command.description ?? null,
    examples: Command.examples,
    flags: Object.fromEntries(
      Object.entries({ ...Command.flags, ...Command.baseFlags }).map(([key, flag]) => [key, describeFlag(key, flag)]),
    ),
    args: Object.fromEntries(Object.entries(Command.args ?? {}).map(([key, arg]) => [key, describeArg(key, arg)])),
    hiddenAliases: (entry.aliases ?? []).map(commandId),
    usage: Command.usage ?? null,
    scope: Command.scope ?? null,
    operations: Command.operations ?? [],
    record: Command.record ?? null,
    tail: Command.tail === true,
    isESM: true,
    relativePath: ['dist', 'commands', ...`${name}.js`.split(' ')],
  }
}

function describeFlag(name: string, flag: unknown): ManifestFlag {
  const {
    input: _,
    multipleNonGreedy: __,
    allowNo: ___,
    ...facts
  } = flag as ManifestFlag & Record<'input' | 'multipleNonGreedy' | 'allowNo', unknown>
  return JSON.parse(JSON.stringify({ ...facts, name, multiple: facts.multiple || undefined }))
}

function describeArg(name: string, arg: unknown): ManifestArg {
  const { description, required, multiple } = arg as Partial<ManifestArg>
  return { name, description: description ?? '', required: required === true, multiple: multiple === true }
}
