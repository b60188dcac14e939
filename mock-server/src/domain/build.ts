import type { BuildRecord, JobRecord } from '../store/records.js'
import { settleBarriers } from './barriers.js'
import { isActive, isFinished, isHardFailure, isLatest, isRunning } from './job.js'
import { timestamp } from './timestamp.js'

/** What the jobs alone say about their build. */
export interface Implied {
  readonly state: 'scheduled' | 'running' | 'failing' | 'passed' | 'failed' | 'not_run'
  readonly blocked: boolean
  readonly finished: boolean
}

/** The state that a build's jobs imply, retried executions left out; `started` = a job of it has run once. */
export function buildState(jobs: readonly JobRecord[], started: boolean): Implied {
  const latest = jobs.filter(isLatest)
  const hardFailure = latest.some(isHardFailure)
  if (latest.every(isFinished)) {
    const state = !started && notRun(latest) ? 'not_run' : hardFailure ? 'failed' : 'passed'
    return { state, blocked: false, finished: true }
  }
  if (latest.some(isActive)) {
    const state = !started ? 'scheduled' : hardFailure ? 'failing' : 'running'
    return { state, blocked: false, finished: false }
  }
  return { state: started ? blockedState(latest) : 'scheduled', blocked: true, finished: started }
}

const notRun = (latest: readonly JobRecord[]): boolean =>
  latest.every((job) => job.type === 'waiter' || job.state === 'skipped' || job.state === 'broken')

/** What the reached block step says its build shows meanwhile. */
function blockedState(latest: readonly JobRecord[]): 'passed' | 'failed' | 'running' {
  const step = latest.find((job) => job.type === 'manual' && job.state === 'blocked')?.step
  return (step !== undefined && 'block' in step ? step.blockedState : undefined) ?? 'passed'
}

const ended: ReadonlySet<string> = new Set(['passed', 'failed', 'canceled', 'skipped', 'not_run'])

/** Over, and not just paused at a block step: only a retried job brings it back. */
export const hasEnded = (build: BuildRecord): boolean => ended.has(build.state) && !build.blocked

/** Settles the barriers without moving the build: all that a retry does. */
export const settleJobs = (build: BuildRecord, now: number): BuildRecord => ({
  ...build,
  jobs: settleBarriers(build.jobs, timestamp(now)),
})

/** Settles the barriers, then gives the build what its jobs imply. */
export function recomputeBuild(unsettled: BuildRecord, now: number): BuildRecord {
  const at = timestamp(now)
  const build = settleJobs(unsettled, now)
  if (build.state === 'skipped' || build.state === 'not_run') return build
  if (build.state === 'canceling') {
    const left = build.jobs.some((job) => job.state === 'canceling')
    return left ? build : { ...build, state: 'canceled', finished_at: at }
  }
  const latest = build.jobs.filter(isLatest)
  const started_at = build.started_at ?? (build.jobs.some((job) => job.started_at !== null) ? at : null)
  const implied = buildState(build.jobs, started_at !== null)
  if (hasEnded(build) && !latest.some(isRunning)) {
    return implied.finished && !implied.blocked && build.state !== 'canceled'
      ? { ...build, state: implied.state }
      : build
  }
  return {
    ...build,
    state: implied.state,
    blocked: implied.blocked,
    started_at,
    // Nothing ran yet and a job has expired: no state says so, the time does.
    failing_at: build.failing_at ?? (!implied.finished && latest.some(isHardFailure) ? at : null),
    finished_at: implied.finished ? (build.blocked && implied.blocked ? build.finished_at : at) : null,
  }
}
