import { logAbsence } from '@buildwire/sdk'
import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { ExitRequest, OutputClosedError } from '../io/command-error.js'
import { ExitCode } from '../io/exit-codes.js'
import { reference, say } from '../io/printable.js'
import { jobState, jobTitle } from '../views/job.js'
import { type AbsentLog, absenceText, type FoundLog, findLog } from './found-log.js'
import { inOrder } from './in-order.js'
import { type LogStyle, logPrinter } from './print-log.js'
import { type LogReader, logFrom, logOf, logTail } from './read-log.js'

const FINISHED = new Set([
  'passed',
  'failed',
  'timed_out',
  'canceled',
  'skipped',
  'broken',
  'expired',
])
const SHORT_MS = 2000
const LONG_MS = 10_000
/** Of a server that sends everything at each look, a larger log is asked for less often. */
const HUGE_BYTES = 5 * 1024 * 1024

interface Following {
  job: Job
  /** The byte to go on from; null before the first look. */
  from: number | null
  delayMs: number
  absent: AbsentLog | null
  done: boolean
}

/**
 * Prints logs as they grow, until every job is over and its text stood still once; an ExitRequest
 * tells how they ended.
 */
export async function followLogs(
  context: Context,
  jobs: readonly Job[],
  reader: LogReader,
  style: LogStyle,
): Promise<void> {
  const { clock, notes, signal, interrupts } = context
  const { target } = reader
  const resume = context.command(['builds', 'logs', reference(target, target.number), '--follow'])
  interrupts.setHint(say`resume: ${resume}`)
  const printer = logPrinter(context, jobs, style)
  const all = jobs.map(
    (job): Following => ({ job, from: null, delayMs: SHORT_MS, absent: null, done: false }),
  )
  try {
    for (let open = all; open.length > 0; open = all.filter(({ done }) => !done)) {
      if (open.some(({ from }) => from !== null)) {
        await clock.sleep(Math.min(...open.map(({ delayMs }) => delayMs)), signal)
      }
      await refresh(open, reader)
      for await (const [each, look] of inOrder(open, (one) => lookAt(one, reader, style))) {
        await show(each, look)
        if (!each.done) continue
        await printer.end(each.job)
        const why = each.from === 0 ? (each.absent ?? logAbsence(each.job, 'empty')) : null
        if (why !== null) notes.note(absenceText(each.job, why))
      }
    }
  } catch (error) {
    if (error instanceof OutputClosedError) throw new ExitRequest(ExitCode.not_finished)
    throw error
  }
  interrupts.setHint(null)
  const code = exitCode(all.map(({ job }) => job))
  if (code !== ExitCode.ok) throw new ExitRequest(code)

  async function show(each: Following, { part, absent, restarted, over }: Look): Promise<void> {
    if (restarted) {
      notes.note(say`the log of ${jobTitle(each.job)} starts anew`)
      printer.restart(each.job)
    }
    const before = restarted ? 0 : (each.from ?? part?.offset ?? 0)
    let from = before
    if (part !== null) {
      for await (const bytes of part) {
        await printer.print(each.job, bytes)
        from += bytes.byteLength
      }
    }
    const grew = from > before
    const isHeavy = part?.partial === false && from > HUGE_BYTES
    const delayMs = isHeavy
      ? LONG_MS
      : grew
        ? SHORT_MS
        : Math.min(LONG_MS, Math.round(each.delayMs * 1.5))
    Object.assign(each, { from, delayMs, absent, done: over && !grew })
  }
}

/** What a look at a job's log found; `over` was known before it. */
type Look = FoundLog & { readonly restarted: boolean; readonly over: boolean }

async function lookAt(
  { job, from }: Following,
  reader: LogReader,
  { tail }: LogStyle,
): Promise<Look> {
  const open = logOf(reader, job)
  const over = isOver(job)
  if (from === null && tail !== undefined) {
    return { ...(await findLog(job, () => logTail(open, tail))), restarted: false, over }
  }
  const found = await findLog(job, () => logFrom(open, from ?? 0, 'later'))
  const size = found.part?.size ?? null
  if (from === null || size === null || size >= from) return { ...found, restarted: false, over }
  return { ...(await findLog(job, () => logFrom(open, 0, 'later'))), restarted: true, over }
}

function isOver(job: Job) {
  return FINISHED.has(job.state ?? '') || (job.finished_at ?? null) !== null
}

async function refresh(
  open: readonly Following[],
  { ci, target, signal }: LogReader,
): Promise<void> {
  if (open.every(({ job }) => isOver(job))) return
  const build = await ci.builds.get({ ...target, include_retried_jobs: true }, { signal })
  for (const each of open) each.job = build.jobs?.find(({ id }) => id === each.job.id) ?? each.job
}

function exitCode(jobs: readonly Job[]): number {
  const states = jobs.map(jobState)
  if (states.some((state) => ['failed', 'timed_out', 'broken', 'expired'].includes(state)))
    return ExitCode.negative
  return states.includes('canceled') ? ExitCode.canceled : ExitCode.ok
}
