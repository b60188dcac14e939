import { emojify as replaceNames } from '@buildwire/sdk/contract'
// @ts-expect-error: the package has no types
import data from 'markdown-it-emoji/lib/data/full.mjs'

const emojis: Readonly<Record<string, unknown>> = data

/**
 * Replaces GitHub's names of emoji (`:hammer:`) by the characters, where not only ASCII may be
 * written. Names of other images are left out.
 */
export function emojify(text: string, ascii: boolean): string {
  return replaceNames(text, (name) => {
    const emoji = emojis[name]
    if (typeof emoji !== 'string') return undefined
    return ascii ? `:${name}:` : emoji
  })
}
