import type {
  FailureSummary,
  Problem,
  ProblemOrigin,
  SummaryBefore,
  SummaryBuild,
} from './failure-summary.js'

type DescribedProblem = Omit<Problem, 'log' | 'log_absent'>

/** What a summary has when logs need its bytes more than ids, times and addresses do. */
export function thinBuild(build: SummaryBuild): SummaryBuild {
  const { id: _, creator: __, source: ___, ...rest } = build
  return { ...rest, created_at: null, started_at: null, failing_at: null }
}

/** The build with what identifies it. */
export function skeleton(build: SummaryBuild): SummaryBuild {
  const { id, org_slug, pipeline_slug, number, state, blocked } = build
  return id === undefined
    ? { org_slug, pipeline_slug, number, state, blocked }
    : { id, org_slug, pipeline_slug, number, state, blocked }
}

/** A problem without what only its own page needs. */
export function thinProblem(problem: DescribedProblem, isBare: boolean): DescribedProblem {
  const { id, name, state = null, cause, sentence, soft, attempts } = problem
  const origin = thinOrigin(problem.origin ?? null)
  const kept = { id, name, state, cause, sentence, soft, origin }
  const tries = attempts.length > 1 ? attempts.slice(isBare ? -1 : -3) : []
  if (isBare) return { ...kept, attempts: tries }
  const { type: _, agent, started_at, finished_at, web_url, ...rest } = problem
  return { ...rest, attempts: tries }
}

/** The verdict, its sentence and its counts. */
function thinOrigin(origin: ProblemOrigin | null): ProblemOrigin | null {
  if (origin === null) return null
  const { verdict, sentence, builds, logs } = origin
  return { verdict, sentence, builds, logs }
}

/** The builds before, by number. */
export function thinBefore(before: SummaryBefore | null): SummaryBefore | null {
  if (before === null) return null
  const { last_passed, first_failed } = before
  return {
    ...before,
    last_passed: last_passed === null ? null : { number: last_passed.number },
    first_failed: first_failed === null ? null : { number: first_failed.number },
  }
}

/** Properties whose null says something. */
const TELLING_NULLS = [
  'log',
  'log_absent',
  'before',
  'last_passed',
  'first_failed',
  'lines_left_out',
  'context',
]

/** A summary without the properties that are null and may be missing. */
export function withoutNulls(summary: FailureSummary): FailureSummary {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const present = Object.entries(value).filter(
      ([key, each]) => each !== null || TELLING_NULLS.includes(key),
    )
    return Object.fromEntries(present.map(([key, each]) => [key, walk(each)]))
  }
  return walk(summary) as FailureSummary
}
