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
