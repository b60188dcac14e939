import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { yesFlag } from '../../flags/groups.js'
import { hinted } from '../../jobs/each-target.js'
import { findJobTarget, jobArgs, jobFlag } from '../../jobs/job-target.js'
import { isFailedJob } from '../../views/job.js'
import { jobs } from '../../views/records.js'

/** `ci jobs retry` */
export class JobsRetry extends BaseCommand<typeof JobsRetry> {
  static override summary = 'Run one job again that failed, timed out, was canceled or expired'
  static override description = 'Without --job: the only one of the build that failed. It prints the new job.'
  static override scope = 'write_builds'
  static override operations = ['jobs.retry', 'builds.get']
  static override record = 'Job' as const
  static override examples = ['ci jobs retry web#42 --job lint', 'ci jobs retry @latest --job "Unit tests" -o id']
  static override args = jobArgs
  static override flags = { ...jobFlag, ...yesFlag }

  protected async execute(context: Context, { args, flags }: Input<typeof JobsRetry>): Promise<void> {
    const path = await findJobTarget(
      context,
      { number: args.number, job: flags.job },
      {
        ask: flags.yes === true ? undefined : 'Retry a job of',
        suits: (job) => isFailedJob(job) && job.retried !== true,
        what: 'failed',
      },
    )
    const ci = await context.ci()
    const { data, response } = await hinted(context, path, () =>
      ci.jobs.retry(path, { signal: context.signal }).withResponse(),
    )
    await context.out.record(jobs, data, { date: dateOf(response) })
  }
}
