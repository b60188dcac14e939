import type { Build, Job } from '@buildwire/sdk/contract'
import type { Context } from '../context.js'
import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { BuildTarget } from '../target.js'
import { jobTitle } from '../views/job.js'
import { followLogs } from './follow.js'
import { LogPrinter, type LogStyle } from './print-log.js'
import { type LogReader, readLog } from './read-log.js'
import { type LogSelection, logUrl, selectJobs } from './select.js'

/** What of which logs is shown, and how. */
export interface LogRequest extends LogSelection, LogStyle {
  readonly follow: boolean
}

/**
 * Prints the logs of a build's jobs, or follows them to their ends.
 *
 * @throws CommandError `not_found` when none of the jobs has a log; ExitRequest by the jobs' outcome when followed.
 */
export async function showLogs(context: Context, target: BuildTarget, request: LogRequest): Promise<void> {
  const { out, signal } = context
  const ci = await context.ci()
  const build = await ci.builds.get(target, { signal })
  const chosen = selectJobs(build.jobs ?? [], request)
  const jobs = chosen.filter((job) => logUrl(job) !== null)
  if (jobs.length === 0) throw noLog(build, target, chosen, request)
  const { baseUrl } = await context.settings()
  const reader: LogReader = { ci, baseUrl: baseUrl.value, signal }
  if (out.machine) return printRecords(context, jobs, reader)
  const style = { ...request, prefix: request.prefix && jobs.length > 1 }
  const printer = new LogPrinter(context, jobs, style)
  if (request.follow) return followLogs(context, { target, jobs, reader, printer })
  for (const job of jobs) await printer.print(job, await readLog(logUrl(job) ?? '', reader), { first: true })
}

async function printRecords({ out }: Context, jobs: readonly Job[], reader: LogReader): Promise<void> {
  const records = []
  for (const job of jobs) {
    const text = new TextDecoder().decode(await readLog(logUrl(job) ?? '', reader))
    const record = { job_id: job.id, name: jobTitle(job), state: job.state ?? null, text }
    if (out.mode === 'jsonl') await out.value(record, () => [])
    else records.push(record)
  }
  if (out.mode !== 'jsonl') await out.value(records, () => [])
}

function noLog(build: Build, target: BuildTarget, chosen: readonly Job[], { failed }: LogRequest): CommandError {
  const name = `${target.org_slug}/${target.pipeline_slug}#${build.number}`
  const [only] = chosen
  const which =
    only === undefined
      ? say`build ${name} has no ${failed ? 'failed ' : ''}job with a log`
      : say`job ${jobTitle(only)} has no log`
  return new CommandError('not_found', which, {
    hint: ['builds', 'get', name],
  })
}
