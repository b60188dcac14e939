import { parseTimestamp } from '../base/timestamp.js'
import type { Build, Job } from '../contract/schemas.gen.js'
import { type Failure, failureOf } from './causes.js'
import type { Problem, ProblemAttempt } from './failure-summary.js'
import { numberOf, textOf, textsOf } from './text.js'

/** A problem whose log has not been looked for yet, and the record it was made from. */
export interface FoundProblem {
  readonly job: Job
  readonly problem: Omit<Problem, 'log' | 'log_absent'>
}

/** So many executions of a job are told, the last ones. */
const mostAttempts = 10
/** So many states are told apart when jobs are counted; there are twenty. */
const mostStates = 24

/**
 * The problems of a build: first what failed first, hard before soft, and what only followed from
 * others last.
 */
export function problemsOf(build: Build): FoundProblem[] {
  const jobs = build.jobs ?? []
  const previous = retries(jobs)
  const found: FoundProblem[] = []
  for (const job of jobs.filter(counts)) {
    const failure = failureOf(job, build)
    if (failure !== null) found.push({ job, problem: describe(job, failure, previous) })
  }
  return found.sort(
    (one, other) =>
      rank(one.problem) - rank(other.problem) || failedAt(one.job) - failedAt(other.job),
  )
}

/** A failure of its own that the build does not pass with. */
export function isHard({ problem }: FoundProblem): boolean {
  return rank(problem) === 0
}

/** How many jobs are in which state. */
export function countJobs(build: Build): Record<string, number> {
  const states = new Map<string, number>()
  for (const job of (build.jobs ?? []).filter(counts)) {
    const told =
      job.state === 'failed' && job.soft_failed === true
        ? 'soft_failed'
        : (textOf(job.state) ?? 'unknown')
    const known = states.has(told) || (states.size < mostStates && /^[a-z_]{1,24}$/.test(told))
    const state = known ? told : 'other'
    states.set(state, (states.get(state) ?? 0) + 1)
  }
  return Object.fromEntries(states)
}

/** What a person counts: no waiters, no executions that a retry replaced. */
function counts(job: Job): boolean {
  return job.type !== 'waiter' && job.retried !== true
}

function rank({ cause, soft }: Pick<Problem, 'cause' | 'soft'>): number {
  if (cause === 'broken' || cause === 'canceled') return 2
  return soft ? 1 : 0
}

/**
 * When a job's failure was known, epoch ms; a job that says nothing stands behind those that do.
 */
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
  failure: Failure,
  previous: ReadonlyMap<string, Job>,
): FoundProblem['problem'] {
  const started = job.triggered_build?.number
  return {
    id: job.id,
    name: textOf(job.name) ?? textOf(job.label) ?? textOf(job.step_key) ?? job.type,
    type: job.type,
    state: textOf(job.state),
    ...failure,
    ...textsOf(job, 'step_key', 'group_key'),
    parallel_group_index: numberOf(job.parallel_group_index),
    parallel_group_total: numberOf(job.parallel_group_total),
    matrix: matrixOf(job.matrix),
    command: textOf(job.command),
    exit_status: numberOf(job.exit_status),
    ...textsOf(job, 'signal', 'signal_reason'),
    agent: textOf(job.agent?.name),
    ...textsOf(job, 'started_at', 'finished_at', 'web_url'),
    triggered_build:
      typeof started === 'number'
        ? { number: started, web_url: textOf(job.triggered_build?.web_url) }
        : null,
    attempts: attemptsOf(job, previous),
  }
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

/** Which job each job retries, by the id of the later one: either of the two may say so. */
function retries(jobs: readonly Job[]): ReadonlyMap<string, Job> {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const previous = new Map<string, Job>()
  for (const job of jobs) {
    const source = byId.get(job.retry_source?.job_id ?? '')
    if (source !== undefined) previous.set(job.id, source)
    if (typeof job.retried_in_job_id === 'string') previous.set(job.retried_in_job_id, job)
  }
  return previous
}
