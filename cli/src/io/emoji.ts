// @ts-expect-error: the package has no types
import data from 'markdown-it-emoji/lib/data/full.mjs'

const names: Readonly<Record<string, unknown>> = data

/**
 * Replaces the names of emoji (`:hammer:`), as GitHub has them, by the characters; an unknown name
 * stays as typed.
 */
export function emojify(text: string, ascii: boolean): string {
  if (ascii) return text
  return text.replace(/:([a-z0-9_+-]+):/gu, (typed, name: string) => {
    const found = names[name]
    return typeof found === 'string' ? found : typed
  })
}
