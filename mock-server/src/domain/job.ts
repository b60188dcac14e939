import type { JOB_STATES } from '@buildwire/sdk/contract'
import type { CommandStep, JobRecord } from '../records/records.js'

export type JobType = JobRecord['type']

export type JobState = (typeof JOB_STATES)[number]

/**
 * The states in which the build does not wait for a job. A retry can bring jobs back from the
 * `…_failed` states.
 */
const finished = new Set(
  'waiting_failed blocked_failed unblocked unblocked_failed passed failed timed_out canceled skipped broken expired'.split(
    ' ',
  ),
)
const movable = new Set(
  'scheduled limited assigned accepted running timing_out canceling'.split(' '),
)
/** The states of a job behind a barrier, and of a barrier that is not passed yet. */
const held: ReadonlySet<string> = new Set(['pending', 'waiting', 'blocked'])

export function isFinished(job: Pick<JobRecord, 'state'>): boolean {
  return finished.has(job.state)
}

export function isMovable(job: JobRecord): boolean {
  return movable.has(job.state)
}

function isHeld(job: JobRecord): boolean {
  return held.has(job.state)
}

/** True if an agent has the job or may take it: it is neither finished nor held back. */
export function isActive(job: JobRecord): boolean {
  return !isFinished(job) && !isHeld(job)
}

export function isRunning(job: JobRecord): boolean {
  return job.state === 'running' || job.state === 'timing_out'
}

export function isBarrier(job: JobRecord): boolean {
  return job.type === 'waiter' || job.type === 'manual'
}

/** The command step of a job; undefined for other types, and for jobs of a seed without step. */
export function commandOf({ step }: JobRecord): CommandStep | undefined {
  return step !== undefined && 'command' in step ? step : undefined
}

/** True for the latest execution of a step. Earlier ones are kept with `retried: true`. */
export function isLatest(job: JobRecord): boolean {
  return !job.retried
}

/**
 * True if a job fails its build. A barrier never does: it could not be retried after it was
 * canceled with its build.
 */
export function isHardFailure(job: JobRecord): boolean {
  return (
    isLatest(job) &&
    !isBarrier(job) &&
    ((job.state === 'failed' && !job.soft_failed) ||
      job.state === 'timed_out' ||
      job.state === 'expired' ||
      job.state === 'canceled')
  )
}

export const runFields = {
  agent: null,
  soft_failed: false,
  exit_status: null,
  signal: null,
  signal_reason: null,
  runnable_at: null,
  started_at: null,
  finished_at: null,
  retried: false,
  retried_in_job_id: null,
  retries_count: null,
  retry_source: null,
  retry_type: null,
  log: null,
} as const satisfies Partial<JobRecord>

export const blankJob = {
  ...runFields,
  name: null,
  step_key: null,
  command: '',
  artifact_paths: '',
  agent_query_rules: [],
  priority: 0,
  queueId: null,
  parallel_group_index: null,
  parallel_group_total: null,
  matrix: null,
  signature: null,
} as const satisfies Partial<JobRecord>

const wholeJob: JobRecord = {
  ...blankJob,
  id: '',
  type: 'script',
  state: 'pending',
  stepId: '',
  created_at: '',
  scheduled_at: '',
}

/**
 * A new job. It has all fixed keys from the start, because changing a key of a copy is many times
 * faster than adding one.
 */
export function newJob(
  own: Pick<JobRecord, 'id' | 'type' | 'stepId' | 'created_at' | 'scheduled_at'>,
): JobRecord {
  return {
    ...wholeJob,
    ...own,
  }
}
