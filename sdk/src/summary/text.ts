/**
 * Readers of foreign records, in which any field may be missing, null or of another type, and of
 * what they hold.
 */

/** A text that says something, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The texts under these keys of a record. */
export function textsOf<K extends string>(
  record: { readonly [key in K]?: unknown },
  ...keys: readonly K[]
) {
  return Object.fromEntries(keys.map((key) => [key, textOf(record[key])])) as Record<
    K,
    string | null
  >
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Without characters that show nothing or turn the order of others, and without halves of
 * characters.
 */
export function plain(text: string): string {
  return text.replace(CONTROLS, '').replace(/\p{Surrogate}/gu, '')
}

/** Its beginning, when it has more than `most` UTF-16 units. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/\p{Surrogate}/gu, '')}…` : text
}

const ENTITIES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
)

/**
 * HTML as a person reads it: each block on a line of its own, no tags. The text is foreign: escape
 * it where it goes.
 *
 * @example
 * ```ts
 * htmlText('<p>1 of 214 tests failed</p>') // '1 of 214 tests failed'
 * ```
 */
export function htmlText(html: string): string {
  return html
    .replace(/<(script|style)\b[^<>]*>[^<]*<\/\1>/giu, '')
    .replace(
      /<(?:br|\/(?:p|div|li|tr|pre|h\d|blockquote|summary|details|ul|ol|table))\b[^<>]*>/giu,
      '\n',
    )
    .replace(/<[^<>]*>/gu, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{1,8}));/giu, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES.get(String(name).toLowerCase()) ?? whole
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole
    })
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
