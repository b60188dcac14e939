import type { Build, Job } from '@buildwire/sdk/contract'
import { build as anyBuild, job as anyJob } from '../support/build.js'

let count = 0

/** A scheduled job with a unique name. */
export function job(fields: Partial<Job> = {}): Job {
  count += 1
  return anyJob({ name: `Job ${count}`, state: 'scheduled', ...fields })
}

/** A build that has been running since 13:02:11. */
export function build(fields: Partial<Build> = {}): Build {
  return anyBuild({
    number: 4214,
    state: 'running',
    message: 'Add rate limiting to the upload endpoint',
    branch: 'feat/uploads',
    created_at: '2026-11-27T13:02:00.000Z',
    scheduled_at: '2026-11-27T13:02:00.000Z',
    started_at: '2026-11-27T13:02:11.000Z',
    failing_at: null,
    ...fields,
  })
}
