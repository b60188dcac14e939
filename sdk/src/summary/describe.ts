import type { Build, BuildPath } from '../contract/schemas.gen.js'
import { buildOutcome } from '../resources/build-outcome.js'
import type { SummaryBuild } from './failure-summary.js'
import { isHard, type JobProblem } from './problems.js'
import { textOf, textsOf } from './text.js'

export function describeBuild(build: Build, { org_slug, pipeline_slug }: BuildPath): SummaryBuild {
  const { creator, author } = build
  const attributed =
    textOf(author) ??
    (typeof author === 'object' ? (textOf(author?.name) ?? textOf(author?.email)) : null)
  return {
    id: build.id,
    org_slug,
    pipeline_slug,
    number: build.number,
    state: build.state,
    blocked: build.blocked === true,
    ...textsOf(build, 'branch', 'commit', 'message'),
    creator: textOf(creator?.name) ?? textOf(creator?.email) ?? attributed,
    ...textsOf(build, 'source', 'cancel_reason'),
    ...textsOf(build, 'created_at', 'started_at', 'failing_at', 'finished_at', 'web_url'),
  }
}

/** The outcome of the build in one word; a running build that will fail is `failing`. */
export function outcomeOf(build: Build, problems: readonly JobProblem[]): string {
  const outcome = buildOutcome(build, { until: 'failing' })
  if (outcome !== null) return outcome
  return problems.some(isHard) ? 'failing' : build.state
}

const OUTCOME_WORDS = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['failing', 'is failing'],
  ['canceled', 'was canceled'],
  ['blocked', 'waits for a person'],
  ['skipped', 'was skipped'],
  ['not_run', 'was not run'],
])

/** The answer in one sentence. */
export function headline(build: Build, outcome: string, problems: readonly JobProblem[]): string {
  const [first] = problems
  const why = textOf(build.cancel_reason)
  const words = OUTCOME_WORDS.get(outcome) ?? `is ${outcome}`
  const reason = why === null ? '' : ` (${why})`
  const start = `Build ${build.number} ${words}${reason}`
  if (first === undefined) return `${start}${silence(build, outcome)}.`
  const others = problems.filter(isHard).length - (isHard(first) ? 1 : 0)
  const more = others > 0 ? `; ${others} more ${others === 1 ? 'job' : 'jobs'} failed` : ''
  const { name, sentence } = first.problem
  return `${start}: ${name}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}${more}.`
}

/** The end of the headline of a failure without a failed job. */
function silence(build: Build, outcome: string): string {
  if (outcome !== 'failed' && outcome !== 'failing') return ''
  return build.jobs ? ', and none of its jobs says why' : ', and the service does not list its jobs'
}
