import { CONTROLS_BUT_LINES } from './machine.js'
import { made, Printable } from './printable-maker.js'

export type { Printable } from './printable-maker.js'

// C0, DEL, C1, the bidi controls and the line separators: everything that moves a cursor or
// reorders text.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/**
 * Makes text for people; streams accept no other text. The template itself is kept as it is. In each
 * value that is not Printable, control and bidi characters become U+FFFD.
 */
export function say(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Printable)[]
): Printable {
  return made(strings.reduce((text, part, at) => text + cleaned(values[at - 1] ?? '') + part))
}

/** A text of several lines with its line feeds and tabs, such as the output of jq or the API. */
export function whole(text: string): Printable {
  return made(text.replace(CONTROLS_BUT_LINES, '\ufffd'))
}

function cleaned(value: string | number | Printable): string {
  return value instanceof Printable ? value.toString() : String(value).replace(CONTROLS, '\ufffd')
}

export function firstLine(text: string): string {
  return text.split(/\r\n|\r|\n/u, 1)[0] ?? ''
}

export const blank = say``

export function joined(
  parts: readonly (Printable | string)[],
  separator: Printable = blank,
): Printable {
  return made(parts.map(cleaned).join(separator.toString()))
}

export function lines(all: readonly Printable[]): Printable {
  return made(all.map((line) => `${line}\n`).join(''))
}

/** A value as indented JSON, for people. */
export function jsonText(value: unknown): Printable {
  return whole(JSON.stringify(value, null, 2))
}

const SAFE_WORD = /^[\w@%+:,./-][\w@%+=:,./#-]*$/u

/** A command line of this program for a shell; words are quoted where they have to be. */
export function commandLine(words: readonly (string | number)[]): Printable {
  const quoted = words.map((word) => {
    const text = cleaned(word)
    return SAFE_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
  })
  return made(['ci', ...quoted].join(' '))
}

/** A build as a command line names it, or its pipeline if no number is given. */
export function reference(
  {
    org_slug,
    pipeline_slug,
  }: { readonly org_slug: string | null; readonly pipeline_slug: string | null },
  number?: number,
): string {
  const pipeline = [org_slug, pipeline_slug].filter((slug) => slug !== null).join('/')
  return number === undefined ? pipeline : `${pipeline}#${number}`
}
