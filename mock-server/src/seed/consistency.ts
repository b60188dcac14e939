import { buildState, type Implied } from '../domain/build.js'
import { isActive, isFinished, isHardFailure, isLatest } from '../domain/job.js'
import type { JobRecord } from '../records/records.js'

const hasStarted = (jobs: readonly JobRecord[]): boolean => jobs.some(({ started_at }) => started_at !== null)

/** What a build shows of which only the jobs are known. */
export const implied = (jobs: readonly JobRecord[]): Pick<Implied, 'state' | 'blocked'> =>
  jobs.length === 0 ? { state: 'scheduled', blocked: false } : buildState(jobs, hasStarted(jobs))

const standing = (job: JobRecord | undefined): string | undefined =>
  job && `job ${job.step_key ?? job.name ?? job.id} is ${job.state}`

/** What makes a build's state impossible with these jobs, in words; null when nothing does. */
export const contradiction = (state: string, blocked: boolean, jobs: readonly JobRecord[]): string | null => {
  if (jobs.length === 0) return null
  const current = jobs.filter(isLatest)
  const failure = standing(current.find(isHardFailure))
  const unfinished = standing(current.find((job) => !isFinished(job)))
  const ended = unfinished === undefined ? 'every job is finished' : undefined
  const against: Readonly<Record<string, string | undefined>> = {
    blocked: standing(current.find(isActive)),
    passed: failure ?? unfinished,
    failed: unfinished ?? (failure === undefined ? 'no job failed' : undefined),
    canceled: unfinished,
    skipped: unfinished,
    not_run: unfinished,
    failing: failure === undefined ? 'no job failed' : ended,
    running: failure === undefined ? ended : `${failure}: that makes it failing`,
    scheduled: hasStarted(current) ? 'a job has started' : undefined,
  }
  const fault = against[blocked ? 'blocked' : state]
  return fault === undefined ? null : `${blocked ? 'a blocked build waits' : `the build is ${state}`}, but ${fault}`
}
