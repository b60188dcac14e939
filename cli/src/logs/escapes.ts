import { stripVTControlCharacters } from 'node:util'
import { dropControls } from '../io/machine.js'
import { blank, joined, type Printable, say, whole } from '../io/printable.js'
import { made } from '../io/printable-maker.js'

/** Control strings: APC (time marks of agents), DCS, PM and SOS, up to BEL or ST. */
const CONTROL_STRINGS = /\u001b[_PX^][^\u0007\u001b]*(?:\u0007|\u001b\\)?/gu
/** Colours and weights, the only sequences that may reach a terminal. */
const SGR = /\u001b\[[0-9;:]*m/u
/** Escape sequences: OSC, CSI (also with the one-byte CSI), then two-character sequences. */
const SEQUENCES =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/gu
const RESET = say`\u001b[0m`

/** Where a log is shown: on a terminal with or without colours, or in a pipe. */
export type LogLooks = 'colored' | 'uncolored' | 'piped'

/**
 * Makes a line of a log safe to show. The line has no line end; of a line that overwrote itself
 * only the last state is kept.
 */
export function cleanLine(line: string, looks: LogLooks): Printable {
  const last = lastState(line.replace(CONTROL_STRINGS, ''))
  if (looks === 'piped') {
    return made(dropControls(stripVTControlCharacters(last).replace(SEQUENCES, '')))
  }
  const isColored = looks === 'colored' && SGR.test(last)
  // Each colour is replaced by NUL, and put back after the text between has been escaped.
  const colors: string[] = []
  const plain = last.replace(SEQUENCES, (sequence) => {
    if (!isColored || !SGR.test(sequence)) return ''
    colors.push(sequence)
    return '\u0000'
  })
  const pieces = plain
    .split('\u0000')
    .map((piece, at) => say`${whole(piece)}${made(colors[at] ?? '')}`)
  return say`${joined(pieces)}${isColored ? RESET : blank}`
}

/**
 * The text after the last carriage return, which a terminal would show of a line that overwrote
 * itself.
 */
function lastState(line: string): string {
  const text = line.replace(/\r+$/u, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}

/** Splits a text at LF; a LF at the end adds no empty line. CRs before it are kept. */
export function logLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
