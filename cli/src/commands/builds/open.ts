import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { textArg, textFlag } from '../../flags/flags.js'
import { BUILD } from '../../flags/groups.js'
import { findJob } from '../../jobs/find-job.js'

/** `ci builds open` */
export class BuildsOpen extends BaseCommand<typeof BuildsOpen> {
  static override summary = "Open a build's page in a browser"
  static override scope = 'read_builds'
  static override operations = ['builds.get']
  static override examples = ['ci builds open web#42', 'ci builds open @latest --job "Unit tests"']
  static override args = { number: textArg({ description: BUILD }) }
  static override flags = {
    job: textFlag({ helpValue: 'ID|NAME', summary: 'The page of this job' }),
  }

  protected async execute(context: Context, { args, flags }: Input<typeof BuildsOpen>): Promise<void> {
    const path = await context.target.build(args.number)
    const ci = await context.ci()
    const query = flags.job === undefined ? { exclude_jobs: true } : {}
    const build = await ci.builds.get({ ...path, ...query }, { signal: context.signal })
    const job = flags.job === undefined ? null : findJob(build.jobs ?? [], flags.job)
    await context.openPage(job?.web_url ?? build.web_url)
  }
}
