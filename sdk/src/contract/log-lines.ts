/**
 * Control strings (time marks of agents, titles, links), then CSI, then the other sequences. The
 * end of a log or of its line may cut any of them.
 */
const ESCAPES =
  /\u001b[\]_PX^][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/gu
const COLOR = /^\u001b\[[0-9;:]*m$/u
const COLORS = /\u001b\[[0-9;:]*m/gu

/** Which escape sequences a reader of a log keeps: those that color and weight text, or none. */
export type LogEscapes = 'colors' | 'none'

/** A line of a job's log, without its line end. */
export interface LogLine {
  /** The last state: the text that stays on a terminal. */
  readonly text: string
  /**
   * Yields the states that carriage returns drew over, the oldest first. States without text are
   * left out.
   */
  earlier(): Generator<string, void>
}

/**
 * Reads a job's log line by line. Its time grows with the length of the text, whatever the text is.
 *
 * @param text - The log, or a part of it that begins with a line. It is foreign: control
 * characters other than escape sequences and carriage returns are kept.
 * @param escapes - The escape sequences to keep.
 * @returns The lines; a line feed at the end of the text does not add one.
 *
 * @example
 * ```ts
 * import { logLines } from '@buildwire/sdk/contract'
 *
 * for (const { text } of logLines('10%\r100%\r\ndone\n')) console.log(text) // '100%', 'done'
 * ```
 */
export function* logLines(text: string, escapes: LogEscapes = 'none'): Generator<LogLine, void> {
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from)
    const end = feed === -1 ? text.length : feed
    yield logLine(text.slice(from, end), escapes)
    from = end + 1
  }
}

/**
 * Reads one line of a job's log.
 *
 * @param line - The line, with or without carriage returns at its end.
 * @param escapes - The escape sequences to keep.
 * @returns The last state of the line, and the states before it.
 *
 * @example
 * ```ts
 * import { logLine } from '@buildwire/sdk/contract'
 *
 * const line = logLine('ERROR: checksum mismatch\r100%')
 * console.log(line.text, [...line.earlier()]) // '100%', ['ERROR: checksum mismatch']
 * ```
 */
export function logLine(line: string, escapes: LogEscapes = 'none'): LogLine {
  const states = dropEscapes(line, escapes)
  let end = states.length
  let start = states.lastIndexOf('\r') + 1
  // A state without text, such as one that only resets a color, draws over nothing.
  while (start > 0 && !hasText(states.slice(start, end))) {
    end = start - 1
    start = end === 0 ? 0 : states.lastIndexOf('\r', end - 1) + 1
  }
  return {
    text: states.slice(start, end),
    earlier: () => statesOf(states.slice(0, start)),
  }
}

function* statesOf(states: string): Generator<string, void> {
  for (let from = 0; from < states.length; ) {
    const carriageReturn = states.indexOf('\r', from)
    const end = carriageReturn === -1 ? states.length : carriageReturn
    const state = states.slice(from, end)
    if (hasText(state)) yield state
    from = end + 1
  }
}

function hasText(state: string): boolean {
  return state.replace(COLORS, '') !== ''
}

/**
 * Removes the escape sequences of a text. A control string without an end goes up to the end of
 * its line.
 *
 * @param text - Text of a log, of any number of lines.
 * @param escapes - The escape sequences to keep.
 *
 * @example
 * ```ts
 * import { dropEscapes } from '@buildwire/sdk/contract'
 *
 * console.log(dropEscapes('\u001b[31mred\u001b[0m')) // 'red'
 * ```
 */
export function dropEscapes(text: string, escapes: LogEscapes = 'none'): string {
  return text.replace(ESCAPES, (sequence) => {
    return escapes === 'colors' && COLOR.test(sequence) ? sequence : ''
  })
}
