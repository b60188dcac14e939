import type { Build, BuildPath } from '../contract/schemas.gen.js'
import { buildOutcome } from '../resources/build-outcome.js'
import type { SummaryBuild } from './failure-summary.js'
import { type FoundProblem, isHard } from './problems.js'
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

/** How the build stands, in one word; a build that runs and will fail is `failing`. */
export function outcomeOf(build: Build, found: readonly FoundProblem[]): string {
  const outcome = buildOutcome(build, { until: 'failing' })
  if (outcome !== null) return outcome
  return found.some(isHard) ? 'failing' : build.state
}

const STANDS = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['failing', 'is failing'],
  ['canceled', 'was canceled'],
  ['blocked', 'waits for a person'],
  ['skipped', 'was skipped'],
  ['not_run', 'was not run'],
])

/** The answer in one sentence. */
export function headline(build: Build, outcome: string, found: readonly FoundProblem[]): string {
  const [first] = found
  const why = textOf(build.cancel_reason)
  const stands = `Build ${build.number} ${STANDS.get(outcome) ?? `is ${outcome}`}${why === null ? '' : ` (${why})`}`
  if (first === undefined) return `${stands}${silence(build, outcome)}.`
  const others = found.filter(isHard).length - (isHard(first) ? 1 : 0)
  const more = others > 0 ? `; ${others} more ${others === 1 ? 'job' : 'jobs'} failed` : ''
  const { name, sentence } = first.problem
  return `${stands}: ${name}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}${more}.`
}

/** What to say of a failure without a failed job. */
function silence(build: Build, outcome: string): string {
  if (outcome !== 'failed' && outcome !== 'failing') return ''
  return build.jobs ? ', and none of its jobs says why' : ', and the service does not list its jobs'
}
