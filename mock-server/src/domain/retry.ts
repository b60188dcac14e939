import { RETRY_STATES, type RetryState } from '@buildwire/sdk/contract'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { settleJobs } from './build.js'
import { accept, type Decision, refuse } from './decision.js'
import { isLatest, runFields } from './job.js'
import { JobList } from './job-list.js'
import { timestamp } from './timestamp.js'
import type { Moment, Turn } from './turn.js'

const retryable: ReadonlySet<string> = new Set(['failed', 'timed_out', 'canceled', 'expired'])

function retryStateOf(job: JobRecord): RetryState | undefined {
  if (job.type !== 'script' || !isLatest(job) || !retryable.has(job.state)) return undefined
  return job.state === 'failed' && job.soft_failed ? 'soft_failed' : (job.state as RetryState)
}

/** Used only for jobs that have promised: a copy without some keys is much slower. */
function withoutPromise({
  promised_exit_status: _status,
  promised_exit_status_at: _at,
  ...job
}: JobRecord): JobRecord {
  return job
}

export function retryOf(
  build: BuildRecord,
  job: JobRecord,
  retry_type: 'manual' | 'automatic',
  moment: Moment,
): readonly [old: JobRecord, next: JobRecord] {
  const at = timestamp(moment.now)
  const next: JobRecord = {
    ...(job.promised_exit_status === undefined ? job : withoutPromise(job)),
    ...runFields,
    id: moment.uuid('job'),
    state: 'scheduled',
    created_at: at,
    scheduled_at: build.created_at,
    runnable_at: at,
    retries_count: (job.retries_count ?? 0) + 1,
    retry_source: { job_id: job.id, retry_type },
  }
  return [{ ...job, retried: true, retried_in_job_id: next.id, retry_type }, next]
}

/** Retries every selected job. The state of the build changes when one of them starts or ends. */
export function retryFailedJobs(
  turn: Turn,
  build: BuildRecord,
  states: readonly RetryState[],
): { readonly build: BuildRecord; readonly count: number } {
  const selected = (job: JobRecord) => states.some((state) => state === retryStateOf(job))
  const count = build.jobs.filter(selected).length
  if (count === 0) return { build, count }
  const jobs = build.jobs.flatMap((job) =>
    selected(job) ? retryOf(build, job, 'manual', turn) : [job],
  )
  const next = settleJobs(build, turn.now, jobs)
  turn.put(next)
  return { build: next, count }
}

export function retryJob(turn: Turn, build: BuildRecord, jobId: string): Decision<BuildRecord> {
  const list = JobList.of(build.jobs)
  const job = list.job(jobId)
  if (job === undefined) return refuse('not_found', 'No job found')
  if (job.retried) return refuse('unprocessable', 'The job has already been retried')
  if (retryStateOf(job) === undefined)
    return refuse('unprocessable', `A ${job.type} job that is ${job.state} can't be retried`)
  const next = settleJobs(build, turn.now, list.replace(jobId, retryOf(build, job, 'manual', turn)))
  turn.put(next)
  return accept(next)
}

function isCanceled({ state }: BuildRecord): boolean {
  return state === 'canceled' || state === 'canceling'
}

function waitingBuild(turn: Turn, { triggeredFrom }: BuildRecord): BuildRecord | undefined {
  const parent = triggeredFrom === null ? undefined : turn.build(triggeredFrom.buildId)
  return parent && JobList.of(parent.jobs).job(triggeredFrom?.jobId ?? '')?.async !== true
    ? parent
    : undefined
}

/**
 * Retries one job at the request of a client. Refused in a canceled build, and in a build that a
 * canceled build waited for.
 */
export function retryAsked(turn: Turn, build: BuildRecord, jobId: string): Decision<BuildRecord> {
  const job = JobList.of(build.jobs).job(jobId)
  // Refused there: only the latest execution can be retried.
  if (job === undefined || job.retried) return retryJob(turn, build, jobId)
  if (job.type !== 'script') return refuse('bad_request', 'Only script jobs can be retried')
  if (retryStateOf(job) === undefined)
    return refuse('bad_request', 'Only failed, timed out or canceled jobs can be retried')
  if (isCanceled(build))
    return refuse('unprocessable', 'Jobs from canceled builds cannot be retried')
  const parent = waitingBuild(turn, build)
  if (parent && isCanceled(parent))
    return refuse(
      'unprocessable',
      'Jobs from builds that a canceled build triggered cannot be retried',
    )
  return retryJob(turn, build, jobId)
}

const named: ReadonlySet<string> = new Set(RETRY_STATES)

/** Reads `states`: comma-separated, without spaces and empty parts. Empty or null: all five. */
export function readRetryStates(value: unknown): Decision<readonly RetryState[]> {
  if (value === undefined || value === null) return accept(RETRY_STATES)
  if (typeof value !== 'string')
    return refuse('bad_request', 'states must be a comma-separated string')
  const states = value
    .split(',')
    .map((state) => state.trim())
    .filter((state) => state !== '')
  const invalid = [...new Set(states.filter((state) => !named.has(state)))]
  if (invalid.length > 0) {
    return refuse(
      'bad_request',
      `Invalid states: ${invalid.join(', ')}. Valid states are ${RETRY_STATES.join(', ')}.`,
    )
  }
  return accept(states.length === 0 ? RETRY_STATES : (states as RetryState[]))
}
