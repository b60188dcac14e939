import { distance } from 'fastest-levenshtein'
import { type Printable, say } from '../io/printable.js'

const MAX_DISTANCE = 2
const MAX_NAMES = 3

/** The known names nearest to a typed one: at most three, at an edit distance of at most two. */
export function nearest(typed: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, distance: distance(typed.toLowerCase(), name.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= MAX_DISTANCE && candidate.distance < candidate.name.length)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
}

/** The line that offers them; none without any. */
export function didYouMean(near: readonly string[]): Printable[] {
  return near.length === 0 ? [] : [say`Did you mean ${near.join(', ')}?`]
}
