import { cleanLine } from '../logs/escapes.js'
import { LineBuffer } from '../logs/line-buffer.js'
import type { LogPart } from '../logs/read-log.js'

const LINE_FEED = 0x0a
/** A longer line is data, and no words. */
const LONGEST_LINE = 2_000

/** A line as it may be shown, and the bytes of the log that it is. */
export interface LogLine {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Reads lines while they come, without escapes; what a line overwrote is gone. */
export async function* linesOf(part: LogPart): AsyncGenerator<LogLine, void> {
  const buffer = new LineBuffer()
  let start = part.offset
  function* cut(bytes: Uint8Array): Generator<LogLine> {
    for (let from = 0; from < bytes.length; ) {
      const feed = bytes.indexOf(LINE_FEED, from)
      const to = feed === -1 ? bytes.length : feed + 1
      const line = Buffer.from(bytes.subarray(from, feed === -1 ? to : feed)).toString('utf8')
      const text = String(cleanLine(line, 'piped'))
      const end = start + to - from
      yield { text: text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text, start, end }
      start = end
      from = to
    }
  }
  for await (const bytes of part) for (const lines of buffer.add(bytes)) yield* cut(lines)
  yield* cut(buffer.rest())
}
