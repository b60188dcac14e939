import { tellingStates } from '@buildwire/sdk'
import { type LogLine, logLine, logLines } from '@buildwire/sdk/contract'
import { dropControls } from '../io/machine.js'
import { joined, type Printable, say, whole } from '../io/printable.js'
import { made } from '../io/printable-maker.js'

/** Colours and weights, the only sequences that may reach a terminal. */
const COLORS = /(\u001b\[[0-9;:]*m)/u
const RESET = say`\u001b[0m`

/** Where a log is shown: on a terminal with or without colours, or in a pipe. */
export type LogLooks = 'colored' | 'uncolored' | 'piped'

/**
 * Makes a line of a log safe to show. The line has no line end; of a line that overwrote itself
 * only the last state is kept.
 */
export function cleanLine(line: string, looks: LogLooks): Printable {
  return printable(logLine(line, looks === 'colored' ? 'colors' : 'none'), looks)
}

/**
 * Cleans the lines of a text. A LF at its end adds no empty line. An error that a line overwrote is
 * a line of its own before it.
 */
export function cleanLines(text: string, looks: LogLooks): readonly Printable[] {
  const lines = logLines(text, looks === 'colored' ? 'colors' : 'none')
  return Array.from(lines, (line) => [
    ...tellingStates(line).map((state) => printable({ text: state }, looks)),
    printable(line, looks),
  ]).flat()
}

function printable({ text }: Pick<LogLine, 'text'>, looks: LogLooks): Printable {
  if (looks === 'piped') return made(dropControls(text))
  const pieces = text.split(COLORS)
  if (pieces.length === 1) return whole(text)
  // Every second piece is a colour, which the expression captures.
  const shown = pieces.map((piece, at) => (at % 2 === 1 ? made(piece) : whole(piece)))
  return say`${joined(shown)}${RESET}`
}
