import { logAbsence } from '@buildwire/sdk'
import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { ExitRequest, OutputClosedError } from '../io/command-error.js'
import { emojify } from '../io/emoji.js'
import { ExitCode } from '../io/exit-codes.js'
import { reference, say } from '../io/printable.js'
import { jobState, jobTitle } from '../views/job.js'
import { type AbsentLog, absenceText, type FoundLog, findLog, isOverJob } from './found-log.js'
import { inOrder } from './in-order.js'
import { type LogStyle, logPrinter } from './print-log.js'
import { type LogReader, logFrom, logOf, logTail } from './read-log.js'

const SHORT_MS = 2000
const LONG_MS = 10_000
/** A larger log is requested less often if the server always sends all of it. */
const HUGE_BYTES = 5 * 1024 * 1024

interface FollowedLog {
  job: Job
  /** The byte at which the next request begins; null before the first one. */
  from: number | null
  delayMs: number
  absent: AbsentLog | null
  /** The log does not grow any more: the job is over, or its build is. */
  isOver: boolean
  isDone: boolean
}

/**
 * Prints logs as they grow. A log is done when its job is over and a request after that brought no
 * new text.
 *
 * @throws ExitRequest with the exit code of the jobs if it is not 0.
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
  const logs = jobs.map(
    (job): FollowedLog => ({
      job,
      from: null,
      delayMs: SHORT_MS,
      absent: null,
      isOver: isOverJob(job),
      isDone: false,
    }),
  )
  try {
    for (let open = logs; open.length > 0; open = logs.filter(({ isDone }) => !isDone)) {
      if (open.some(({ from }) => from !== null)) {
        await clock.sleep(Math.min(...open.map(({ delayMs }) => delayMs)), signal)
      }
      await refresh(open, reader)
      for await (const [log, poll] of inOrder(open, (each) => pollLog(each, reader, style))) {
        await printNew(log, poll)
        if (!log.isDone) continue

        await printer.end(log.job)
        const absent = log.from === 0 ? (log.absent ?? logAbsence(log.job, 'empty')) : null
        if (absent !== null) notes.note(absenceText(log.job, absent))
      }
    }
  } catch (error) {
    if (error instanceof OutputClosedError) throw new ExitRequest(ExitCode.not_finished)
    throw error
  }
  interrupts.setHint(null)
  const code = exitCode(logs.map(({ job }) => job))
  if (code !== ExitCode.ok) throw new ExitRequest(code)

  async function printNew(log: FollowedLog, poll: LogPoll): Promise<void> {
    const { part, absent, isRestarted, isOver } = poll
    if (isRestarted) {
      notes.note(say`the log of ${emojify(jobTitle(log.job), true)} starts again`)
      printer.restart(log.job)
    }
    const before = isRestarted ? 0 : (log.from ?? part?.offset ?? 0)
    let from = before
    if (part !== null) {
      for await (const bytes of part) {
        await printer.print(log.job, bytes)
        from += bytes.byteLength
      }
    }
    const grew = from > before
    const isHeavy = part?.partial === false && from > HUGE_BYTES
    const delayMs = isHeavy ? LONG_MS : nextDelay(log.delayMs, grew)
    Object.assign(log, { from, delayMs, absent, isDone: isOver && !grew })
  }
}

function nextDelay(delayMs: number, grew: boolean): number {
  return grew ? SHORT_MS : Math.min(LONG_MS, Math.round(delayMs * 1.5))
}

/** The result of one request for a job's log. */
type LogPoll = FoundLog & {
  readonly isRestarted: boolean
  /** The job or its build was over before the request. */
  readonly isOver: boolean
}

async function pollLog(
  { job, from, isOver }: FollowedLog,
  reader: LogReader,
  { tail }: LogStyle,
): Promise<LogPoll> {
  const open = logOf(reader, job)
  if (from === null && tail !== undefined) {
    return { ...(await findLog(job, () => logTail(open, tail))), isRestarted: false, isOver }
  }
  const next = await findLog(job, () => logFrom(open, from ?? 0, 'later'))
  const size = next.part?.size ?? null
  const hasShrunk = from !== null && size !== null && size < from
  if (!hasShrunk) return { ...next, isRestarted: false, isOver }
  return { ...(await findLog(job, () => logFrom(open, 0, 'later'))), isRestarted: true, isOver }
}

async function refresh(
  open: readonly FollowedLog[],
  { ci, target, signal }: LogReader,
): Promise<void> {
  if (open.every(({ isOver }) => isOver)) return
  const build = await ci.builds.get({ ...target, include_retried_jobs: true }, { signal })
  for (const log of open) {
    const job = build.jobs?.find(({ id }) => id === log.job.id)
    const isBuildOver = (build.finished_at ?? null) !== null
    log.job = job ?? log.job
    log.isOver = job === undefined || isBuildOver || isOverJob(job)
  }
}

function exitCode(jobs: readonly Job[]): number {
  const states = jobs.map(jobState)
  const failures = ['failed', 'timed_out', 'broken', 'expired']
  if (states.some((state) => failures.includes(state))) return ExitCode.negative
  return states.includes('canceled') ? ExitCode.canceled : ExitCode.ok
}
