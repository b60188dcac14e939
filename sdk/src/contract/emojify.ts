/** A name with blanks around it. In `10:30:15` or `std::a::b` there is none. */
const ICON = /(^\s*|(?<=\s)):([a-z][a-z0-9_+-]*):(\s+|$)/gu
const SHORTCODE = /:([a-z0-9_+-]+):/gu

/**
 * Replaces the names of emoji in the name of a job or in a message (`:hammer:`) by the characters.
 * Services have images for other names (`:vitest:`): at the start of a text such a name is left
 * out, elsewhere it becomes a word without colons.
 *
 * @param text - One line as the service sent it.
 * @param emojiOf - Returns the characters for a name such as `hammer`; undefined if it is not the
 * name of an emoji. The contract has no table of names.
 * @returns The line for people. The line as sent is the key that a command takes.
 *
 * @example
 * ```ts
 * import { emojify } from '@buildwire/sdk/contract'
 *
 * const names = new Map([['hammer', '🔨']])
 * console.log(emojify(':hammer: Build', (name) => names.get(name))) // '🔨 Build'
 * console.log(emojify(':vitest: Unit tests', (name) => names.get(name))) // 'Unit tests'
 * ```
 */
export function emojify(text: string, emojiOf: (name: string) => string | undefined): string {
  const withoutImages = text.replace(
    ICON,
    (typed: string, before: string, name: string, behind: string, at: number) => {
      if (emojiOf(name) !== undefined) return typed
      const isFirst = at === 0 && behind !== ''
      return isFirst ? before : `${before}${name}${behind}`
    },
  )
  return withoutImages.replace(SHORTCODE, (typed, name: string) => emojiOf(name) ?? typed)
}
