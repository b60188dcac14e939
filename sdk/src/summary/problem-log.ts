import type { CiClient } from '../client/client.js'
import type { BuildPath, Job } from '../contract/schemas.gen.js'
import { isCiError } from '../errors/errors.js'
import type { CallOptions } from '../http/context.js'
import type { Problem } from './failure-summary.js'
import { logAbsence } from './log-absence.js'
import { type ReadLog, readLog } from './log-excerpt.js'

export type LogFound = { readonly read: ReadLog } | { readonly absent: NonNullable<Problem['log_absent']> }

/** Reads the end of a job's log, `bytes` of it. */
export async function problemLog(
  ci: CiClient,
  path: BuildPath,
  job: Job,
  options: CallOptions & { bytes: number },
): Promise<LogFound> {
  const known = logAbsence(job, 'unasked')
  if (known !== null) return { absent: known }
  try {
    const read = readLog(await ci.jobs.logTail({ ...path, job_id: job.id }, options))
    return read.lines.length === 0 ? { absent: logAbsence(job, 'empty') } : { read }
  } catch (error) {
    if (!isCiError(error)) throw error
    return { absent: logAbsence(job, error) }
  }
}
