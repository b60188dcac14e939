import type { CiClient } from '../client/client.js'
import type { Build, BuildPath } from '../contract/schemas.gen.js'
import { isCiError } from '../errors/errors.js'
import type { CallOptions } from '../http/client-options.js'
import { buildRef } from './beside.js'
import type { ProblemOrigin, SummaryBefore, SummaryBuildRef } from './failure-summary.js'
import { isOwnFailure, type JobRun, runsOf } from './job-runs.js'
import { LogComparison } from './log-comparison.js'
import type { LogFound } from './problem-log.js'
import type { JobProblem } from './problems.js'
import { byteLength, textOf } from './text.js'

/** At most this many earlier builds are compared, half of them of the default branch. */
const mostBuilds = 20
/** At most so many requests are sent. */
const mostRequests = 4
/** The lists of builds have at most so many bytes together; two logs take another 512 KiB. */
const listBytes = 1_400_000

/** The build with the problem, and what a summary knows of its branch. */
interface OriginQuestion {
  readonly build: Build
  /** Undefined if the build has none. */
  readonly problem: JobProblem | undefined
  readonly log: LogFound | undefined
  readonly before: SummaryBefore | null
  readonly passed_after: SummaryBuildRef | null
}

/**
 * Finds out whether a problem is new, with four requests at most: a later build of the same commit
 * if there is one, two lists of builds, and two logs if the later build was not read.
 *
 * @returns Null without evidence.
 */
export async function originOf(
  ci: CiClient,
  path: BuildPath,
  question: OriginQuestion,
  call: CallOptions,
): Promise<ProblemOrigin | null> {
  const { build, problem, log, before, passed_after } = question
  if (problem === undefined || !isOwnFailure(problem.problem.cause)) return null
  const hasLater = isSameCommit(passed_after?.commit, build.commit)
  const later = hasLater ? await passedAgain(ci, path, { problem, passed_after }, call) : null
  if (later !== null) return later

  const branch = textOf(build.branch)
  const main = textOf(build.pipeline?.default_branch)
  const isFirst = before?.searched === 0
  const wanted = [...(isFirst ? [] : [branch]), ...(main === branch ? [] : [main])]
  const branches = wanted.filter((name) => name !== null)
  const lists = await Promise.all(
    branches.map((name) =>
      buildsBefore(ci, path, { build, branch: name, lists: branches.length }, call),
    ),
  )
  const runsOn = (name: string | null) => {
    const at = branches.indexOf(name ?? '')
    const list = lists[at]
    // A list that was not asked for is empty; one that could not be read is not known.
    return at === -1 ? [] : list === null || list === undefined ? null : runsOf(problem.job, list)
  }
  const own = runsOn(branch)
  const others = main === branch ? [] : runsOn(main)
  const builds = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0)
  const runs = [...(own ?? []), ...(others ?? [])]

  const same = runs.find(({ build: { commit }, outcome }) => {
    return outcome === 'passed' && isSameCommit(commit, build.commit)
  })
  if (same !== undefined) return sameCommit(same.build, builds)

  const mostLogs = Math.min(2, mostRequests - branches.length - (hasLater ? 1 : 0))
  const comparison = new LogComparison(ci, path, { problem, log, mostLogs }, call)
  const streaks = [
    { branch: main, failed: streakOf(others ?? []) },
    { branch, failed: streakOf(own ?? []) },
  ]
  const old = await comparison.oldestAlike(streaks)
  const counts = () => ({ builds, logs: comparison.logs })
  if (old !== null) return notNew({ ...old, ...counts() })

  const unstable = recoveredRuns(runs)
  if (unstable !== null && (await mayBeAlike(unstable.recovered, comparison)))
    return unstableBy(unstable, counts())
  if (own === null || others === null) return null
  const green = greenBefore(own, others, before)
  const isNew = green !== null && comparison.differs(green.failedSince)
  return isNew ? newSince(build, green, counts()) : null
}

/** The earlier builds of a branch with their jobs, newest first; null if they cannot be read. */
async function buildsBefore(
  ci: CiClient,
  { org_slug, pipeline_slug }: BuildPath,
  { build, branch, lists }: { build: Build; branch: string; lists: number },
  options: CallOptions,
): Promise<Build[] | null> {
  const bytes = Math.floor(listBytes / lists)
  // Builds of a pipeline are about as large as each other, and some are larger than this one.
  const most = Math.floor(bytes / (2 * byteLength(JSON.stringify(build))))
  const query = {
    branch,
    created_to: textOf(build.created_at) ?? undefined,
    per_page: Math.max(1, Math.min(mostBuilds / lists, most)),
    include_retried_jobs: true,
    exclude_pipeline: true,
  }
  const call = { ...options, anchored: false, maxBodyBytes: bytes }
  try {
    const page = await ci.builds.listForPipeline({ org_slug, pipeline_slug, ...query }, call)
    return page.items
      .filter((each) => each.number < build.number && each.branch === branch)
      .sort((one, other) => other.number - one.number)
  } catch (error) {
    if (!isCiError(error)) throw error
    return null
  }
}

/** The origin by a later build of the same commit in which the job passed, or null. */
async function passedAgain(
  ci: CiClient,
  path: BuildPath,
  { problem, passed_after }: { problem: JobProblem; passed_after: SummaryBuildRef | null },
  options: CallOptions,
): Promise<ProblemOrigin | null> {
  const number = passed_after?.number ?? 0
  try {
    const call = { ...options, maxBodyBytes: listBytes }
    const later = await ci.builds.get({ ...path, number }, call)
    const [run] = runsOf(problem.job, [later])
    return run?.outcome === 'passed' ? sameCommit(later, 1) : null
  } catch (error) {
    if (!isCiError(error)) throw error
    return null
  }
}

