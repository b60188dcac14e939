/** C0 without line feeds and tabs, DEL, C1, the bidi controls and the line separators. */
export const CONTROLS_BUT_LINES =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Output for programs; the caller follows the rules of the format. */
export function bytes(text: string): Uint8Array {
  return Buffer.from(text)
}

/** Text without control and bidi characters, except line feeds and tabs. */
export function dropControls(text: string): string {
  return text.replace(CONTROLS_BUT_LINES, '')
}

/** JSON text in which control and bidi characters are escaped. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS_BUT_LINES, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** One JSON text of several lines with its line end; control characters are escaped. */
export function prettyJson(value: unknown): string {
  return `${escapeControls(JSON.stringify(value, null, 2))}\n`
}

/** One JSON text on one line with its line end; control characters are escaped. */
export function jsonLine(value: unknown): string {
  return `${escapeControls(JSON.stringify(value))}\n`
}

/** One item of a list as {@link prettyJson} writes it, without the `[` or the comma before it. */
export function listItem(value: unknown): string {
  return escapeControls(JSON.stringify([value], null, 2).slice(1, -2))
}

/**
 * One field of a tab-separated line: null is empty, `\`, tab and line ends are escaped, other
 * controls dropped.
 */
function tsvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return dropControls(
    text.replace(/[\\\t\n\r]/gu, (character) => {
      if (character === '\t') return '\\t'
      if (character === '\n') return '\\n'
      return character === '\r' ? '\\r' : '\\\\'
    }),
  )
}

export function tsvLine(values: readonly unknown[]): string {
  return `${values.map(tsvField).join('\t')}\n`
}
