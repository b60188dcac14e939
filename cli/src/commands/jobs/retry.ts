import type { Job } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import { yesFlag } from '../../flags/groups.js'
import { hinted } from '../../jobs/each-target.js'
import { findJobTarget, jobArgs, jobFlag } from '../../jobs/job-target.js'
import { isFailedJob } from '../../views/job.js'
import { jobs } from '../../views/records.js'

export const Command = command({
  summary: 'Run one job again that failed, timed out, was canceled or expired',
  description: 'Without --job: the only one of the build that failed. It prints the new job.',
  scope: 'write_builds',
  operations: ['jobs.retry', 'builds.get'],
  record: 'Job',
  examples: ['ci jobs retry web#42 --job lint', 'ci jobs retry @latest --job "Unit tests" -o id'],
  args: jobArgs,
  flags: { ...jobFlag, ...yesFlag },
  async execute(context, { args, flags }) {
    const suits = (job: Job) => isFailedJob(job) && job.retried !== true
    const choice = { ask: 'Retry a job of', suits, what: 'failed' }
    const path = await findJobTarget(context, { ...args, ...flags }, choice)
    const made = await hinted(context, path, (ci, call) => ci.jobs.retry(path, call))
    await context.out.answer(jobs, made)
  },
})
