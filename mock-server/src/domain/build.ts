import type { BuildRecord, JobRecord, List } from '../records/records.js'
import { settleBarriers } from './barriers.js'
import { isLatest } from './job.js'
import { JobList } from './job-list.js'
import { timestamp } from './timestamp.js'

/**
 * The state that the latest executions of a build's jobs imply. `started`: a job of the build has
 * started at some time.
 */
export function buildState(jobs: List<JobRecord>, started: boolean) {
  const { unfinished, hardFailures, active, run } = JobList.of(jobs).facts
  const hardFailure = hardFailures > 0
  if (unfinished === 0) {
    const ended = hardFailure ? 'failed' : 'passed'
    const state = !started && run === 0 ? 'not_run' : ended
    return { state, blocked: false, finished: true }
  }
  if (active > 0) {
    const running = hardFailure ? 'failing' : 'running'
    return { state: started ? running : 'scheduled', blocked: false, finished: false }
  }
  return { state: started ? blockedState(jobs) : 'scheduled', blocked: true, finished: started }
}

function blockedState(jobs: List<JobRecord>): 'passed' | 'failed' | 'running' {
  const step = jobs.find(
    (job) => isLatest(job) && job.type === 'manual' && job.state === 'blocked',
  )?.step
  return (step !== undefined && 'block' in step ? step.blockedState : undefined) ?? 'passed'
}

const ended: ReadonlySet<string> = new Set(['passed', 'failed', 'canceled', 'skipped', 'not_run'])

/** True if a build is over. A build that waits at a block step is not over. */
export function hasEnded(build: BuildRecord): boolean {
  return ended.has(build.state) && !build.blocked
}

/** Settles the barriers; the state of the build stays. A retry needs no more. */
export function settleJobs(build: BuildRecord, now: number, jobs = build.jobs): BuildRecord {
  return {
    ...build,
    jobs: settleBarriers(jobs, timestamp(now)).kept(),
  }
}

/** Settles the barriers among the jobs of a build, then computes its state and times. */
export function recomputeBuild(
  build: BuildRecord,
  now: number,
  unsettled = build.jobs,
): BuildRecord {
  const at = timestamp(now)
  const list = settleBarriers(unsettled, at)
  const jobs = list.kept()
  const { facts } = list
  if (build.state === 'skipped' || build.state === 'not_run') return { ...build, jobs }
  if (build.state === 'canceling') {
    return facts.canceling > 0
      ? { ...build, jobs }
      : { ...build, jobs, state: 'canceled', finished_at: at }
  }
  const started_at = build.started_at ?? (facts.started > 0 ? at : null)
  const implied = buildState(list, started_at !== null)
  if (hasEnded(build) && facts.running === 0) {
    const hasNewState = implied.finished && !implied.blocked && build.state !== 'canceled'
    return { ...build, jobs, state: hasNewState ? implied.state : build.state }
  }
  const isStillBlocked = build.blocked && implied.blocked
  const endedAt = isStillBlocked ? build.finished_at : at
  return {
    ...build,
    jobs,
    state: implied.state,
    blocked: implied.blocked,
    started_at,
    // If a job expired before any job ran, the state stays `scheduled`, but this time is set.
    failing_at: build.failing_at ?? (!implied.finished && facts.hardFailures > 0 ? at : null),
    finished_at: implied.finished ? endedAt : null,
  }
}
