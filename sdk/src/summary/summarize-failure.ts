import { checkedNames, must } from '../base/checked.js'
import type { CiClient } from '../client/client.js'
import type { Build, BuildPath, Job, Uuid } from '../contract/schemas.gen.js'
import { isCiError } from '../errors/errors.js'
import { type CallOptions, callNames } from '../http/client-options.js'
import { failuresBefore, notesOf, passedAfter } from './beside.js'
import { describeBuild, outcomeOf } from './describe.js'
import type { FailureSummary } from './failure-summary.js'
import { fit } from './fit.js'
import { headline } from './headline.js'
import { locationIn } from './location.js'
import { originOf } from './origin.js'
import { problemLog } from './problem-log.js'
import { countJobs, isHard, type JobProblem, jobOf, notRunOf, problemsOf } from './problems.js'

/** How large a summary may be. */
export interface SummaryOptions extends CallOptions {
  /**
   * Bytes that the summary takes at most as JSON in one line, UTF-8, 1 000 to 1 000 000. @default
   * 32768
   */
  maxBytes?: number | undefined
  /** Lines of each log at most, 1 to 1 000. @default 60 */
  logLines?: number | undefined
  /** Explains this job alone, which may be an earlier attempt. @default all jobs that failed */
  job_id?: Uuid | undefined
  /** How many problems are described with their logs, 1 to 10; the others are counted. @default 10 */
  problems?: number | undefined
  /**
   * False: earlier builds and their logs are not read to find out whether the first problem is new.
   * @default true
   */
  history?: boolean | undefined
}

/** So many problems are described at most. */
const mostProblems = 10
const atATime = 4
/** The reason of a failure is often far before the end, behind which hooks and clean-up write. */
const tailBytes = 262_144

/**
 * Why a build failed, in one small answer: what failed first with the lines of its log that matter,
 * what followed, and since when. It works on a build that still runs, and says so when nothing
 * failed. It sends at most four requests, one for each problem that it describes (10), and three for
 * each triggered build that failed (2, and 2 of each of those), 4 at a time; and one more for a log
 * whose end says nothing, of which it reads 64 MiB at most. Whether the first problem is new costs
 * four requests more at most: 20 earlier builds and 2 of their logs, 2 MB together.
 *
 * @returns Plain JSON within `maxBytes`.
 * @throws As `builds.get`; `config` for a size out of range, or a `job_id` that the build
 * does not have. A log or a list that cannot be had
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
  checkedNames('options', options, {
    ...callNames,
    maxBytes: true,
    logLines: true,
    job_id: true,
    problems: true,
    history: true,
  })
  const {
    maxBytes = 32_768,
    logLines = 60,
    job_id,
    problems: most = mostProblems,
    history = true,
    ...call
  } = options
  inRange('maxBytes', maxBytes, 1_000, 1_000_000)
  inRange('logLines', logLines, 1, 1_000)
  inRange('problems', most, 1, mostProblems)
  const path = { org_slug, pipeline_slug, number }
  const reader: Reader = { ci, call, pool: limited(atATime), bytes: Math.max(maxBytes, tailBytes) }
  const failed = await readFailure(reader, path, job_id)
  const { build, outcome, problems, notRun } = failed
  const fails = outcome === 'failed' || problems.some(isHard)
  const isCompared = fails || outcome === 'failing' || outcome === 'canceled'
  const runsAgain = history && problems[0]?.problem.runs_again === true
  const [evidence, earlier, later] = await Promise.all([
    readEvidence(reader, path, failed, { problems: most, triggered: 2 }),
    isCompared || runsAgain
      ? reader.pool(() => failuresBefore(ci, path, { build, fails }, call))
      : null,
    isCompared || runsAgain ? reader.pool(() => passedAfter(ci, path, build, call)) : null,
  ])
  const { described, logs, annotations } = evidence
  const [problem] = described
  const question = { build, problem, log: logs[0], before: earlier, passed_after: later }
  const mayBeOld = history && (isCompared || runsAgain)
  const origin = mayBeOld ? await originOf(ci, path, question, call) : null
  const summary = {
    build: describeBuild(build, path),
    outcome,
    headline: evidence.headline,
    jobs: countJobs(build),
    problems: described.flatMap(({ problem }, at) => {
      const found = logs[at]
      if (found === undefined) return []
      const location = 'read' in found ? locationIn(found.read) : null
      return [{ ...problem, location, origin: at === 0 ? origin : null, found }]
    }),
    not_run: notRun,
    annotations: annotations ?? [],
    notesUnread: annotations === null,
    before: isCompared ? earlier : null,
    passed_after: isCompared ? later : null,
    others: problems.length - described.length,
    logLines,
  }
  return fit(summary, maxBytes)
}

/** How the requests of one summary are sent. */
interface Reader {
  readonly ci: CiClient
  readonly call: CallOptions
  readonly pool: ReturnType<typeof limited>
  /** Bytes of each log that are read. */
  readonly bytes: number
}

