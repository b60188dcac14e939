import type { CiClient } from '../client.js'
import type { BuildPath, Job } from '../contract/schemas.gen.js'
import { type CiError, isCiError } from '../errors.js'
import type { CallOptions } from '../http/context.js'
import { ran } from './causes.js'
import type { LogAbsence, Problem } from './failure-summary.js'
import { type ReadLog, readLog } from './log-excerpt.js'

/** A log that was read, or why there is none. */
export type LogFound = { readonly read: ReadLog } | { readonly absent: NonNullable<Problem['log_absent']> }

/** Reads the end of a job's log, `bytes` of it. */
export async function problemLog(
  ci: CiClient,
  path: BuildPath,
  job: Job,
  options: CallOptions & { bytes: number },
): Promise<LogFound> {
  if (job.type !== 'script') return absent('not_offered', `A ${job.type} job has no log`)
  if (!ran(job)) return absent(job.state === 'canceled' ? 'canceled_before_start' : 'not_started')
  try {
    const read = readLog(await ci.jobs.logTail({ ...path, job_id: job.id }, options))
    return read.lines.length === 0 ? absent('empty') : { read }
  } catch (error) {
    if (!isCiError(error)) throw error
    const reason = reasonOf(error)
    return absent(reason, reason === 'unreadable' ? `The log could not be read: ${error.summary}` : undefined)
  }
}

function reasonOf(error: CiError): LogAbsence {
  if (error.code === 'insufficient_scope' || error.code === 'forbidden') return 'no_scope'
  // The job was there a moment ago: what is missing is its log, or the operation.
  if (error.code === 'not_found' || ('status' in error && error.status === 410)) return 'gone'
  // A page for people stands where a service has no such address.
  if (error.code === 'invalid_response' && error.got === 'text/html') return 'not_offered'
  return 'unreadable'
}

const SENTENCES: Readonly<Record<Exclude<LogAbsence, 'unreadable'>, string>> = {
  not_started: 'The job never started, so it wrote no log',
  canceled_before_start: 'The job was canceled before it started, so it wrote no log',
  empty: 'The job wrote nothing',
  no_scope: 'The token may not read logs: it lacks the scope read_build_logs',
  not_offered: 'The service does not offer logs',
  gone: 'The service has no log of this job any more, or does not offer logs',
}

function absent(reason: LogAbsence, sentence?: string): LogFound {
  return { absent: { reason, sentence: sentence ?? (reason === 'unreadable' ? '' : SENTENCES[reason]) } }
}
