import type { CiClient } from '../client/client.js'
import type { BuildPath, Job } from '../contract/schemas.gen.js'
import { type CiError, isCiError } from '../errors/errors.js'
import type { CallOptions } from '../http/client-options.js'
import { ran } from './causes.js'
import type { LogAbsence, Problem } from './failure-summary.js'
import { isSilent, type ReadLog, readLog } from './read-log.js'
import { readMiddle } from './read-middle.js'

export type LogFound =
  | { readonly read: ReadLog }
  | { readonly absent: NonNullable<Problem['log_absent']> }

/**
 * Reads the end of a job's log, `bytes` of it; and what is before it if the end does not say why
 * the job failed.
 */
export async function problemLog(
  ci: CiClient,
  path: BuildPath,
  job: Job,
  options: CallOptions & { bytes: number },
): Promise<LogFound> {
  const known = logAbsence(job, 'unasked')
  if (known !== null) return { absent: known }
  try {
    const jobPath = { ...path, job_id: job.id }
    const logOptions = { ...options, raw_log_url: job.raw_log_url }
    const tail = await ci.jobs.logTail(jobPath, logOptions)
    const end = readLog(tail)
    const isMiddleWanted = tail.offset > 0 && isSilent(end)
    const read = isMiddleWanted ? ((await readMiddle(ci, jobPath, end, logOptions)) ?? end) : end
    return read.lines.length === 0 ? { absent: logAbsence(job, 'empty') } : { read }
  } catch (error) {
    if (!isCiError(error)) throw error
    return { absent: logAbsence(job, error) }
  }
}

const SENTENCES: Readonly<Record<Exclude<LogAbsence, 'unreadable'>, string>> = {
  not_started: 'The job has not started, so it has no log',
  canceled_before_start: 'The job was canceled before it started, so it wrote no log',
  empty: 'The job wrote nothing',
  no_scope: 'The token may not read logs: it lacks the scope read_build_logs',
  not_offered: 'The service does not offer logs',
  gone: 'The service has no log of this job any more, or does not offer logs',
}

/**
 * Says why nothing can be shown of a job's log, by the job's record and what asking for the log
 * brought: `unasked`, `empty`, or the error.
 *
 * @returns The reason; null when `unasked` and the log has to be asked for.
 * @example
 * ```ts
 * const build = await ci.builds.get({ org_slug: 'acme', pipeline_slug: 'web', number: 42 })
 * for (const job of build.jobs ?? []) console.log(job.name, logAbsence(job, 'unasked')?.sentence ?? 'may have a log')
 * ```
 */
export function logAbsence(job: Job, found: 'empty' | CiError): NonNullable<Problem['log_absent']>
export function logAbsence(job: Job, found: 'unasked'): Problem['log_absent']
export function logAbsence(job: Job, found: 'unasked' | 'empty' | CiError): Problem['log_absent'] {
  if (job.type !== 'script')
    return { reason: 'not_offered', sentence: `A ${job.type} job has no log` }
  if (!ran(job)) return absent(job.state === 'canceled' ? 'canceled_before_start' : 'not_started')
  if (found === 'unasked') return null
  if (found === 'empty') return absent('empty')
  const reason = reasonOf(found)
  if (reason === 'gone' && isRunning(job))
    return { reason, sentence: 'The job is running, and the service has no log of it yet' }
  if (reason !== 'unreadable') return absent(reason)
  return { reason, sentence: `The log could not be read: ${found.summary}` }
}

function isRunning({ state = '', finished_at }: Job): boolean {
  return ['running', 'canceling', 'timing_out'].includes(state) && (finished_at ?? null) === null
}

function absent(reason: keyof typeof SENTENCES): NonNullable<Problem['log_absent']> {
  return { reason, sentence: SENTENCES[reason] }
}

function reasonOf(error: CiError): LogAbsence {
  if (isCiError(error, 'insufficient_scope') || isCiError(error, 'forbidden')) return 'no_scope'
  // The job was there a moment ago: what is missing is its log, or the operation.
  if (error.code === 'not_found' || ('status' in error && error.status === 410)) return 'gone'
  // A page for people stands where a service has no such address.
  if (error.code === 'invalid_response' && error.got === 'text/html') return 'not_offered'
  return 'unreadable'
}
