// C0, DEL, C1, the bidi controls and the line separators: everything that moves a cursor or reorders text.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const CONTROLS_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Text that cannot steer a terminal: each control or bidi character becomes U+FFFD. */
export function sanitize(text: string): string {
  return text.replace(CONTROLS, '\ufffd')
}

/** As {@link sanitize}, but line feeds and tabs stay: for whole texts of a filter or an API answer. */
export function sanitizeLines(text: string): string {
  return text.replace(CONTROLS_BUT_LINES, '\ufffd')
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

/** The first line of a text. */
export function firstLine(text: string): string {
  return text.split(/\r\n|\r|\n/u, 1)[0] ?? ''
}
