import { checkedNames, must } from '../base/checked.js'
import type { CiClient } from '../client/client.js'
import type { BuildPath } from '../contract/schemas.gen.js'
import { type CallOptions, callNames } from '../http/client-options.js'
import { failuresBefore, notesOf } from './beside.js'
import { describeBuild, headline, outcomeOf } from './describe.js'
import type { FailureSummary } from './failure-summary.js'
import { fit } from './fit.js'
import { problemLog } from './problem-log.js'
import { countJobs, isHard, problemsOf } from './problems.js'

/** How large a summary may be. */
export interface SummaryOptions extends CallOptions {
  /**
   * Bytes that the summary takes at most as JSON in one line, UTF-8, 1 000 to 1 000 000. @default
   * 32768
   */
  maxBytes?: number | undefined
  /** Lines of each log at most, 1 to 1 000. @default 60 */
  logLines?: number | undefined
}

/** So many problems are described; the others are counted. */
const mostProblems = 10
const atATime = 4
/** The reason of a failure is often far before the end, behind which hooks and clean-up write. */
const tailBytes = 262_144

/**
 * Why a build failed, in one small answer: what failed first with the lines of its log that matter,
 * what followed, and since when. It works on a build that still runs, and says so when nothing
 * failed. It sends at most three requests and one for each problem that it describes (10), 4 at a
 * time; and one more for a log whose end says nothing, of which it reads 64 MiB at most.
 *
 * @returns Plain JSON within `maxBytes`.
 * @throws As `builds.get`; `config` for a size out of range. A log or a list that cannot be had
 * does not throw: the summary says what is missing.
 * @example
 * ```ts
 * const summary = await summarizeFailure(ci, { org_slug: 'acme', pipeline_slug: 'web', number: 42 })
 * console.log(summary.headline, summary.problems[0]?.log?.lines.join('\n'))
 * ```
 */
export async function summarizeFailure(
  ci: CiClient,
  { org_slug, pipeline_slug, number }: BuildPath,
  options: SummaryOptions = {},
): Promise<FailureSummary> {
  checkedNames('options', options, { ...callNames, maxBytes: true, logLines: true })
  const { maxBytes = 32_768, logLines = 60, ...call } = options
  inRange('maxBytes', maxBytes, 1_000, 1_000_000)
  inRange('logLines', logLines, 1, 1_000)
  const path = { org_slug, pipeline_slug, number }
  const build = await ci.builds.get({ ...path, include_retried_jobs: true }, call)
  const all = problemsOf(build)
  const found = all.filter(({ problem }) => problem.cause !== 'broken')
  const notRun = all.filter(({ problem }) => problem.cause === 'broken')
  const described = found.slice(0, mostProblems)
  const outcome = outcomeOf(build, all)
  const pool = limited(atATime)
  const [annotations, before, ...logs] = await Promise.all([
    pool(() => notesOf(ci, path, call)),
    pool(() =>
      failuresBefore(ci, path, { build, fails: outcome === 'failed' || found.some(isHard) }, call),
    ),
    ...described.map(({ job }) =>
      pool(() => problemLog(ci, path, job, { ...call, bytes: Math.max(maxBytes, tailBytes) })),
    ),
  ])
  const summary = {
    build: describeBuild(build, path),
    outcome,
    headline: headline(build, outcome, all),
    jobs: countJobs(build),
    problems: described.flatMap(({ problem }, at) => {
      const log = logs[at]
      return log === undefined ? [] : [{ ...problem, found: log }]
    }),
    not_run: notRun.map(({ problem }) => problem.name),
    annotations: annotations ?? [],
    notesUnread: annotations === null,
    before,
    others: found.length - described.length,
    logLines,
  }
  return fit(summary, maxBytes)
}

function limited(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

function inRange(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw must(option, `be a whole number from ${least} to ${most}`)
}
