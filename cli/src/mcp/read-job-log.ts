import { isCiError, logAbsence } from '@buildwire/sdk'
import { unlessWithheld } from '../context/withheld.js'
import { CommandError, usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { logFrom, logTail, type OpenLog } from '../logs/read-log.js'
import { sizeOf } from './answer.js'
import { type LineCollector, lineCollector, linesOf, shownTexts } from './log-lines.js'
import { searchCollector } from './log-search.js'
import { type ToolCall, type ToolRecord, tool } from './tool.js'

/** Bytes of a record for everything but the lines. */
const BESIDE_BYTES = 600
const TAIL_LINES = 200
const AROUND_LINES = 2
/** Hosts give up on a tool after a minute. */
const LONGEST_MS = 45_000
/** Progress is sent this often. */
const PROGRESS_MS = 5_000
/** Bytes that are read before timers and other messages of the client get a turn. */
const TURN_BYTES = 262_144
/** The beginning of the line with a byte is looked for in so many bytes before it. */
const BEFORE_BYTES = 65_536

export const readJobLog = tool({
  name: 'read_job_log',
  description:
    'The log of a job without escapes: its last lines, or from a byte on, or the lines with a text. `next_byte` of an answer is the from_byte of the next call.',
  effect: 'reads',
  operation: 'jobs.logText',
  extraInputs: {
    tail: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: TAIL_LINES,
      description: 'How many of the last lines.',
    },
    from_byte: {
      type: 'integer',
      minimum: 0,
      description: 'Read on from the line with this byte; 0 is the beginning.',
    },
    search: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      minItems: 1,
      maxItems: 10,
      description: 'Only lines with one of these texts, in any case; no patterns.',
    },
    context_lines: {
      type: 'integer',
      minimum: 0,
      maximum: 20,
      default: AROUND_LINES,
      description: 'With search: lines before and after each match.',
    },
  },
  async call({ tail, from_byte, search, context_lines, ...path }, call) {
    const isTail = from_byte === undefined && search === undefined
    if (tail !== undefined && !isTail) throw usageError(say`tail excludes from_byte and search`)
    const job = await call.ci.jobs.get(path, { signal: call.signal }).catch(unlessWithheld)
    const known = job === null ? null : logAbsence(job, 'unasked')
    if (known !== null) return { record: { log_absent: known } }
    const isReachable = job?.raw_log_url && (await call.reach.contains(job.raw_log_url))
    const raw_log_url = isReachable ? job.raw_log_url : null
    const texts = search as readonly string[] | undefined
    const around = Number(context_lines ?? AROUND_LINES)
    try {
      const record = await inTime(call, (signal): Promise<LogRecord> => {
        const open: OpenLog = (part) =>
          Promise.resolve(call.ci.jobs.logStream(path, { ...part, raw_log_url, signal }))
        if (isTail) return lastLines(open, Number(tail ?? TAIL_LINES), call)
        const bytes = call.maxBytes - BESIDE_BYTES
        const collector =
          texts === undefined
            ? lineCollector(call.clean, bytes)
            : searchCollector({ texts, around }, call.clean, bytes)
        return linesFrom({ open, from: Number(from_byte ?? 0), signal }, collector, call)
      })
      if (record.log_bytes !== 0 || job === null) return { record }
      return { record: { ...record, log_absent: logAbsence(job, 'empty') } }
    } catch (error) {
      if (job === null || !isCiError(error, 'not_found')) throw error
      return { record: { log_absent: logAbsence(job, error) } }
    }
  },
})

type LogRecord = ToolRecord & { readonly log_bytes: number | null }

/** Runs work whose signal aborts after 45 s. */
async function inTime<T>(
  { clock, signal }: ToolCall,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const over = new AbortController()
  clock.sleep(LONGEST_MS, over.signal).then(
    () =>
      late.abort(
        new CommandError('unavailable', say`the log did not come within 45 s`, {
          hint: say`read_job_log with from_byte reads it in parts`,
        }),
      ),
    () => undefined,
  )
  try {
    return await work(AbortSignal.any([signal, late.signal]))
  } finally {
    over.abort()
  }
}

/** The last lines, as many as fit in the bytes of the call. */
async function lastLines(open: OpenLog, wanted: number, { clean, maxBytes }: ToolCall) {
  const part = await logTail(open, wanted)
  const all: { readonly texts: readonly string[]; readonly start: number }[] = []
  let log_bytes = part.offset
  for await (const line of linesOf(part)) {
    all.push({ texts: shownTexts(line, clean), start: line.start })
    log_bytes = line.end
  }
  let left = maxBytes - BESIDE_BYTES
  let first = all.length
  while (first > 0) {
    for (const text of all[first - 1]?.texts ?? []) left -= sizeOf(text) + 1
    if (left < 0 && first < all.length) break
    first -= 1
  }
  const shown = all.slice(first)
  const note = `the last ${shown.length} of ${all.length} lines are shown`
  return {
    lines: shown.flatMap(({ texts }) => texts),
    from_byte: shown[0]?.start ?? part.offset,
    log_bytes,
    truncated: first > 0 ? note : null,
  }
}

/**
 * The lines from the one with a byte on, or the matches in them: as many as fit, and as arrive in
 * the time of the call.
 */
async function linesFrom(
  { open, from, signal }: { open: OpenLog; from: number; signal: AbortSignal },
  collector: LineCollector,
  call: ToolCall,
) {
  let log_bytes: number | null = null
  /** The first byte that was not read yet. */
  let next = from
  const answer = (next_byte: number | null, truncated: string | null = null) => {
    return { ...collector.record(), next_byte, log_bytes, truncated }
  }
  const takeTurn = turnsOf(call)
  try {
    const part = await logFrom(open, Math.max(0, from - BEFORE_BYTES), 'now')
    log_bytes = part.size
    for await (const line of linesOf(part)) {
      if (line.end <= from) collector.skip(line)
      else if (!collector.add(line)) return answer(line.start)
      next = Math.max(next, line.end)
      await takeTurn(line.end, part.size)
      signal.throwIfAborted()
    }
    return answer(null)
  } catch (error) {
    const isLate = signal.aborted && !call.signal.aborted
    const isCut = isLate || isCiError(error, 'timeout') || isCiError(error, 'connection')
    if (!isCut || next === from) throw error
    const why = isLate ? `after ${LONGEST_MS / 1000} s` : 'when the log broke off'
    return answer(next, `the answer ends ${why}: go on with next_byte`)
  }
}

/** Gives timers and other messages of the client a turn now and then, and sends progress. */
function turnsOf({ clock, progress, signal }: ToolCall) {
  let turnAt = 0
  let progressAt = clock.monotonic()
  return async (byte: number, size: number | null): Promise<void> => {
    if (byte - turnAt < TURN_BYTES) return
    turnAt = byte
    await clock.sleep(0, signal)
    if (clock.monotonic() - progressAt < PROGRESS_MS) return
    progressAt = clock.monotonic()
    await progress(size === null ? `${byte} bytes are read` : `${byte} of ${size} bytes are read`)
  }
}
