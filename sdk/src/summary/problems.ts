import { parseTimestamp } from '../base/timestamp.js'
import type { Build, Job } from '../contract/schemas.gen.js'
import { isPendingJob } from '../resources/build-outcome.js'
import { failureOf, isNotRun, type JobFailure, triggeredBuild } from './causes.js'
import type { Problem, ProblemAttempt } from './failure-summary.js'
import { numberOf, textOf, textsOf } from './text.js'

/** A problem without its log, and the record of its job. */
export interface JobProblem {
  readonly job: Job
  readonly problem: Omit<Problem, 'location' | 'origin' | 'log' | 'log_absent'>
}

/** At most this many executions of a job are reported; the newest are kept. */
const mostAttempts = 10
/** At most this many states are counted separately; there are twenty. */
const mostStates = 24

/**
 * The problems of a build: hard failures, then those that run again, then soft ones, then canceled
 * jobs; each by time. `only` is a job without which nothing counts; it may have been retried.
 */
export function problemsOf(build: Build, only?: Job): JobProblem[] {
  const jobs = build.jobs ?? []
  const previous = previousAttempts(jobs)
  const found: JobProblem[] = []
  for (const job of only === undefined ? jobs.filter(counts) : [only]) {
    const again = isPendingJob(job) ? previous.get(job.id) : undefined
    const failure = failureOf(job, build)
    if (failure !== null) {
      found.push({ job, problem: describe(job, failure, attemptsOf(job, previous)) })
    } else if (again !== undefined) {
      const earlier = failureOf(again, build)
      if (earlier === null) continue
      const problem = describe(again, earlier, attemptsOf(job, previous))
      found.push({ job: again, problem: { ...problem, runs_again: true } })
    }
  }
  return found.sort(
    (one, other) =>
      rank(one.problem) - rank(other.problem) || failedAt(one.job) - failedAt(other.job),
  )
}

/** The names of the jobs that did not run, because something before them failed. */
export function notRunOf(build: Build): string[] {
  const jobs = (build.jobs ?? []).filter((job) => counts(job) && isNotRun(job, build))
  return jobs.map(titleOf)
}

export function jobOf(build: Build, id: string): Job | undefined {
  return (build.jobs ?? []).find((job) => job.id === id.toLowerCase())
}

/** True if this job failed itself and that failure fails the build. */
export function isHard({ problem }: JobProblem): boolean {
  return rank(problem) === 0
}

/** How many jobs are in which state. */
export function countJobs(build: Build): Record<string, number> {
  const states = new Map<string, number>()
  for (const job of (build.jobs ?? []).filter(counts)) {
    const isSoft = job.state === 'failed' && job.soft_failed === true
    const name = isSoft ? 'soft_failed' : (textOf(job.state) ?? 'unknown')
    const mayBeNew = states.size < mostStates && /^[a-z_]{1,24}$/.test(name)
    const state = states.has(name) || mayBeNew ? name : 'other'
    states.set(state, (states.get(state) ?? 0) + 1)
  }
  return Object.fromEntries(states)
}

/** Whether a person would count the job: not a waiter, not replaced by a retry. */
function counts(job: Job): boolean {
  return job.type !== 'waiter' && job.retried !== true
}

function rank({ cause, soft, runs_again }: Pick<Problem, 'cause' | 'soft' | 'runs_again'>): number {
  if (cause === 'canceled') return 3
  if (soft) return 2
  return runs_again ? 1 : 0
}

/** When a job's failure was known, epoch ms; a job without any time comes last. */
function failedAt(job: Job): number {
  for (const time of [
    job.promised_exit_status_at,
    job.finished_at,
    job.expired_at,
    job.started_at,
  ]) {
    const at = parseTimestamp(time)
    if (at !== null) return at
  }
  return Number.MAX_SAFE_INTEGER
}

function describe(
  job: Job,
  failure: JobFailure,
  attempts: ProblemAttempt[],
): JobProblem['problem'] {
  return {
    id: job.id,
    name: titleOf(job),
    type: job.type,
    state: textOf(job.state),
    ...failure,
    runs_again: false,
    ...textsOf(job, 'step_key', 'group_key'),
    parallel_group_index: numberOf(job.parallel_group_index),
    parallel_group_total: numberOf(job.parallel_group_total),
    matrix: matrixOf(job.matrix),
    command: textOf(job.command),
    exit_status: numberOf(job.exit_status),
    ...textsOf(job, 'signal', 'signal_reason'),
    agent: textOf(job.agent?.name),
    ...textsOf(job, 'started_at', 'finished_at', 'web_url'),
    triggered_build: triggeredBuild(job),
    attempts,
  }
}

/** The name that tells a job from its parallel jobs and from the others of its matrix. */
export function titleOf(job: Job): string {
  const name = textOf(job.name) ?? textOf(job.label) ?? textOf(job.step_key) ?? job.type
  const index = numberOf(job.parallel_group_index)
  const total = numberOf(job.parallel_group_total)
  const isParallel = index !== null && total !== null && total > 1
  const number = isParallel ? `${index + 1}/${total}` : ''
  const values = Object.values(matrixOf(job.matrix) ?? {})
  const unnamed = values.filter((value) => value !== '' && !name.includes(value)).slice(0, 5)
  return [
    name,
    ...(number === '' || name.includes(number) ? [] : [number]),
    ...(unnamed.length === 0 ? [] : [`(${unnamed.join(', ')})`]),
  ].join(' ')
}

function matrixOf(matrix: unknown): Record<string, string> | null {
  if (typeof matrix !== 'object' || matrix === null) return null
  const plain = Object.entries(matrix).filter(([, value]) =>
    /^(?:string|number|boolean)$/.test(typeof value),
  )
  return Object.fromEntries(plain.slice(0, 20).map(([key, value]) => [key, String(value)]))
}

/** The chain of retries that ends in this job, oldest first. */
function attemptsOf(job: Job, previous: ReadonlyMap<string, Job>): ProblemAttempt[] {
  const chain = new Set([job])
  for (let earlier = previous.get(job.id); earlier !== undefined && !chain.has(earlier); ) {
    if (chain.size >= mostAttempts) break
    chain.add(earlier)
    earlier = previous.get(earlier.id)
  }
  return [...chain].reverse().map(({ id, state, exit_status }) => ({
    id,
    state: textOf(state),
    exit_status: numberOf(exit_status),
  }))
}

/** The job that each job retries, by the id of the later one. Either record may name the other. */
export function previousAttempts(jobs: readonly Job[]): ReadonlyMap<string, Job> {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const previous = new Map<string, Job>()
  for (const job of jobs) {
    const source = byId.get(job.retry_source?.job_id ?? '')
    if (source !== undefined) previous.set(job.id, source)
    if (typeof job.retried_in_job_id === 'string') previous.set(job.retried_in_job_id, job)
  }
  return previous
}
