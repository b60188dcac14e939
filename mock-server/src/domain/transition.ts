import type { BuildRecord, JobRecord } from '../records/records.js'
import { hasEnded, recomputeBuild, settleJobs } from './build.js'
import { accept, type Decision, refuse } from './decision.js'
import { commandOf } from './job.js'
import { JobList } from './job-list.js'
import { type JobEvent, moveJob, movesBuild } from './job-moves.js'
import { retryOf } from './retry.js'
import { timestamp } from './timestamp.js'
import type { Moment, Turn } from './turn.js'

/** Applies an event to a job, then updates its build: automatic retry, barriers, and state. */
export function transition(
  build: BuildRecord,
  jobId: string,
  event: JobEvent,
  moment: Moment,
): Decision<BuildRecord> {
  const jobs = JobList.of(build.jobs)
  const job = jobs.job(jobId)
  if (job === undefined) return refuse('not_found', 'No job found')
  if (job.retried)
    return refuse('unprocessable', 'The job has been retried; its latest execution moves')
  const decision = moveJob(job, event, timestamp(moment.now))
  if (!decision.ok) return decision
  const moved = jobs.replace(jobId, retryAutomatically(build, decision.value, moment))
  return accept((movesBuild(event) ? recomputeBuild : settleJobs)(build, moment.now, moved))
}

function retryAutomatically(
  build: BuildRecord,
  job: JobRecord,
  moment: Moment,
): readonly JobRecord[] {
  const limit = commandOf(job)?.retry?.automatic ?? 0
  if (job.state !== 'failed' || (job.retries_count ?? 0) >= limit) return [job]
  return retryOf(build, job, 'automatic', moment)
}

const mirrored: Readonly<Record<string, Extract<JobEvent, { type: 'mirror' }>['state']>> = {
  passed: 'passed',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
  not_run: 'skipped',
}

/**
 * Writes a build. If it has ended, the trigger job that waits for it moves in the same turn, and so
 * on up the chain of builds.
 */
export function conclude(turn: Turn, build: BuildRecord): void {
  turn.put(build)
  const from = build.triggeredFrom
  const state = mirrored[build.state]
  if (from === null || state === undefined || !hasEnded(build)) return
  const parent = turn.build(from.buildId)
  if (parent) applyEvent(turn, parent, from.jobId, { type: 'mirror', state })
}

export function applyEvent(
  turn: Turn,
  build: BuildRecord,
  jobId: string,
  event: JobEvent,
): Decision<BuildRecord> {
  const decision = transition(build, jobId, event, turn)
  if (decision.ok) conclude(turn, decision.value)
  return decision
}
