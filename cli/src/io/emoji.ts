// @ts-expect-error: the package has no types
import data from 'markdown-it-emoji/lib/data/full.mjs'

const emojis: Readonly<Record<string, unknown>> = data

/**
 * Replaces GitHub's names of emoji (`:hammer:`) by the characters, where not only ASCII may be
 * written. Services have images for other names (`:vitest:`): at the start of a text such a name
 * is left out, elsewhere it is a word without colons.
 */
export function emojify(text: string, ascii: boolean): string {
  return text.replace(ICON, iconless).replace(/:([a-z0-9_+-]+):/gu, (typed, name: string) => {
    const emoji = emojis[name]
    return typeof emoji === 'string' && !ascii ? emoji : typed
  })
}

/** A name with blanks around it. In `10:30:15` or `std::a::b` there is none. */
const ICON = /(^\s*|(?<=\s)):([a-z][a-z0-9_+-]*):(\s+|$)/gu

function iconless(typed: string, before: string, name: string, behind: string, at: number): string {
  if (typeof emojis[name] === 'string') return typed
  const isFirst = at === 0 && behind !== ''
  return isFirst ? before : `${before}${name}${behind}`
}
