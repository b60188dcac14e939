import { tellingStates } from '@buildwire/sdk'
import { logLine } from '@buildwire/sdk/contract'
import { LineBuffer } from '../logs/line-buffer.js'
import type { LogPart } from '../logs/read-log.js'
import { sizeOf } from './answer.js'
import type { ToolRecord } from './tool.js'

const LINE_FEED = 0x0a
/** A longer line is cut: it holds data and not words. */
const LONGEST_LINE = 2_000
/**
 * A part of a log may begin inside a line, and so inside a secret, which nothing can recognize
 * then. So many characters of such a line are left out.
 */
const EDGE = 4_096

/** A line of a log as the job wrote it, or a piece of a line of more than 1 MiB. */
export interface RawLine {
  readonly raw: string
  /** The first byte in the log, and the byte after the last one. */
  readonly start: number
  readonly end: number
  /** The line began before this part of the log. */
  readonly beganBefore: boolean
  /** The line is not over. */
  readonly isOpen: boolean
}

/** Removes what a client must not get: invisible characters and secrets. */
export type CleanText = (text: string) => string

/** Reads lines as they arrive. `beginsInLine`: the part may begin inside a line. */
export async function* linesOf(
  part: LogPart,
  beginsInLine: boolean,
): AsyncGenerator<RawLine, void> {
  const buffer = new LineBuffer()
  let start = part.offset
  function* cut(bytes: Uint8Array): Generator<RawLine> {
    for (let from = 0; from < bytes.length; ) {
      const feed = bytes.indexOf(LINE_FEED, from)
      const isOpen = feed === -1
      const to = isOpen ? bytes.length : feed + 1
      const raw = Buffer.from(bytes.subarray(from, isOpen ? to : feed)).toString('utf8')
      const end = start + to - from
      const beganBefore = beginsInLine && start === part.offset
      yield { raw, start, end, isOpen, beganBefore }
      start = end
      from = to
    }
  }
  for await (const bytes of part) for (const lines of buffer.add(bytes)) yield* cut(lines)
  yield* cut(buffer.rest())
}

/**
 * The texts that a line shows: what a carriage return drew over if it says that something failed,
 * and what stays. Each is cut to 2 000 characters, after it was cleaned.
 */
export function shownTexts({ raw, beganBefore }: RawLine, clean: CleanText): string[] {
  const line = logLine(raw)
  return [...tellingStates(line), line.text].map((state) => {
    const text = clean(state)
    const whole = beganBefore ? `…${text.slice(EDGE)}` : text
    return whole.length > LONGEST_LINE ? `${whole.slice(0, LONGEST_LINE)}…` : whole
  })
}

/** All states of a line that a search looks at: what stays, then what was drawn over, newest first. */
export function* searchedTexts(
  { raw, beganBefore }: RawLine,
  clean: CleanText,
): Generator<string, void> {
  const line = logLine(raw)
  const states = [...line.earlier(), line.text]
  for (const state of states.reverse()) {
    const text = clean(state)
    yield beganBefore ? text.slice(EDGE) : text
  }
}

/** Collects lines of a log as long as they fit in the bytes of an answer. */
export interface LineCollector {
  /** Takes a line before those that were asked for. */
  skip(line: RawLine): void
  /** Takes a line. False if it does not fit; the first one always does. */
  add(line: RawLine): boolean
  record(): ToolRecord
}

/** Collects all lines, as many as fit in `maxBytes` bytes of JSON. */
export function lineCollector(clean: CleanText, maxBytes: number): LineCollector {
  const lines: string[] = []
  let left = maxBytes
  return {
    skip: () => undefined,
    add(line) {
      const texts = shownTexts(line, clean)
      left -= sizeOf(texts)
      if (left < 0 && lines.length > 0) return false
      lines.push(...texts)
      return true
    },
    record: () => ({ lines }),
  }
}