/** The newest runs, up to and without the first that passed. */
function streakOf(runs: readonly JobRun[]): readonly JobRun[] {
  const passed = runs.findIndex(({ failed }) => failed === null)
  return passed === -1 ? runs : runs.slice(0, passed)
}

/** A commit is known by its hash: `HEAD` or a tag may be another one in each build. */
const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u

function isSameCommit(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && HASH.test(one) && one === other
}

function sameCommit(passed: Build, builds: number): ProblemOrigin {
  const searched = builds === 1 ? '' : ` (${builds} builds compared)`
  return {
    verdict: 'unstable',
    sentence: `unstable: it passed for the same commit in #${passed.number}${searched}`,
    builds,
    logs: 0,
    last_passed: buildRef(passed),
  }
}

/** The earlier runs of a job that ended, and those that failed and passed for one commit. */
interface RecoveredRuns {
  readonly ended: number
  readonly recovered: readonly JobRun[]
}

function recoveredRuns(runs: readonly JobRun[]): RecoveredRuns | null {
  const ended = runs.filter(({ outcome }) => outcome !== null)
  const passed = ended.filter(({ outcome }) => outcome === 'passed')
  const recovered = ended.filter((run) => {
    const again = () => passed.some((each) => isSameCommit(each.build.commit, run.build.commit))
    return run.recovered !== null || (run.outcome === 'failed' && again())
  })
  return recovered.length === 0 ? null : { ended: ended.length, recovered }
}

/** False if the failures of those runs are known, and none of them is this one. */
async function mayBeAlike(runs: readonly JobRun[], comparison: LogComparison): Promise<boolean> {
  for (const { build, failed, recovered } of runs) {
    const job = recovered ?? failed
    if (job === null || (await comparison.isAlike(build, job)) !== false) return true
  }
  return false
}

function unstableBy({ ended, recovered }: RecoveredRuns, counts: Counts): ProblemOrigin {
  const share = `${recovered.length} of its last ${ended} runs`
  return {
    verdict: 'unstable',
    sentence: `unstable: ${share} failed and passed when run again`,
    ...counts,
    recovered_runs: recovered.length,
    runs: ended,
  }
}

interface Counts {
  readonly builds: number
  readonly logs: number
}

/** A branch on which the job fails alike, and the oldest build that is known to. */
interface OldFailure extends Counts {
  readonly branch: string | null
  readonly line: string
  readonly since: Build
  /** The newest run of the job on the branch was compared too. */
  readonly isNewest: boolean
}

function notNew({ branch, line, since, isNewest, builds, logs }: OldFailure): ProblemOrigin {
  const failure = isNewest ? 'fails alike since' : 'failed alike in'
  const compared = `${counted(builds, 'build')} and ${counted(logs, 'log')} compared`
  return {
    verdict: 'not_new',
    sentence: `not new: ${branch} ${failure} #${since.number} (${compared})`,
    builds,
    logs,
    branch,
    since: buildRef(since),
    line,
  }
}

/** The newest earlier build that passed, or in which the job did. */
interface GreenBuild {
  readonly ref: SummaryBuildRef
  /** Null: the branch of the build with the problem. */
  readonly branch: string | null
  /** False: only the job passed. */
  readonly isGreen: boolean
  /** Runs that failed since, or may have: they must differ if the problem is new. */
  readonly failedSince: readonly JobRun[]
}

/** The last green build of the branch, or else of the default branch; null if none is known. */
function greenBefore(
  own: readonly JobRun[],
  others: readonly JobRun[],
  before: SummaryBefore | null,
): GreenBuild | null {
  const ownStreak = streakOf(own)
  const run = own[ownStreak.length]
  const otherStreak = streakOf(others)
  const isKnown = run !== undefined || before?.last_passed
  if (isKnown) {
    const ref = buildRef(run?.build) ?? before?.last_passed ?? null
    const isGreen = run === undefined || run.build.state === 'passed'
    const failedSince = [...ownStreak, ...otherStreak.slice(0, 1)]
    return ref === null ? null : { ref, branch: null, isGreen, failedSince }
  }
  const other = others[otherStreak.length]
  if (other === undefined) return null
  return {
    ref: buildRef(other.build),
    branch: textOf(other.build.branch),
    isGreen: other.build.state === 'passed',
    failedSince: [...ownStreak, ...otherStreak],
  }
}

function newSince(
  build: Build,
  { ref, branch, isGreen }: GreenBuild,
  counts: Counts,
): ProblemOrigin {
  const of = branch === null ? '' : ` of ${branch}`
  const on = branch === null ? '' : ` on ${branch}`
  const green = isGreen
    ? `the last green build${of} is #${ref.number}`
    : `the job last passed${on} in #${ref.number}`
  const commits = [ref.commit, textOf(build.commit)]
  const range = commits.every((commit) => HASH.test(commit ?? ''))
    ? [`commits ${commits.map((commit) => commit?.slice(0, 7)).join('..')}`]
    : []
  const facts = [...range, `${counted(counts.builds, 'build')} compared`].join('; ')
  return {
    verdict: 'new',
    sentence: `new in #${build.number}; ${green} (${facts})`,
    ...counts,
    last_passed: ref,
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`
}
