import type { Build, Job } from '../contract/schemas.gen.js'
import { isKill, isNotRun } from './causes.js'
import type { Problem, SummaryAnnotation } from './failure-summary.js'
import { cutAround } from './log-lines.js'
import type { LogFound } from './problem-log.js'
import { isHard, type JobProblem, problemsOf, titleOf } from './problems.js'
import { LONGEST_REASON, lineThatTells } from './telling-line.js'
import { textOf } from './text.js'

const OUTCOME_WORDS = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['failing', 'is failing'],
  ['canceled', 'was canceled'],
  ['blocked', 'waits for a person'],
  ['skipped', 'was skipped'],
  ['not_run', 'was not run'],
])

/** What a headline is made of. */
interface HeadlineSource {
  readonly build: Build
  /** The only job that the headline is about; null for the whole build. */
  readonly only: Job | null
  readonly outcome: string
  /** In their order of importance. */
  readonly problems: readonly JobProblem[]
  /** Names of jobs. */
  readonly notRun: readonly string[]
  /** The log of the first problem. */
  readonly firstLog: LogFound | undefined
  readonly annotations: readonly SummaryAnnotation[]
}

/** The answer in one sentence: for a failure its reason, else the outcome first. */
export function headline(source: HeadlineSource): string {
  const { build, only, outcome, problems } = source
  const [first] = problems
  if (only !== null && first === undefined) return stateText(only, build)
  const hard = problems.filter(isHard).length
  const hasNone = first === undefined || first.problem.cause === 'canceled'
  const failure = hasNone ? '' : failureText(first.problem, reasonOf(first.problem, source))
  const others = hard - (first !== undefined && isHard(first) ? 1 : 0)
  const more = others > 0 ? `; ${others} more ${others === 1 ? 'job' : 'jobs'} failed` : ''
  const isFailure = outcome === 'failed' || outcome === 'failing'
  if (failure !== '' && (isFailure || only !== null)) return failure + more
  if (only !== null && first !== undefined) return canceledText(first.problem)

  const reason = textOf(build.cancel_reason)
  const words = OUTCOME_WORDS.get(outcome) ?? `is ${outcome}`
  const start = `Build ${build.number} ${words}${reason === null ? '' : ` (${reason})`}`
  if (failure !== '') return `${start}; ${failure}${more}`
  if (outcome === 'blocked') return start + gatesText(build)
  return start + (consequenceText(source) ?? silence(build, outcome))
}

/** What became of a job that is not a problem. */
function stateText(job: Job, build: Build): string {
  const state = textOf(job.state) ?? 'unknown'
  const words = OUTCOME_WORDS.get(state) ?? `is ${state}`
  return isNotRun(job, build) ? notRunText(titleOf(job)) : `${titleOf(job)} ${words}`
}

function notRunText(name: string): string {
  return `${name}: it did not run, because something before it failed`
}

function canceledText({ name, sentence }: JobProblem['problem']): string {
  return `${name}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

/** `Unit tests 3/8 failed: expected 3, got 4` */
function failureText(problem: JobProblem['problem'], reason: string): string {
  const { name, cause, soft, runs_again, attempts, id } = problem
  if (cause === 'promised') return `${name} will fail: ${reason}`
  const attempt = attempts.findIndex((each) => each.id === id) + 1
  if (runs_again) return `${name} failed (attempt ${attempt}) and runs again: ${reason}`
  return `${name} failed${soft ? ', which does not fail the build' : ''}: ${reason}`
}

function reasonOf(
  { id, cause, sentence, exit_status, triggered_build }: JobProblem['problem'],
  { build, only, problems, firstLog, annotations }: HeadlineSource,
): string {
  const inWords = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
  const child = triggered_build?.headline ?? null
  if (triggered_build && child !== null) return `${buildName(triggered_build)}: ${child}`
  const logTells = cause === 'exit' || cause === 'promised' || cause === 'unknown'
  if (!logTells || isKill(exit_status)) return inWords
  const hard = (only === null ? problems : problemsOf(build)).filter(isHard)
  const isOnly = hard.length === 1 && hard[0]?.job.id === id
  const note = annotations.find(({ style }) => style === 'error')
  const read = firstLog !== undefined && 'read' in firstLog ? firstLog.read : null
  const line = read === null ? null : lineThatTells(read)
  if (note !== undefined && (isOnly || line === null)) return firstStatement(note.text)
  return line ?? inWords
}

/** The first line of an annotation, and the one after it if the first only introduces that. */
function firstStatement(text: string): string {
  const [first = '', second = ''] = text.split('\n')
  const statement = first.endsWith(':') && second !== '' ? `${first} ${second}` : first
  return cutAround(statement, 0, LONGEST_REASON).text
}

function buildName(build: NonNullable<Problem['triggered_build']>): string {
  const { org_slug, pipeline_slug, number } = build
  return org_slug === null ? `build ${number}` : `${org_slug}/${pipeline_slug}#${number}`
}

/** At most so many steps that wait for a person are named. */
const MOST_GATES = 3

function gatesText({ jobs }: Build): string {
  const gates = (jobs ?? []).filter(({ type, state }) => type === 'manual' && state === 'blocked')
  const names = gates.flatMap((job) => textOf(job.name) ?? textOf(job.label) ?? [])
  return names.length === 0 ? '' : `: ${names.slice(0, MOST_GATES).join(', ')}`
}

/** The end of the headline of a build in which jobs were canceled or did not run. */
function consequenceText({ problems, notRun }: HeadlineSource): string | null {
  const canceled = problems.filter(({ problem }) => problem.cause === 'canceled')
  const [first] = canceled
  if (first === undefined) {
    return notRun[0] === undefined ? null : `: ${notRunText(notRun[0])}`
  }
  if (canceled.length > 1) return `; ${canceled.length} of its jobs were canceled`
  return `: ${canceledText(first.problem)}`
}

/** The end of the headline of a failure without a failed job. */
function silence(build: Build, outcome: string): string {
  if (outcome !== 'failed' && outcome !== 'failing') return ''
  return build.jobs ? ', and none of its jobs says why' : ', and the service does not list its jobs'
}
