import { stripVTControlCharacters } from 'node:util'
import { dropControls } from '../io/machine.js'
import { blank, joined, type Printable, say, whole } from '../io/printable.js'
import { made } from '../io/printable-maker.js'

/** Strings that a terminal swallows: APC (time marks of agents), DCS, PM, SOS, up to BEL or ST. */
const STRINGS = /\u001b[_PX^][^\u0007\u001b]*(?:\u0007|\u001b\\)?/gu
/** Colours and weights, the only sequences that may reach a terminal. */
const SGR = /\u001b\[[0-9;:]*m/u
/**
 * Everything that starts with ESC, or is a one-byte CSI: OSC, CSI, then two-character sequences.
 */
const SEQUENCES =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/gu
const RESET = say`\u001b[0m`

/** How a log is shown: on a terminal with or without its colours, or to a program. */
export type LogLooks = 'colored' | 'uncolored' | 'piped'

/**
 * One line of a log, without its line end, as it may be shown: of a line that overwrote itself the
 * last state stays.
 */
export function cleanLine(line: string, looks: LogLooks): Printable {
  const last = lastState(line.replace(STRINGS, ''))
  if (looks === 'piped')
    return made(dropControls(stripVTControlCharacters(last).replace(SEQUENCES, '')))
  const colored = looks === 'colored' && SGR.test(last)
  // Colours are taken out of the way while everything else is made harmless.
  const kept: string[] = []
  const plain = last.replace(SEQUENCES, (sequence) => {
    if (colored && SGR.test(sequence)) kept.push(sequence)
    return colored && SGR.test(sequence) ? '\u0000' : ''
  })
  const pieces = plain
    .split('\u0000')
    .map((piece, at) => say`${whole(piece)}${made(kept[at] ?? '')}`)
  return say`${joined(pieces)}${colored ? RESET : blank}`
}

/**
 * What a terminal would show of a line that returned to its start: the text behind the last return.
 */
function lastState(line: string): string {
  const text = line.replace(/\r+$/u, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}

/**
 * The lines of a text; a line end is LF, CR LF or CR CR LF, and the last one ends the last line.
 */
export function logLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
