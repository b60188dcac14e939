import { logAbsence } from '@buildwire/sdk'
import type { Build, BuildPath, Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { CommandError } from '../io/command-error.js'
import { reference, say } from '../io/printable.js'
import { findJob } from '../jobs/find-job.js'
import { isFailedJob, jobTitle, logUrl } from '../views/job.js'
import { followLogs } from './follow.js'
import { type AbsentLog, absenceText, findLog, goneLogs, isMissing } from './found-log.js'
import { inOrder } from './in-order.js'
import { logRecords } from './log-records.js'
import { type LogStyle, logPrinter } from './print-log.js'
import { type LogReader, logFrom, logOf, logTail } from './read-log.js'

export interface LogRequest extends LogStyle {
  /** Words as typed: id, step key, name or a part of it. */
  readonly job?: readonly string[] | undefined
  readonly failed?: boolean | undefined
  readonly follow?: boolean | undefined
}

/**
 * Prints the logs of a build's jobs, or follows them to their ends. Of a job without a text it says
 * why.
 */
export async function showLogs(
  context: Context,
  target: BuildPath,
  request: LogRequest,
): Promise<void> {
  const ci = await context.ci()
  const build = await ci.builds.get(target, { signal: context.signal })
  const chosen = selectJobs(build.jobs ?? [], request)
  const jobs = chosen.filter((job) => logUrl(job) !== null)
  if (jobs.length === 0) throw noLog(build, target, chosen, request)
  const left = new AbortController()
  const reader: LogReader = { ci, target, signal: AbortSignal.any([context.signal, left.signal]) }
  const style = { ...request, prefix: request.prefix && jobs.length > 1 }
  try {
    if (request.follow) await followLogs(context, jobs, reader, style)
    else await printLogs(context, jobs, reader, style)
  } finally {
    // What was read ahead is of no use any more.
    left.abort()
  }
}

async function printLogs(
  context: Context,
  jobs: readonly Job[],
  reader: LogReader,
  style: LogStyle,
): Promise<void> {
  const { out, notes } = context
  const records = out.machine ? logRecords(context) : null
  const printer = logPrinter(context, jobs, style)
  const gone: { job: Job; absent: AbsentLog }[] = []
  const logs = inOrder(jobs, (job, at) =>
    findLog(job, () => {
      const open = logOf(reader, job)
      return style.tail === undefined
        ? logFrom(open, 0, at === 0 ? 'now' : 'later')
        : logTail(open, style.tail)
    }),
  )
  for await (const [job, { part, absent }] of logs) {
    if (absent !== null && isMissing(absent)) {
      gone.push({ job, absent })
      continue
    }
    const why = absent ?? (part.isEmpty ? logAbsence(job, 'empty') : null)
    if (why !== null) notes.note(absenceText(job, why))
    if (records !== null) {
      await records.print(job, part, why)
    } else if (part !== null) {
      for await (const bytes of part) await printer.print(job, bytes)
      await printer.end(job)
    }
  }
  if (gone.length < jobs.length) await records?.end()
  const error = goneLogs(reader.target, gone)
  if (error !== null) throw error
}

/**
 * The jobs whose logs are shown, in the order of the build; without a choice every job that has a
 * log.
 */
function selectJobs(jobs: readonly Job[], { job: words, failed }: LogRequest): Job[] {
  const named = words === undefined ? null : new Set(words.map((word) => findJob(jobs, word).id))
  const chosen = jobs.filter(
    (job) => (named === null || named.has(job.id)) && (!failed || isFailedJob(job)),
  )
  return named === null ? chosen.filter((job) => logUrl(job) !== null) : chosen
}

function noLog(
  build: Build,
  target: BuildPath,
  chosen: readonly Job[],
  { failed }: LogRequest,
): CommandError {
  const name = reference(target, build.number)
  const [only] = chosen
  const absent = only === undefined ? null : logAbsence(only, 'unasked')
  const failing = failed ? 'failed ' : ''
  const none =
    only === undefined
      ? say`build ${name} has no ${failing}job with a log`
      : say`job ${jobTitle(only)} has no log`
  const why = only === undefined || absent === null ? none : absenceText(only, absent)
  return new CommandError('not_found', why, { hint: ['builds', 'get', name] })
}
