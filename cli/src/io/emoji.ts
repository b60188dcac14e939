// @ts-expect-error: the package has no types
import data from 'markdown-it-emoji/lib/data/full.mjs'

const names: Readonly<Record<string, unknown>> = data

/** Replaces GitHub's names of emoji (`:hammer:`) by the characters; unknown names stay. */
export function emojify(text: string, ascii: boolean): string {
  if (ascii) return text
  return text.replace(/:([a-z0-9_+-]+):/gu, (typed, name: string) => {
    const emoji = names[name]
    return typeof emoji === 'string' ? emoji : typed
  })
}
