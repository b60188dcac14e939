import type { BuildRecord, JobRecord } from '../records/records.js'
import { recomputeBuild, settleJobs } from './build.js'
import { accept, type Decision, refuse } from './decision.js'
import { commandOf } from './job.js'
import { JobList } from './job-list.js'
import { type JobEvent, moveJob, movesBuild } from './job-moves.js'
import { retryOf } from './retry.js'
import { timestamp } from './timestamp.js'
import type { Moment } from './turn.js'

/**
 * One event of one job, with all that follows inside its build in the same turn: the automatic retry, the barriers,
 * the build's own state. Whatever moves a job goes through here.
 */
export function transition(build: BuildRecord, jobId: string, event: JobEvent, moment: Moment): Decision<BuildRecord> {
  const jobs = JobList.of(build.jobs)
  const job = jobs.job(jobId)
  if (job === undefined) return refuse('not_found', 'No job found')
  if (job.retried) return refuse('unprocessable', 'The job has been retried; its latest execution moves')
  const decision = moveJob(job, event, timestamp(moment.now))
  if (!decision.ok) return decision
  const moved = jobs.replace(jobId, retryAutomatically(build, decision.value, moment))
  return accept((movesBuild(event) ? recomputeBuild : settleJobs)(build, moment.now, moved))
}

/** A failing exit with attempts left is retried in the same turn, so that it never counts as a hard failure. */
function retryAutomatically(build: BuildRecord, job: JobRecord, moment: Moment): readonly JobRecord[] {
  const limit = commandOf(job)?.retry?.automatic ?? 0
  if (job.state !== 'failed' || (job.retries_count ?? 0) >= limit) return [job]
  return retryOf(build, job, 'automatic', moment)
}
