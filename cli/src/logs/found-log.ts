import { isCiError, logAbsence, type Problem } from '@buildwire/sdk'
import type { BuildPath, Job } from '@buildwire/sdk/contract'
import { CommandError } from '../io/command-error.js'
import { emojify } from '../io/emoji.js'
import { reference, say } from '../io/printable.js'
import { jobTitle } from '../views/job.js'
import { jobWord } from '../views/match-jobs.js'
import type { LogPart } from './read-log.js'

const FINISHED = new Set([
  'passed',
  'failed',
  'timed_out',
  'canceled',
  'skipped',
  'broken',
  'expired',
])

export type AbsentLog = NonNullable<Problem['log_absent']>

export type FoundLog =
  | { readonly part: LogPart; readonly absent: null }
  | { readonly part: null; readonly absent: AbsentLog }

/**
 * Requests a job's log, unless the job's record says that it has none. A 404 means that the log
 * does not exist, because the job itself was read a moment ago.
 */
export async function findLog(job: Job, ask: () => Promise<LogPart>): Promise<FoundLog> {
  const expected = logAbsence(job, 'unasked')
  if (expected !== null) return { part: null, absent: expected }
  try {
    return { part: await ask(), absent: null }
  } catch (error) {
    const absent = isCiError(error) ? logAbsence(job, error) : null
    if (absent === null || !isMissing(absent)) throw error
    return { part: null, absent }
  }
}

/** Whether the service has no log of a job that ran. */
export function isMissing({ reason }: AbsentLog) {
  return reason === 'gone' || reason === 'not_offered'
}

/** Whether a job's log does not grow any more. */
export function isOverJob(job: Job) {
  return FINISHED.has(job.state ?? '') || (job.finished_at ?? null) !== null
}

/** `make lint: the job wrote nothing` */
export function absenceText(job: Job, { sentence }: AbsentLog) {
  return say`${emojify(jobTitle(job), true)}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

/**
 * The error at the end for missing logs of jobs that ran; null if there are none. `jobs` are all jobs
 * of the build.
 */
export function missingLogsError(
  target: BuildPath,
  jobs: readonly Job[],
  missing: readonly { readonly job: Job; readonly absent: AbsentLog }[],
) {
  const [first] = missing
  if (first === undefined) return null
  const headline = absenceText(first.job, first.absent)
  const more = missing.length - 1
  const noun = more === 1 ? 'job' : 'jobs'
  const name = reference(target, target.number)
  const job = ['--job', jobWord(first.job, jobs)]
  return new CommandError('not_found', headline, {
    lines: more === 0 ? [] : [say`The same for ${more} more ${noun} of the build`],
    hint: isOverJob(first.job)
      ? ['builds', 'open', name, ...job]
      : ['builds', 'logs', name, ...job, '--follow'],
  })
}
