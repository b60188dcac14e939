import { distance } from 'fastest-levenshtein'
import { type CommandError, usageError } from '../io/command-error.js'
import { type Printable, say } from '../io/printable.js'
import type { FlagTable } from './argv.js'

const MAX_DISTANCE = 2
const MAX_NAMES = 3

/** The known names most similar to a typed one: at most three, with at most two edits. */
export function nearest(typed: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, distance: distance(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(
      (candidate) =>
        candidate.distance <= MAX_DISTANCE && candidate.distance < candidate.name.length,
    )
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
}

/** The line that suggests names; no line without names. */
export function didYouMean(near: readonly string[]): Printable[] {
  return near.length === 0 ? [] : [say`Did you mean ${near.join(', ')}?`]
}

/**
 * Turns the error of an unknown flag into a usage error with similar flags of the command; returns
 * any other error as it is.
 */
export function withNearestFlag(error: unknown, id: string, table: FlagTable): unknown {
  if (
    !(error instanceof Error) ||
    !('unknownFlag' in error) ||
    typeof error.unknownFlag !== 'string'
  )
    return error
  const known = table.names.map((name) => `--${name}`)
  const near = error.unknownFlag.startsWith('--') ? nearest(error.unknownFlag, known) : []
  return usageError(say`unknown flag ${error.unknownFlag} for ci ${id}`, {
    lines: didYouMean(near),
    hint: [...id.split(' '), '--help'],
  })
}

/** A usage error for words that name no command, with similar names of topics and commands. */
export function unknownCommand(words: readonly string[], names: readonly string[]): CommandError {
  const typed = words.join(' ')
  const [topic = ''] = words
  const known = words.length > 1 ? names.filter((name) => name.startsWith(`${topic} `)) : names
  // Other programs have verbs without a topic.
  const verbs = words.length > 1 ? [] : names.filter((name) => name.endsWith(` ${typed}`))
  const near = verbs.length > 0 ? verbs.slice(0, 3) : nearest(typed, known)
  return usageError(say`there is no command ${JSON.stringify(typed)}`, {
    lines: didYouMean(near.map((name) => `ci ${name}`)),
    hint: words.length > 1 ? [topic, '--help'] : ['--help'],
  })
}
