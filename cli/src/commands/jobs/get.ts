import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { webFlag } from '../../flags/groups.js'
import { findJobTarget, jobArgs, jobFlag } from '../../jobs/job-target.js'
import { jobs } from '../../views/records.js'

/** `ci jobs get` */
export class JobsGet extends BaseCommand<typeof JobsGet> {
  static override summary = 'Show one job of a build'
  static override scope = 'read_builds'
  static override operations = ['jobs.get', 'builds.get']
  static override record = 'Job' as const
  static override examples = [
    'ci jobs get web#42 --job lint',
    'ci jobs get @latest --job "Unit tests" --json=state,agent',
  ]
  static override args = jobArgs
  static override flags = { ...jobFlag, ...webFlag }

  protected async execute(context: Context, { args, flags }: Input<typeof JobsGet>): Promise<void> {
    const choice = { suits: () => true, what: 'can be shown' }
    const path = await findJobTarget(context, { number: args.number, job: flags.job }, choice)
    const ci = await context.ci()
    const { data, response } = await ci.jobs.get(path, { signal: context.signal }).withResponse()
    if (flags.web === true && data.web_url) return context.openPage(data.web_url)
    await context.out.record(jobs, data, { page: true, date: dateOf(response) })
  }
}
