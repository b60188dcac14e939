import { canonicalize, flagTable, typedColor } from '../flags/argv.js'
import { type Paint, paintFor } from '../io/color.js'
import { ExitRequest, usageError } from '../io/command-error.js'
import type { Io } from '../io/io.js'
import { bytes, prettyJson } from '../io/machine.js'
import { say, whole } from '../io/printable.js'
import { commandId, commandName, type Manifest } from './manifest.js'
import { commandHelp, type HelpLooks, rootHelp, topicHelp } from './render.js'
import type { Resolution } from './resolve.js'

export interface HelpInputs {
  readonly io: Io
  readonly manifest: () => Promise<Manifest>
}

const MAX_WIDTH = 100

function helpLooks(io: Io, words: readonly string[]): HelpLooks {
  const width = Math.min(io.stdout.isTTY ? io.stdout.columns : 80, MAX_WIDTH)
  return { width, paint: paintFor(io, io.stdout, typedColor(words)) }
}

/** Shows a command's help if the words ask for it; false if `--help` is only a value there. */
export async function helpFor(
  name: string,
  words: readonly string[],
  world: HelpInputs,
): Promise<boolean> {
  const manifest = await world.manifest()
  const command = manifest.commands[commandId(name)]
  if (command === undefined) throw new RangeError(`${name} is missing in the manifest`)
  if (!asksForHelp(words, Object.values(command.flags))) return false
  const json = words.some((word) => word === '--json' || word.startsWith('--json='))
  const text = json ? bytes(prettyJson(command)) : commandHelp(command, helpLooks(world.io, words))
  await world.io.stdout.write(text)
  return true
}

function asksForHelp(words: readonly string[], flags: Parameters<typeof flagTable>[0]): boolean {
  try {
    return canonicalize(words, flagTable(flags)).help
  } catch {
    // The command line has another error, but it asks for help.
    return words.includes('--help') || words.includes('-h')
  }
}

/** Shows help for a topic or for all; an unknown word is an error with similar names. */
export async function answerUnresolved(
  found: Exclude<Resolution, { kind: 'command' }>,
  head: readonly string[],
  world: HelpInputs,
): Promise<void> {
  const { io } = world
  if (found.kind === 'unknown') {
    const { unknownCommand } = await import('../flags/nearest.js')
    const { topics, commands } = await world.manifest()
    throw unknownCommand(found.words, [
      ...Object.keys(topics),
      ...Object.keys(commands).map(commandName),
    ])
  }
  if (found.kind === 'early_flag') {
    throw usageError(say`${found.flag} is before the command; only global flags may be there`, {
      hint: ['--help'],
    })
  }
  const manifest = await world.manifest()
  const asked = head.includes('--help') || head.includes('-h')
  if (found.kind === 'none') {
    const json = asked && head.some((word) => word === '--json' || word.startsWith('--json='))
    return io.stdout.write(
      json ? bytes(prettyJson(manifest)) : rootHelp(manifest, helpLooks(io, head)),
    )
  }
  const text = topicHelp(found.topic, manifest, helpLooks(io, head))
  if (asked) return io.stdout.write(text)
  await io.stderr.write(text)
  throw new ExitRequest(2)
}

/** Shows help on a command, a topic or one of the help texts. */
export async function helpOn(
  words: readonly string[],
  world: HelpInputs,
  paint: Paint,
): Promise<void> {
  const manifest = await world.manifest()
  const looks = { ...helpLooks(world.io, []), paint }
  const name = words.join(' ')
  const text = manifest.helpTopics[name]
  if (name === '') return world.io.stdout.write(rootHelp(manifest, looks))
  if (text !== undefined) return world.io.stdout.write(whole(text))
  const command = manifest.commands[commandId(name)]
  if (command !== undefined) return world.io.stdout.write(commandHelp(command, looks))
  if (Object.hasOwn(manifest.topics, name))
    return world.io.stdout.write(topicHelp(name, manifest, looks))
  const helpNames = [
    ...Object.keys(manifest.helpTopics),
    ...Object.keys(manifest.commands).map(commandName),
  ]
  const { didYouMean, nearest } = await import('../flags/nearest.js')
  const near = nearest(name, helpNames)
  throw usageError(say`there is no help on ${JSON.stringify(name)}`, {
    lines:
      near.length > 0
        ? didYouMean(near)
        : [say`Texts: ${Object.keys(manifest.helpTopics).join(', ')}`],
    hint: ['--help'],
  })
}
