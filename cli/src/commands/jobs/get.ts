import { command } from '../../context/base-command.js'
import { webFlag } from '../../flags/groups.js'
import { findJobTarget, jobArgs, jobFlag } from '../../jobs/job-target.js'
import { jobs } from '../../views/records.js'

export const Command = command({
  summary: 'Show one job of a build',
  scope: 'read_builds',
  operations: ['jobs.get', 'builds.get'],
  record: 'Job',
  examples: ['ci jobs get web#42 --job lint', 'ci jobs get @latest --job "Unit tests" --json=state,agent'],
  args: jobArgs,
  flags: { ...jobFlag, ...webFlag },
  async execute(context, { args, flags }) {
    const choice = { suits: () => true, what: 'can be shown' }
    const path = await findJobTarget(context, { ...args, ...flags }, choice)
    const found = await context.ask((ci, call) => ci.jobs.get(path, call))
    if (flags.web === true && found.data.web_url) return context.openPage(found.data.web_url)
    await context.out.answer(jobs, found, { page: true })
  },
})
