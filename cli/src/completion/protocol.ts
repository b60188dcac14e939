import { flagTable } from '../flags/argv.js'
import { commandId, type Manifest, type ManifestCommand, type ManifestFlag } from '../help/manifest.js'
import { resolveCommand } from '../help/resolve.js'

/** Values that are looked up where the shell stands: contexts and branches. */
export interface DynamicValues {
  contexts(): Promise<readonly string[]>
  branches(): Promise<readonly string[]>
}

const HAS_CONTROL = /[\u0000-\u001f\u007f-\u009f]/u

/**
 * Candidates for the last of `words`, which may be empty. The other words are complete. Candidates are data: each
 * shell inserts them quoted; a name with a control character is left out.
 */
export async function candidates(
  words: readonly string[],
  manifest: Manifest,
  dynamic: DynamicValues,
): Promise<string[]> {
  const partial = words.at(-1) ?? ''
  const found = await possible(words.slice(0, -1), partial, manifest, dynamic)
  return [...new Set(found)].filter((value) => value.startsWith(partial) && !HAS_CONTROL.test(value))
}

async function possible(
  before: readonly string[],
  partial: string,
  manifest: Manifest,
  dynamic: DynamicValues,
): Promise<readonly string[]> {
  if (before.includes('--')) return []
  const names = {
    command: (name: string) => commandIdOf(name, manifest),
    topic: (word: string) => (Object.hasOwn(manifest.topics, word) ? word : undefined),
  }
  const found = resolveCommand(before, names, flagTable(flagsOf(undefined, manifest)))
  if (found.kind === 'unknown' || found.kind === 'early_flag') return []
  const command = found.kind === 'command' ? manifest.commands[found.id] : undefined
  const flags = flagsOf(command, manifest)
  const [, name, typed = ''] = /^(--[a-z-]+)=(.*)$/u.exec(partial) ?? []
  if (name !== undefined) {
    const flag = flags.find((each) => `--${each.name}` === name)
    const values = flag === undefined ? [] : await valuesOf(flag, command, manifest, dynamic, typed)
    return values.map((value) => `${name}=${value}`)
  }
  const taking = takesNext(found.rest.at(-1) ?? '', flags)
  if (taking !== undefined) return valuesOf(taking, command, manifest, dynamic, partial)
  if (partial.startsWith('-')) return flags.map((flag) => `--${flag.name}`)
  if (command !== undefined) return argumentsOf(command, manifest, dynamic)
  const ids = Object.keys(manifest.commands)
  if (found.kind !== 'topic') return [...Object.keys(manifest.topics), ...ids.filter((id) => !id.includes(':'))]
  const topic = `${found.topic}:`
  return ids.filter((id) => id.startsWith(topic)).map((id) => id.slice(topic.length))
}

function commandIdOf(name: string, manifest: Manifest): string | undefined {
  const id = commandId(name)
  if (Object.hasOwn(manifest.commands, id)) return id
  return Object.values(manifest.commands).find(({ hiddenAliases }) => hiddenAliases.includes(id))?.id
}

function flagsOf(command: ManifestCommand | undefined, manifest: Manifest): ManifestFlag[] {
  if (command !== undefined) return Object.values(command.flags)
  const any = manifest.commands.version ?? Object.values(manifest.commands)[0]
  return Object.values(any?.flags ?? {}).filter(({ helpGroup }) => helpGroup === 'GLOBAL')
}

/** The flag of a word that waits for its value in the next word. */
function takesNext(word: string, flags: readonly ManifestFlag[]): ManifestFlag | undefined {
  const flag = flags.find(({ name, char }) => word === `--${name}` || (char !== undefined && word === `-${char}`))
  return flag?.type === 'option' && flag.bare === undefined ? flag : undefined
}

async function valuesOf(
  flag: ManifestFlag,
  command: ManifestCommand | undefined,
  manifest: Manifest,
  dynamic: DynamicValues,
  partial: string,
): Promise<readonly string[]> {
  if (flag.choices !== undefined) return flag.choices
  switch (flag.name) {
    case 'context':
      return dynamic.contexts()
    case 'branch':
    case 'pull-request-base-branch':
      return dynamic.branches()
    case 'state':
      return listed(partial, command?.id === 'builds:retry' ? RETRY_STATES : manifest.buildStates)
    case 'job-state':
      return listed(partial, manifest.jobStates)
    case 'scope':
      return listed(partial, manifest.scopes)
    case 'json':
      return listed(partial, ['help', ...(manifest.fields[command?.record ?? ''] ?? [])])
    case 'debug':
      return ['http']
    default:
      return []
  }
}

const RETRY_STATES = ['canceled', 'expired', 'failed', 'soft_failed', 'timed_out']

/** Words of a comma-separated value: what stands before the last comma is kept. */
function listed(partial: string, words: readonly string[]): string[] {
  const kept = partial.slice(0, partial.lastIndexOf(',') + 1)
  return words.map((word) => kept + word)
}

async function argumentsOf(
  command: ManifestCommand,
  manifest: Manifest,
  dynamic: DynamicValues,
): Promise<readonly string[]> {
  if (command.id === 'help') return [...Object.keys(manifest.helpTopics), ...Object.keys(manifest.topics)]
  if (command.id === 'completion') return ['bash', 'zsh', 'fish']
  if (command.id.startsWith('context:') && Object.keys(command.args).length > 0) return dynamic.contexts()
  return 'number' in command.args ? ['@latest'] : []
}
