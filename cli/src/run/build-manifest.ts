import { BUILD_STATES, JOB_STATES, operations, SCOPES } from '@buildwire/sdk/contract'
import { type CommandEntry, commandClass, commands, topics } from '../commands/index.js'
import type { CommandClass } from '../context/base-command.js'
import {
  commandId,
  type Manifest,
  type ManifestArg,
  type ManifestCommand,
  type ManifestFlag,
} from '../help/manifest.js'
import { helpTexts } from '../help/texts.js'
import { fieldPaths } from '../views/fields.js'

/** Makes the manifest from the commands; the build writes it to `oclif.manifest.json`. */
export async function buildManifest(version: string): Promise<Manifest> {
  const described: Record<string, ManifestCommand> = {}
  const fields: Record<string, readonly string[]> = {}
  for (const [name, entry] of Object.entries(commands)) {
    const Command = await commandClass(name, entry)
    described[commandId(name)] = describeCommand(name, entry, Command)
    if (Command.record !== undefined) fields[Command.record] ??= await fieldPaths(Command.record)
    if (Command.fields !== undefined) fields[name] = Command.fields
  }
  return {
    version,
    commands: described,
    topics,
    fields,
    scopes: [...SCOPES],
    buildStates: [...BUILD_STATES],
    jobStates: [...JOB_STATES],
    helpTopics: helpTexts(),
  }
}

/** Describes a command from its class: the one source of help, docs and completion. */
function describeCommand(
  name: string,
  entry: CommandEntry,
  Command: CommandClass,
): ManifestCommand {
  const [main] = Command.operations ?? []
  return {
    id: commandId(name),
    summary: Command.summary,
    description: Command.description ?? null,
    examples: Command.examples,
    flags: { ...describeFlags(Command.flags), ...describeFlags(Command.baseFlags, 'GLOBAL') },
    args: Object.fromEntries(
      Object.entries(Command.args ?? {}).map(([key, arg]) => [key, describeArg(key, arg)]),
    ),
    hiddenAliases: (entry.aliases ?? []).map(commandId),
    usage: Command.usage ?? null,
    scope: main === undefined ? null : operations[main].scope,
    operations: Command.operations ?? [],
    record: Command.record ?? (Command.fields === undefined ? null : name),
    tail: Command.tail === true,
  }
}

/** Flags as JSON; global flags get a group of their own in help. */
function describeFlags(
  flags: object = {},
  helpGroup?: string,
): Readonly<Record<string, ManifestFlag>> {
  const described = Object.entries(flags).map(
    ([name, { input: _, multipleNonGreedy: __, allowNo: ___, ...facts }]) => [
      name,
      { ...facts, name, multiple: facts.multiple || undefined, helpGroup },
    ],
  )
  return JSON.parse(JSON.stringify(Object.fromEntries(described)))
}

function describeArg(name: string, arg: unknown): ManifestArg {
  const { description, required, multiple } = arg as Partial<ManifestArg>
  return {
    name,
    description: description ?? '',
    required: required === true,
    multiple: multiple === true,
  }
}
