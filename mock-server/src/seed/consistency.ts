import { buildState, type Implied } from '../domain/build.js'
import { isFinished, isHardFailure, isHeld, isLatest } from '../domain/job.js'
import type { JobRecord } from '../records/records.js'

const counts = (jobs: readonly JobRecord[]) => {
  const current = jobs.filter(isLatest)
  return {
    failure: current.find(isHardFailure),
    unfinished: current.find((job) => !isFinished(job)),
    active: current.find((job) => !isFinished(job) && !isHeld(job)),
    started: current.some((job) => job.started_at !== null),
  }
}

/** What a build shows of which only the jobs are known. */
export const implied = (jobs: readonly JobRecord[]): Pick<Implied, 'state' | 'blocked'> =>
  jobs.length === 0
    ? { state: 'scheduled', blocked: false }
    : buildState(
        jobs,
        jobs.some(({ started_at }) => started_at !== null),
      )

/** What makes a build's state impossible with these jobs, in words; null when nothing does. */
export const contradiction = (state: string, blocked: boolean, jobs: readonly JobRecord[]): string | null => {
  if (jobs.length === 0) return null
  const { failure, unfinished, active, started } = counts(jobs)
  const name = (job: JobRecord) => `job ${job.step_key ?? job.name ?? job.id} is ${job.state}`
  if (blocked) return active ? `a blocked build waits, but ${name(active)}` : null
  switch (state) {
    case 'passed':
      if (failure) return `the build is passed, but ${name(failure)}`
      return unfinished ? `the build is passed, but ${name(unfinished)}` : null
    case 'failed':
      if (unfinished) return `the build is failed, but ${name(unfinished)}`
      return failure ? null : 'the build is failed, but no job failed'
    case 'canceled':
    case 'skipped':
    case 'not_run':
      return unfinished ? `the build is ${state}, but ${name(unfinished)}` : null
    case 'failing':
      if (!failure) return 'the build is failing, but no job failed'
      return unfinished ? null : 'the build is failing, but every job is finished'
    case 'running':
      if (failure) return `the build is running, but ${name(failure)}: that makes it failing`
      return unfinished ? null : 'the build is running, but every job is finished'
    case 'scheduled':
      return started ? 'the build is scheduled, but a job has started' : null
    default:
      return null
  }
}
