import type { Job } from '@buildwire/sdk/contract'
import { findJob } from '../builds/find-job.js'
import { isFailedJob, logUrl } from '../views/job.js'

/** Which jobs' logs are wanted. */
export interface LogSelection {
  /** Words as typed: id, step key, name or a part of it. */
  readonly jobs: readonly string[] | undefined
  /** Those that failed, hard or softly. */
  readonly failed: boolean
}

/**
 * The jobs whose logs are shown, in the order of the build; without a choice every job that has a log.
 *
 * @throws CommandError `usage` for a word that names no job, or several.
 */
export function selectJobs(jobs: readonly Job[], { jobs: words, failed }: LogSelection): Job[] {
  const named = words === undefined ? null : new Set(words.map((word) => findJob(jobs, word).id))
  const chosen = jobs.filter((job) => (named === null || named.has(job.id)) && (!failed || isFailedJob(job)))
  return named === null ? chosen.filter((job) => logUrl(job) !== null) : chosen
}
