import type { Build } from '@buildwire/sdk/contract'
import { isFailedJob } from '../views/job.js'

/** The build with only those of its jobs that failed, hard or softly. */
export function onlyFailedJobs(build: Build): Build {
  return build.jobs === undefined ? build : { ...build, jobs: build.jobs.filter(isFailedJob) }
}
