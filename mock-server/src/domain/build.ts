import type { BuildRecord, JobRecord, List } from '../records/records.js'
import { settleBarriers } from './barriers.js'
import { isLatest } from './job.js'
import { JobList } from './job-list.js'
import { timestamp } from './timestamp.js'

/**
 * The state that a build's jobs imply, retried executions left out; `started` = a job of it has run
 * once.
 */
export function buildState(jobs: List<JobRecord>, started: boolean) {
  const { unfinished, hardFailures, active, run } = JobList.of(jobs).facts
  const hardFailure = hardFailures > 0
  if (unfinished === 0) {
    const state = !started && run === 0 ? 'not_run' : hardFailure ? 'failed' : 'passed'
    return { state, blocked: false, finished: true }
  }
  if (active > 0) {
    const state = !started ? 'scheduled' : hardFailure ? 'failing' : 'running'
    return { state, blocked: false, finished: false }
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

/** Over, and not just paused at a block step: only a retried job brings it back. */
export function hasEnded(build: BuildRecord): boolean {
  return ended.has(build.state) && !build.blocked
}

/** Settles the barriers without moving the build: all that a retry does. */
export function settleJobs(build: BuildRecord, now: number, jobs = build.jobs): BuildRecord {
  return {
    ...build,
    jobs: settleBarriers(jobs, timestamp(now)).kept(),
  }
}

/**
 * Settles the barriers among its jobs, then gives the build what they imply. One copy: every move
 * makes it.
 */
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
    const moves = implied.finished && !implied.blocked && build.state !== 'canceled'
    return { ...build, jobs, state: moves ? implied.state : build.state }
  }
  return {
    ...build,
    jobs,
    state: implied.state,
    blocked: implied.blocked,
    started_at,
    // Nothing ran yet and a job has expired: no state says so, the time does.
    failing_at: build.failing_at ?? (!implied.finished && facts.hardFailures > 0 ? at : null),
    finished_at: implied.finished
      ? build.blocked && implied.blocked
        ? build.finished_at
        : at
      : null,
  }
}
