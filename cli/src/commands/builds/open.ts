import { command } from '../../context/base-command.js'
import { textArg, textFlag } from '../../flags/flags.js'
import { BUILD } from '../../flags/groups.js'
import { findJob } from '../../jobs/find-job.js'

export const Command = command({
  summary: "Open a build's page in a browser",
  scope: 'read_builds',
  operations: ['builds.get'],
  examples: ['ci builds open web#42', 'ci builds open @latest --job "Unit tests"'],
  args: { number: textArg({ description: BUILD }) },
  flags: {
    job: textFlag({ helpValue: 'ID|NAME', summary: 'The page of this job' }),
  },
  async execute(context, { args, flags }) {
    const path = await context.target.build(args.number)
    const ci = await context.ci()
    const query = flags.job === undefined ? { exclude_jobs: true } : {}
    const build = await ci.builds.get({ ...path, ...query }, { signal: context.signal })
    const job = flags.job === undefined ? null : findJob(build.jobs ?? [], flags.job)
    await context.openPage(job?.web_url ?? build.web_url)
  },
})
