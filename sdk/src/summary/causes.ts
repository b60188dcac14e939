import type { Build, Job } from '../contract/schemas.gen.js'
import type { Problem, ProblemCause } from './failure-summary.js'
import { textOf } from './text.js'

/** What a job's record says of its failure. */
export type Failure = Pick<Problem, 'cause' | 'sentence' | 'soft'>

const BY_AGENT = new Map([
  ['agent_stop', 'The agent was stopped while the job ran'],
  ['process_run_error', 'The agent could not start the command'],
  ['agent_refused', 'The agent refused the job'],
  ['signature_rejected', 'The agent rejected the signature of the step'],
  ['stack_error', 'The machine for the job could not be made'],
  ['agent_incompatible', 'The agent is too old or too new for this job'],
])

/** Why a job counts as a problem of its build, or null when it is none. */
export function failureOf(job: Job, build: Pick<Build, 'state'>): Failure | null {
  const found = (cause: ProblemCause, sentence: string): Failure => ({
    cause,
    sentence,
    soft: job.soft_failed === true,
  })
  switch (job.state) {
    case 'failed':
      return job.type === 'trigger' ? triggered(job, found) : ended(job, found)
    case 'timed_out':
    case 'timing_out':
      return found('timed_out', 'It ran longer than its time limit')
    case 'expired':
      return found('expired', `No agent took it in time${wanted(job)}`)
    case 'canceled':
    case 'canceling':
      // Jobs that were canceled with their build before they began say nothing about it.
      if (isCanceled(build.state) && !ran(job)) return null
      return found('canceled', `It was canceled ${ran(job) ? 'while it ran' : 'before it started'}`)
    case 'broken':
    case 'waiting_failed':
    case 'blocked_failed':
    case 'unblocked_failed':
      // In a build that passed, its own conditions left it out.
      return build.state === 'passed'
        ? null
        : found('broken', 'It did not run, because something before it failed')
    case 'skipped':
    case 'passed':
      return null
    default:
      return unfinished(job, found)
  }
}

/** Whether an agent ever ran it, as far as the record tells. */
export function ran(job: Job): boolean {
  return (
    Boolean(job.started_at) ||
    [job.exit_status, job.promised_exit_status].some((status) => typeof status === 'number')
  )
}

type Found = (cause: ProblemCause, sentence: string) => Failure

function ended(job: Job, found: Found): Failure {
  const { exit_status } = job
  const reason = textOf(job.signal_reason)
  const signal = textOf(job.signal)
  if (reason === 'cancel') return found('canceled', 'It was canceled while it ran')
  if (reason !== null)
    return found('agent', BY_AGENT.get(reason) ?? `The agent ended it: ${reason}`)
  if (signal !== null) return found('signal', `Its process was ended by ${signal}`)
  if (exit_status === -1)
    return found('agent', 'The agent was lost before it reported an exit status')
  if (typeof exit_status === 'number')
    return found('exit', `Its command exited with status ${exit_status}`)
  return found('unknown', 'It failed, and the service does not say how')
}

function triggered(job: Job, found: Found): Failure {
  const { number, url } = job.triggered_build ?? {}
  if (typeof number !== 'number') return found('trigger', 'It could not start its build')
  const [, org, pipeline] =
    /\/organizations\/([\w.-]+)\/pipelines\/([\w.-]+)\/builds\//.exec(textOf(url) ?? '') ?? []
  const name = org === undefined ? String(number) : `${org}/${pipeline}#${number}`
  return found('trigger', `The build that it started, ${name}, did not pass`)
}

/**
 * A job that still runs may have announced its failure; one in a state that nobody knows may carry
 * an exit status.
 */
function unfinished(job: Job, found: Found): Failure | null {
  const { exit_status, promised_exit_status: promised } = job
  if (job.finished_at && typeof exit_status === 'number' && exit_status !== 0)
    return ended(job, found)
  if (typeof promised !== 'number' || promised === 0) return null
  return found(
    'promised',
    `It still runs and has announced that it will exit with status ${promised}`,
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
