import type { Build, Job } from '../contract/schemas.gen.js'

/** How a wait for a build ends. */
export type WaitOutcome = FinalState | 'blocked' | 'failing' | 'started' | 'unknown' | 'timeout'

/** What a wait waits for. */
export interface OutcomeOptions {
  /**
   * `failing` also ends at the first failure that nothing retries, `started` also at the first job
   * that an agent takes. @default 'finished'
   */
  until?: 'finished' | 'failing' | 'started' | undefined
  /** Whether a build that waits for a person ends the wait. @default 'stop' */
  onBlocked?: 'stop' | 'wait' | undefined
  /**
   * How many answers in a row, this one included, had an unfamiliar state and a `finished_at`. At
   * three the outcome is `unknown`, so that a state which this package does not know does not make
   * a wait endless.
   */
  unfamiliarAndFinished?: number | undefined
}

type FinalState = 'passed' | 'failed' | 'canceled' | 'skipped' | 'not_run'

const progressing = new Set(['creating', 'scheduled', 'running', 'failing', 'canceling'])

/**
 * Decides from one answer whether the wait is over, and how; null means that it goes on. The order
 * matters: a build that is blocked still says `passed`, and `failing_at` is never cleared. A job
 * that will still move says that a final state is one from before a retry; a job that promised to
 * fail makes a build fail.
 *
 * @example
 * ```ts
 * const outcome = buildOutcome(build, { until: 'failing', onBlocked: 'wait' })
 * if (outcome === null) console.log('still going')
 * ```
 */
export function buildOutcome(
  build: Pick<Build, 'state'> &
    Partial<Pick<Build, 'blocked' | 'failing_at' | 'started_at' | 'jobs'>>,
  options: OutcomeOptions = {},
): WaitOutcome | null {
  const { state } = build
  const { until = 'finished', onBlocked = 'stop' } = options
  const moves = build.jobs?.some(isPendingJob) === true
  if (isOneOf(state, ['canceled', 'skipped', 'not_run'])) return moves ? null : state
  if (build.blocked === true || state === 'blocked') return onBlocked === 'stop' ? 'blocked' : null
  const promised =
    until === 'failing' && state !== 'passed' && promisedFailure(build.jobs) !== undefined
  if (isOneOf(state, ['passed', 'failed'])) {
    if (!moves) return state
    return promised ? 'failing' : null
  }
  if (until === 'failing' && (promised || isSet(build.failing_at) || state === 'failing'))
    return 'failing'
  if (
    until === 'started' &&
    (isSet(build.started_at) || state === 'running' || state === 'failing')
  )
    return 'started'
  return !progressing.has(state) && (options.unfamiliarAndFinished ?? 0) >= 3 ? 'unknown' : null
}

/**
 * Whether this package does not know how the state ends: `waiting`, `waiting_failed` and words that
 * are new. Count such answers that also have a `finished_at`:
 * `unfamiliarAndFinished` of {@link OutcomeOptions}.
 *
 * @example
 * ```ts
 * const odd = isUnfamiliarState(build.state) && Boolean(build.finished_at)
 * ```
 */
export function isUnfamiliarState(state: string): boolean {
  return (
    !progressing.has(state) &&
    !isOneOf(state, ['passed', 'failed', 'canceled', 'skipped', 'not_run', 'blocked'])
  )
}

/** Jobs in these states will still move. */
const pendingJob = new Set([
  'pending',
  'waiting',
  'scheduled',
  'limited',
  'assigned',
  'accepted',
  'running',
  'timing_out',
  'canceling',
])

/** True if the job will still change its state without a person. */
export function isPendingJob({ state }: Job): boolean {
  return pendingJob.has(state ?? '')
}

/**
 * The job that said it will fail, and whose failure counts; one that passed after all does not.
 *
 * @example
 * ```ts
 * const culprit = promisedFailure(build.jobs)?.name
 * ```
 */
export function promisedFailure(jobs: readonly Job[] | undefined): Job | undefined {
  return jobs?.find(
    (job) =>
      typeof job.promised_exit_status === 'number' &&
      job.soft_failed !== true &&
      job.retried !== true &&
      job.state !== 'passed',
  )
}

function isOneOf<T extends FinalState | 'blocked'>(
  state: string,
  states: readonly T[],
): state is T {
  return (states as readonly string[]).includes(state)
}

function isSet(time: string | null | undefined): boolean {
  return time !== null && time !== undefined && time !== ''
}

const BY_AGENT = new Map([
  ['cancel', 'canceled while it ran'],
  ['agent_stop', 'the agent was stopped while the job ran'],
  ['process_run_error', 'the agent could not start the command'],
  ['agent_refused', 'the agent refused the job'],
  ['signature_rejected', 'the agent rejected the signature of the step'],
  ['stack_error', 'the machine for the job could not be made'],
  ['agent_incompatible', 'the agent is too old or too new for this job'],
])

/**
 * What a job's `signal_reason` says, as the second part of a sentence.
 *
 * @example
 * signalReasonWords('agent_stop') // 'the agent was stopped while the job ran'
 */
export function signalReasonWords(reason: string): string {
  return BY_AGENT.get(reason) ?? `the agent ended it: ${reason}`
}
