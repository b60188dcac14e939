import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import { flagTable } from '../flags/argv.js'
import {
  commandId,
  type Manifest,
  type ManifestCommand,
  type ManifestFlag,
} from '../help/manifest.js'
import { resolveCommand } from '../help/resolve.js'
import { quoteForBash, readBashWords } from './bash-words.js'
import { SHELLS } from './scripts.js'

/**
 * Answers `ci __complete SHELL WORDS…`, or `bash REPLACED LINE`, with one candidate a line. On an
 * error it prints nothing, because a shell reads the output.
 */
export async function complete(
  argv: readonly string[],
  manifestPath: string,
  write: (text: string) => void,
): Promise<void> {
  try {
    const manifest: Manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
    const [shell, ...words] = argv
    const found =
      shell === 'bash'
        ? await bashCandidates(words, manifest)
        : await candidates(words, manifest, { contexts, branches })
    write(found.map((line) => `${line}\n`).join(''))
  } catch {
    process.exitCode = 1
  }
}

async function bashCandidates([replaced = '', line = '']: readonly string[], manifest: Manifest) {
  const { words, last } = readBashWords(line)
  const found = await candidates(words.slice(1), manifest, { contexts, branches })
  return quoteForBash(found, last, replaced)
}

async function contexts(): Promise<readonly string[]> {
  const { env, platform } = process
  const { readContexts } = await import('../config/contexts.js')
  const io = { env, home: env.HOME || homedir(), platform }
  const notes = { warn: () => undefined }
  return [...(await readContexts({ io, notes })).contexts.keys()]
}

async function branches(): Promise<readonly string[]> {
  const { env, platform } = process
  const { gitOf } = await import('../context/git/git.js')
  const git = gitOf({ env, platform, cwd: process.cwd() })
  const refs = await git('for-each-ref', '--format=%(refname:short)', '--', 'refs/heads')
  return refs?.split('\n').filter((name) => name !== '') ?? []
}

const HAS_CONTROL = /[\u0000-\u001f\u007f-\u009f]/u
const RETRY_STATES = ['canceled', 'expired', 'failed', 'soft_failed', 'timed_out']

/**
 * Candidates for the last of `words`, which may be empty; the other words are complete. Names with
 * a control character are left out. `here` looks up the contexts
 * and the branches of the current directory.
 */
export async function candidates(
  words: readonly string[],
  manifest: Manifest,
  here: { readonly contexts: typeof contexts; readonly branches: typeof branches },
): Promise<string[]> {
  const partial = words.at(-1) ?? ''
  const found = await possible()
  return [...new Set(found)].filter(
    (value) => value.startsWith(partial) && !HAS_CONTROL.test(value),
  )

  async function possible(): Promise<readonly string[]> {
    const before = words.slice(0, -1)
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
      const values = flag === undefined ? [] : await valuesOf(flag, command, typed)
      return values.map((value) => `${name}=${value}`)
    }
    const taking = takesNext(found.rest.at(-1) ?? '', flags)
    if (taking !== undefined) return valuesOf(taking, command, partial)
    if (partial.startsWith('-')) return flags.map((flag) => `--${flag.name}`)
    if (command !== undefined) return argumentsOf(command)
    const ids = Object.keys(manifest.commands)
    if (found.kind !== 'topic')
      return [...Object.keys(manifest.topics), ...ids.filter((id) => !id.includes(':'))]
    const topic = `${found.topic}:`
    return ids.filter((id) => id.startsWith(topic)).map((id) => id.slice(topic.length))
  }

  async function valuesOf(flag: ManifestFlag, command: ManifestCommand | undefined, typed: string) {
    // Only the text after the last comma of a list is completed.
    const listed = (values: readonly string[]) => {
      return values.map((value) => typed.slice(0, typed.lastIndexOf(',') + 1) + value)
    }
    if (flag.choices !== undefined) return flag.choices
    switch (flag.name) {
      case 'context':
        return here.contexts()
      case 'branch':
      case 'pull-request-base-branch':
        return here.branches()
      case 'state':
        return listed(statesOf(command))
      case 'job-state':
        return listed(manifest.jobStates)
      case 'scope':
        return listed(manifest.scopes)
      case 'json':
        return listed(['help', ...(manifest.fields[command?.record ?? ''] ?? [])])
      case 'debug':
        return ['http']
      default:
        return []
    }
  }

  function statesOf(command: ManifestCommand | undefined): readonly string[] {
    if (command?.id === 'builds:retry') return RETRY_STATES
    return command?.id === 'jobs:list' ? manifest.jobStates : manifest.buildStates
  }

  function argumentsOf({ id, args }: ManifestCommand) {
    if (id === 'help') return [...Object.keys(manifest.helpTopics), ...Object.keys(manifest.topics)]
    if (id === 'completion') return SHELLS
    if (id.startsWith('context:') && Object.keys(args).length > 0) return here.contexts()
    const takesBuild = ['number', 'build', 'target'].some((name) => name in args)
    return takesBuild ? ['@latest'] : []
  }
}

function commandIdOf(name: string, manifest: Manifest): string | undefined {
  const id = commandId(name)
  if (Object.hasOwn(manifest.commands, id)) return id
  return Object.values(manifest.commands).find(({ hiddenAliases }) => hiddenAliases.includes(id))
    ?.id
}

function flagsOf(command: ManifestCommand | undefined, manifest: Manifest): ManifestFlag[] {
  if (command !== undefined) return Object.values(command.flags)
  const any = manifest.commands.version ?? Object.values(manifest.commands)[0]
  return Object.values(any?.flags ?? {}).filter(({ helpGroup }) => helpGroup === 'GLOBAL')
}

/** The flag of a word that waits for its value in the next word. */
function takesNext(word: string, flags: readonly ManifestFlag[]): ManifestFlag | undefined {
  const flag = flags.find(
    ({ name, char }) => word === `--${name}` || (char !== undefined && word === `-${char}`),
  )
  return flag?.type === 'option' && flag.bare === undefined ? flag : undefined
}