/** How many problems are described, and how many levels of triggered builds are read. */
interface EvidenceSize {
  readonly problems: number
  readonly triggered: number
}

/** A build and what its record says about its problems; with `job_id`, about those of this job. */
interface FailedBuild {
  readonly build: Build
  readonly only: Job | null
  readonly outcome: ReturnType<typeof outcomeOf>
  readonly problems: readonly JobProblem[]
  readonly notRun: ReturnType<typeof notRunOf>
}

async function readFailure(
  { ci, call, pool }: Reader,
  path: BuildPath,
  job_id?: Uuid,
): Promise<FailedBuild> {
  const build = await pool(() => ci.builds.get({ ...path, include_retried_jobs: true }, call))
  const all = problemsOf(build)
  const outcome = outcomeOf(build, all)
  const only = job_id === undefined ? null : jobOf(build, job_id)
  if (only === undefined) throw must('job_id', 'be the id of a job of the build')
  const problems = only === null ? all : problemsOf(build, only)
  return { build, only, outcome, problems, notRun: only === null ? notRunOf(build) : [] }
}

/** Reads the logs of the problems of a build and its annotations. */
async function readEvidence(
  reader: Reader,
  path: BuildPath,
  failed: FailedBuild,
  size: EvidenceSize,
) {
  const { ci, call, pool, bytes } = reader
  const { problems } = failed
  const first = problems.slice(0, size.problems)
  const [annotations, children, ...logs] = await Promise.all([
    pool(() => notesOf(ci, path, call)),
    triggeredHeadlines(reader, first, size.triggered),
    ...first.map(({ job }) => pool(() => problemLog(ci, path, job, { ...call, bytes }))),
  ])
  const described = first.map((each): JobProblem => {
    const { triggered_build } = each.problem
    const child = children.get(each)
    if (!triggered_build || child === undefined) return each
    return {
      ...each,
      problem: { ...each.problem, triggered_build: { ...triggered_build, headline: child } },
    }
  })
  const source = {
    ...failed,
    problems: [...described, ...problems.slice(size.problems)],
    firstLog: logs[0],
    annotations: annotations ?? [],
  }
  return { described, logs, annotations, headline: headline(source) }
}

/** At most this many triggered builds of one build are read. */
const mostTriggered = 2

/** The headlines of the builds that failed trigger jobs started; none for one that cannot be read. */
async function triggeredHeadlines(
  reader: Reader,
  problems: readonly JobProblem[],
  levels: number,
): Promise<ReadonlyMap<JobProblem, string>> {
  const headlines = new Map<JobProblem, string>()
  if (levels === 0) return headlines
  const started = problems.filter(({ problem }) => problem.triggered_build?.org_slug)
  await Promise.all(
    started.slice(0, mostTriggered).map(async (each) => {
      const { org_slug, pipeline_slug, number = 0 } = each.problem.triggered_build ?? {}
      if (!org_slug || !pipeline_slug) return
      const child = { org_slug, pipeline_slug, number }
      const size = { problems: 1, triggered: levels - 1 }
      try {
        const evidence = await readEvidence(reader, child, await readFailure(reader, child), size)
        headlines.set(each, evidence.headline)
      } catch (error) {
        // Without the triggered build the summary has only its number.
        if (!isCiError(error)) throw error
      }
    }),
  )
  return headlines
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
