import { isCiError } from '@buildwire/sdk'
import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { LogPart } from '../logs/read-log.js'
import { type LineCollector, lineCollector, linesOf } from './log-lines.js'
import { searchCollector } from './log-search.js'
import type { ToolCall, ToolRecord } from './tool.js'

/** Bytes of a record for everything but the lines. */
export const BESIDE_BYTES = 600
const AROUND_LINES = 2
/** Hosts give up on a tool after a minute. */
const LONGEST_MS = 45_000
/** Progress is sent this often. */
const PROGRESS_MS = 5_000
/** Bytes that are read before timers and other messages of the client get a turn. */
const TURN_BYTES = 262_144

/** The inputs of a tool that reads lines. */
export const lineInputs = {
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
}

/** Values of {@link lineInputs}. */
export type LineInput = { readonly [Name in keyof typeof lineInputs]?: unknown }

/** Collects what an input asks for, as much as fits in the bytes of the call. */
export function collectorFor(
  { search, context_lines = AROUND_LINES }: LineInput,
  { clean, maxBytes }: ToolCall,
): LineCollector {
  const bytes = maxBytes - BESIDE_BYTES
  if (search === undefined) return lineCollector(clean, bytes)
  const texts = search as readonly string[]
  return searchCollector({ texts, around: Number(context_lines) }, clean, bytes)
}

/** Runs work whose signal aborts after 45 s. */
export async function inTime<T>(
  { clock, signal }: ToolCall,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const over = new AbortController()
  const abort = () =>
    late.abort(
      new CommandError('unavailable', say`the text did not come within ${LONGEST_MS / 1000} s`, {
        hint: say`the same tool with from_byte reads it in parts`,
      }),
    )
  clock.sleep(LONGEST_MS, over.signal).then(abort, () => undefined)
  try {
    return await work(AbortSignal.any([signal, late.signal]))
  } finally {
    over.abort()
  }
}

/** From where a part is read, and until when. */
interface LineRange {
  readonly open: () => Promise<LogPart>
  readonly from: number
  readonly signal: AbortSignal
}

/**
 * Collects the lines from the one with a byte on: as many as fit, and as arrive before the signal
 * aborts. `next_byte` is where the next call goes on, or null at the end.
 */
export async function collectLines(
  { open, from, signal }: LineRange,
  collector: LineCollector,
  call: ToolCall,
): Promise<ToolRecord & { readonly log_bytes: number | null }> {
  let log_bytes: number | null = null
  /** The first byte that was not read yet. */
  let next = from
  const answer = (next_byte: number | null, truncated: string | null = null) => {
    return { ...collector.record(), next_byte, log_bytes, truncated }
  }
  const takeTurn = turnsOf(call)
  try {
    const part = await open()
    log_bytes = part.size
    for await (const line of linesOf(part, part.offset > 0)) {
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
    const why = isLate ? `after ${LONGEST_MS / 1000} s` : 'where the log broke off'
    return answer(next, `the answer ends ${why}: continue with next_byte`)
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
