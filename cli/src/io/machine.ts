/** C0 but for line feeds and tabs, DEL, C1, the bidi controls and the line separators. */
export const CONTROLS_BUT_LINES =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The output of a form that programs read, by the rules of that form. */
export function bytes(text: string): Uint8Array {
  return Buffer.from(text)
}

/** Text without any control or bidi character, line ends and tabs excepted: for machine-readable lines. */
export function dropControls(text: string): string {
  return text.replace(CONTROLS_BUT_LINES, '')
}

/** JSON text in which no control or bidi character stands raw. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS_BUT_LINES, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
