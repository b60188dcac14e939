import { isCiError, logAbsence } from '@buildwire/sdk'
import { unlessWithheld } from '../context/withheld.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { logFrom, logTail, type OpenLog } from '../logs/read-log.js'
import { sizeOf } from './answer.js'
import { BESIDE_BYTES, collectLines, collectorFor, inTime, lineInputs } from './collect-lines.js'
import { linesOf, shownTexts } from './log-lines.js'
import { type ToolCall, tool } from './tool.js'

const TAIL_LINES = 200
/** The beginning of the line with a byte is looked for in so many bytes before it. */
const BEFORE_BYTES = 65_536

export const readJobLog = tool({
  name: 'read_job_log',
  description:
    'The log of a job without escapes: its last lines, or a part from a byte on, or the lines that contain a text. `next_byte` of a result is the from_byte of the next call.',
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
    from_byte: lineInputs.from_byte,
    search: lineInputs.search,
    context_lines: lineInputs.context_lines,
  },
  async call({ tail, from_byte, search, context_lines, ...path }, call) {
    const isTail = from_byte === undefined && search === undefined
    if (tail !== undefined && !isTail) throw usageError(say`tail excludes from_byte and search`)
    const job = await call.ci.jobs.get(path, { signal: call.signal }).catch(unlessWithheld)
    const known = job === null ? null : logAbsence(job, 'unasked')
    if (known !== null) return { record: { log_absent: known } }
    const isReachable = job?.raw_log_url && (await call.reach.contains(job.raw_log_url))
    const raw_log_url = isReachable ? job.raw_log_url : null
    try {
      const record = await inTime(call, (signal) => {
        const open: OpenLog = (part) =>
          Promise.resolve(call.ci.jobs.logStream(path, { ...part, raw_log_url, signal }))
        if (isTail) return lastLines(open, Number(tail ?? TAIL_LINES), call)
        const from = Number(from_byte ?? 0)
        const openFrom = () => logFrom(open, Math.max(0, from - BEFORE_BYTES), 'now')
        const collector = collectorFor({ search, context_lines }, call)
        return collectLines({ open: openFrom, from, signal }, collector, call)
      })
      if (record.log_bytes !== 0 || job === null) return { record }
      return { record: { ...record, log_absent: logAbsence(job, 'empty') } }
    } catch (error) {
      if (job === null || !isCiError(error, 'not_found')) throw error
      return { record: { log_absent: logAbsence(job, error) } }
    }
  },
})

/** The last lines, as many as fit in the bytes of the call. */
async function lastLines(
  open: OpenLog,
  wanted: number,
  { clean, maxBytes }: ToolCall,
): ReturnType<typeof collectLines> {
  const part = await logTail(open, wanted)
  const all: { readonly texts: readonly string[]; readonly start: number }[] = []
  let log_bytes = part.offset
  for await (const line of linesOf(part, false)) {
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
