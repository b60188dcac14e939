import { type CiError, isCiError, logAbsence } from '@buildwire/sdk'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { cleanLine } from '../logs/escapes.js'
import { LineBuffer } from '../logs/line-buffer.js'
import { type LogPart, logFrom, logTail, type OpenLog } from '../logs/read-log.js'
import { sizeOf } from './answer.js'
import { tool } from './tool.js'

/** Bytes of a record for everything but the lines. */
const BESIDE_BYTES = 600
const TAIL_LINES = 200
/** Characters that are shown before and after a text that was found. */
const CONTEXT_CHARACTERS = 200
const LINE_FEED = 0x0a
/** A longer line is cut: it holds data and not words. */
const LONGEST_LINE = 2_000

export const readJobLog = tool({
  name: 'read_job_log',
  description:
    'The log of a job without escapes: its last lines, or from a byte on, or the lines that hold a text. Answers say the byte to go on from.',
  effect: 'reads',
  operation: 'jobs.logText',
  extraInputs: {
    tail: { type: 'integer', minimum: 1, maximum: 10_000, default: TAIL_LINES },
    from_byte: {
      type: 'integer',
      minimum: 0,
      description: 'Begin here, and not with the last lines.',
    },
    search: {
      type: 'string',
      minLength: 1,
      description: 'Only lines with this text, in any case.',
    },
  },
  async call({ tail, from_byte, search, ...path }, { ci, signal, maxBytes }) {
    const isTail = from_byte === undefined && search === undefined
    if (tail !== undefined && !isTail) throw usageError(say`tail excludes from_byte and search`)
    const open: OpenLog = (part) => Promise.resolve(ci.jobs.logStream(path, { ...part, signal }))
    const lineBytes = maxBytes - BESIDE_BYTES
    /**
     * Why a job has no log, from its record; null if the job itself cannot be read, and then the
     * first error is thrown.
     */
    const absence = async (why: 'empty' | CiError) => {
      const job = await ci.jobs.get(path, { signal }).catch(() => null)
      return job === null ? null : logAbsence(job, why as 'empty')
    }
    try {
      const text = search === undefined ? null : String(search)
      const record = await (isTail
        ? lastLines(open, Number(tail ?? TAIL_LINES), lineBytes)
        : linesFrom(open, Number(from_byte ?? 0), lineBytes, text))
      if (record.log_bytes !== 0) return { record }
      return { record: { ...record, log_absent: await absence('empty') } }
    } catch (error) {
      const log_absent = isCiError(error, 'not_found') ? await absence(error) : null
      if (log_absent === null) throw error
      return { record: { log_absent } }
    }
  },
})

/** The last lines, as many as fit in `maxBytes` bytes of JSON. */
async function lastLines(open: OpenLog, wanted: number, maxBytes: number) {
  const part = await logTail(open, wanted)
  const all: LogLine[] = []
  for await (const line of linesOf(part)) all.push(line)
  const shown: LogLine[] = []
  let left = maxBytes
  for (const line of all.toReversed()) {
    left -= sizeOf(line.text) + 1
    if (left < 0 && shown.length > 0) break
    shown.unshift(line)
  }
  const note = `the last ${shown.length} of ${all.length} lines are shown`
  const from_byte = shown[0]?.start ?? part.offset
  return {
    lines: shown.map(({ text }) => text),
    from_byte,
    log_bytes: all.at(-1)?.end ?? part.offset,
    truncated: shown.length < all.length ? note : null,
  }
}

/**
 * The lines from a byte on, or those of them that contain a text, as many as fit in `maxBytes`
 * bytes of JSON.
 */
async function linesFrom(open: OpenLog, from: number, maxBytes: number, search: string | null) {
  const part = await logFrom(open, from, 'now')
  const shown: unknown[] = []
  const answer = (next_byte: number | null) => {
    return { [search === null ? 'lines' : 'matches']: shown, next_byte, log_bytes: part.size }
  }
  let left = maxBytes
  for await (const { text, start } of linesOf(part)) {
    const item = search === null ? text : findMatch(text, search, start)
    if (item === null) continue
    left -= sizeOf(item) + 1
    if (left < 0 && shown.length > 0) return answer(start)
    shown.push(item)
  }
  return answer(null)
}

/** The text that was found with the characters around it; null if the line does not contain it. */
function findMatch(line: string, search: string, byte: number) {
  const at = line.toLowerCase().indexOf(search.toLowerCase())
  if (at === -1) return null
  const from = Math.max(0, at - CONTEXT_CHARACTERS)
  return { byte, text: line.slice(from, at + search.length + CONTEXT_CHARACTERS) }
}

/** A line without escapes, and its first and last byte in the log. */
interface LogLine {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Reads lines as they arrive, without escapes and without text that a line overwrote. */
async function* linesOf(part: LogPart): AsyncGenerator<LogLine, void> {
  const buffer = new LineBuffer()
  let start = part.offset
  function* cut(bytes: Uint8Array): Generator<LogLine> {
    for (let from = 0; from < bytes.length; ) {
      const feed = bytes.indexOf(LINE_FEED, from)
      const to = feed === -1 ? bytes.length : feed + 1
      const line = Buffer.from(bytes.subarray(from, feed === -1 ? to : feed)).toString('utf8')
      const text = String(cleanLine(line, 'piped'))
      const end = start + to - from
      yield {
        text: text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text,
        start,
        end,
      }
      start = end
      from = to
    }
  }
  for await (const bytes of part) for (const lines of buffer.add(bytes)) yield* cut(lines)
  yield* cut(buffer.rest())
}
