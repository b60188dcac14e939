import type { Build, Job } from '../contract/schemas.gen.js'
import { signalReasonWords } from '../resources/build-outcome.js'
import type { Problem, ProblemCause, SummaryTriggeredBuild } from './failure-summary.js'
import { textOf } from './text.js'

/** The failure of a job, as its record describes it. */
export type JobFailure = Pick<Problem, 'cause' | 'sentence' | 'soft'>

/** What shells and kernels mean by an exit status. */
const EXIT_WORDS = new Map([
  [124, 'a time limit was reached'],
  [126, 'the command cannot be executed'],
  [127, 'a command was not found'],
  [130, 'interrupted'],
  [134, 'aborted'],
  [137, 'killed, often out of memory'],
  [139, 'crashed: segmentation fault'],
  [143, 'terminated'],
])

/** An exit status with its meaning, if it has one. */
function exitWords(status: number): string {
  const words = EXIT_WORDS.get(status)
  return words === undefined ? `status ${status}` : `status ${status} (${words})`
}

/** True if the exit status alone tells more than a log, which ends where the process was ended. */
export function isKill(status: number | null | undefined): boolean {
  return status === 137 || status === 139
}

/** Why a job is a problem of its build; null when it is not. */
export function failureOf(job: Job, build: Pick<Build, 'state'>): JobFailure | null {
  const failure = (cause: ProblemCause, sentence: string): JobFailure => ({
    cause,
    sentence,
    soft: job.soft_failed === true,
  })
  switch (job.state) {
    case 'failed':
      return job.type === 'trigger' ? triggered(job, failure) : ended(job, failure)
    case 'timed_out':
    case 'timing_out':
      return failure('timed_out', 'It ran longer than its time limit')
    case 'expired':
      return failure('expired', `No agent took it in time${wanted(job)}`)
    case 'canceled':
    case 'canceling':
      // A job that was canceled with its build before it started is not a problem.
      if (isCanceled(build.state) && !ran(job)) return null
      return failure(
        'canceled',
        `It was canceled ${ran(job) ? 'while it ran' : 'before it started'}`,
      )
    case 'broken':
    case 'waiting_failed':
    case 'blocked_failed':
    case 'unblocked_failed':
    case 'skipped':
    case 'passed':
      return null
    default:
      return unfinished(job, failure)
  }
}

const NOT_RUN = ['broken', 'waiting_failed', 'blocked_failed', 'unblocked_failed']

/** True if the job did not run, because something before it failed. */
export function isNotRun({ state = '' }: Job, build: Pick<Build, 'state'>): boolean {
  // In a build that passed, the job's own conditions left it out.
  return NOT_RUN.includes(state) && build.state !== 'passed'
}

/** Whether the record says that an agent ran the job. */
export function ran(job: Job): boolean {
  return (
    Boolean(job.started_at) ||
    [job.exit_status, job.promised_exit_status].some((status) => typeof status === 'number')
  )
}

type MakeFailure = (cause: ProblemCause, sentence: string) => JobFailure

function ended(job: Job, failure: MakeFailure): JobFailure {
  const { exit_status } = job
  const reason = textOf(job.signal_reason)
  const signal = textOf(job.signal)
  if (reason === 'cancel') return failure('canceled', 'It was canceled while it ran')
  if (reason !== null) {
    const words = signalReasonWords(reason)
    return failure('agent', words.charAt(0).toUpperCase() + words.slice(1))
  }
  if (signal !== null) return failure('signal', `Its process was ended by ${signal}`)
  if (exit_status === -1)
    return failure('agent', 'The agent was lost before it reported an exit status')
  if (typeof exit_status === 'number')
    return failure('exit', `Its command exited with ${exitWords(exit_status)}`)
  return failure('unknown', 'It failed, and the service does not say how')
}

function triggered(job: Job, failure: MakeFailure): JobFailure {
  const started = triggeredBuild(job)
  if (started === null) return failure('trigger', 'It could not start its build')
  const { org_slug, pipeline_slug, number } = started
  const name = org_slug === null ? String(number) : `${org_slug}/${pipeline_slug}#${number}`
  return failure('trigger', `The build that it started, ${name}, did not pass`)
}

/** The build that a trigger job started, or null. */
export function triggeredBuild(job: Job): SummaryTriggeredBuild | null {
  const { number, url, web_url } = job.triggered_build ?? {}
  if (typeof number !== 'number') return null
  const [, org_slug = null, pipeline_slug = null] = TRIGGERED_URL.exec(textOf(url) ?? '') ?? []
  return { org_slug, pipeline_slug, number, web_url: textOf(web_url), headline: null }
}

// Bound: a URL in the record of a job, at most as long as a response.
const TRIGGERED_URL =
  /\/organizations\/([A-Za-z0-9][\w.-]*)\/pipelines\/([A-Za-z0-9][\w.-]*)\/builds\//u

/**
 * The failure of a job that still runs and has announced it, or of a job in an unknown state with an
 * exit status.
 */
function unfinished(job: Job, failure: MakeFailure): JobFailure | null {
  const { exit_status, promised_exit_status: promised } = job
  if (job.finished_at && typeof exit_status === 'number' && exit_status !== 0)
    return ended(job, failure)
  if (typeof promised !== 'number' || promised === 0) return null
  return failure(
    'promised',
    `It still runs and has announced that it will exit with ${exitWords(promised)}`,
  )
}

function isCanceled(state: string): boolean {
  return state === 'canceled' || state === 'canceling'
}

function wanted({ agent_query_rules: rules }: Job): string {
  const named = Array.isArray(rules)
    ? rules.filter((rule) => textOf(rule) !== null).slice(0, 10)
    : []
  return named.length === 0 ? '' : ` (it asks for ${named.join(', ')})`
}
