import { distance } from 'fastest-levenshtein'
import type { FlagTable } from '../flags/argv.js'
import { type CommandError, usageError } from '../io/command-error.js'
import { type Printable, say } from '../io/printable.js'

const MAX_DISTANCE = 2
const MAX_NAMES = 3

/** The known names nearest to a typed one: at most three, at an edit distance of at most two. */
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

/** The line that offers them; none without any. */
export function didYouMean(near: readonly string[]): Printable[] {
  return near.length === 0 ? [] : [say`Did you mean ${near.join(', ')}?`]
}

/**
 * An unknown flag as a usage error that names the nearest flags of the command; any other error as
 * it is.
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

/**
 * A usage error for words that name no command, with the nearest of the names of topics and
 * commands.
 */
export function unknownCommand(words: readonly string[], names: readonly string[]): CommandError {
  const typed = words.join(' ')
  const [topic = ''] = words
  const known = words.length > 1 ? names.filter((name) => name.startsWith(`${topic} `)) : names
  // A verb without its topic is what other programs have.
  const verbs = words.length > 1 ? [] : names.filter((name) => name.endsWith(` ${typed}`))
  const near = verbs.length > 0 ? verbs.slice(0, 3) : nearest(typed, known)
  return usageError(say`there is no command ${JSON.stringify(typed)}`, {
    lines: didYouMean(near.map((name) => `ci ${name}`)),
    hint: words.length > 1 ? [topic, '--help'] : ['--help'],
  })
}
