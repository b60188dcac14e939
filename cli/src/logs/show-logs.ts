import { logAbsence } from '@buildwire/sdk'
import type { BuildPath, Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { CommandError, ExitRequest } from '../io/command-error.js'
import { emojify } from '../io/emoji.js'
import { ExitCode } from '../io/exit-codes.js'
import { reference, say } from '../io/printable.js'
import { findJob, jobsToSearch } from '../jobs/find-job.js'
import { isFailedJob, jobTitle, logUrl } from '../views/job.js'
import { followLogs } from './follow.js'
import { type AbsentLog, absenceText, findLog, isMissing, missingLogsError } from './found-log.js'
import { grepPrinter } from './grep.js'
import { inOrder } from './in-order.js'
import { logRecords } from './log-records.js'
import { type LogStyle, logPrinter } from './print-log.js'
import { type LogReader, logFrom, logOf, logTail } from './read-log.js'

export interface LogRequest extends LogStyle {
  /** Jobs as typed: by id, step key, name or a part of the name. */
  readonly job?: readonly string[] | undefined
  readonly failed?: boolean | undefined
  readonly follow?: boolean | undefined
}

/**
 * Prints the logs of a build's jobs, or follows them until the jobs are over. For a job without a
 * log it prints the reason.
 */
export async function showLogs(
  context: Context,
  target: BuildPath,
  request: LogRequest,
): Promise<void> {
  const ci = await context.ci()
  const all = await jobsToSearch(context, target, request.job ?? [])
  const chosen = selectJobs(all, request)
  const jobs = chosen.filter((job) => logUrl(job) !== null)
  if (jobs.length === 0) throw noLog(target, chosen, request)

  const stop = new AbortController()
  const reader: LogReader = { ci, target, signal: AbortSignal.any([context.signal, stop.signal]) }
  const style = { ...request, prefix: request.prefix && jobs.length > 1 }
  try {
    if (request.follow) await followLogs(context, jobs, reader, style)
    else await printLogs(context, jobs, all, reader, style)
  } finally {
    // Ends the requests for logs that were read ahead.
    stop.abort()
  }
}

async function printLogs(
  context: Context,
  jobs: readonly Job[],
  all: readonly Job[],
  reader: LogReader,
  style: LogStyle,
): Promise<void> {
  const { out, notes } = context
  const { grep } = style
  const found = grep === undefined ? null : grepPrinter(context, jobs, { ...style, grep })
  const records = out.machine && found === null ? logRecords(context) : null
  const printer = found ?? logPrinter(context, jobs, style)
  const missing: { job: Job; absent: AbsentLog }[] = []
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
      missing.push({ job, absent })
      continue
    }
    const reason = absent ?? (part.isEmpty ? logAbsence(job, 'empty') : null)
    if (reason !== null && found === null) notes.note(absenceText(job, reason))
    if (records !== null) {
      await records.print(job, part, reason)
    } else if (part !== null) {
      for await (const bytes of part) await printer.print(job, bytes)
      await printer.end(job)
    }
  }
  if (missing.length < jobs.length) await records?.end()
  const error = missingLogsError(reader.target, all, missing)
  if (error !== null) throw error
  if (found?.count() !== 0) return
  notes.note(say`No line contains ${JSON.stringify(grep)}`)
  throw new ExitRequest(ExitCode.negative)
}

/**
 * The jobs whose logs are shown, in the order of the build: those that are named, else every job
 * that has a log.
 */
function selectJobs(jobs: readonly Job[], { job: words, failed }: LogRequest): Job[] {
  const named = words === undefined ? null : new Set(words.map((word) => findJob(jobs, word).id))
  const chosen = jobs.filter(
    (job) => (named === null || named.has(job.id)) && (!failed || isFailedJob(job)),
  )
  return named === null ? chosen.filter((job) => logUrl(job) !== null) : chosen
}

function noLog(target: BuildPath, chosen: readonly Job[], { failed }: LogRequest): CommandError {
  const name = reference(target, target.number)
  const [only] = chosen
  const options = { hint: ['builds', 'get', name] }
  if (only === undefined) {
    const kind = failed ? 'failed job' : 'job'
    return new CommandError('not_found', say`build ${name} has no ${kind} with a log`, options)
  }
  const absent = logAbsence(only, 'unasked')
  const headline =
    absent === null
      ? say`job ${emojify(jobTitle(only), true)} has no log`
      : absenceText(only, absent)
  return new CommandError('not_found', headline, options)
}
