import { command } from '../../context/base-command.js'
import { printList } from '../../context/lists.js'
import { listFlags } from '../../flags/groups.js'
import { artifactPages } from '../../jobs/artifact-pages.js'
import { jobArgs, jobFlag } from '../../jobs/job-target.js'
import { artifacts } from '../../views/records.js'

export const Command = command({
  summary: 'List the files that the jobs of a build left behind',
  scope: 'read_artifacts',
  operations: ['artifacts.list', 'artifacts.listForJob'],
  record: 'Artifact',
  examples: ['ci artifacts list web#42', 'ci artifacts list @latest --job lint --json=path,file_size'],
  args: jobArgs,
  flags: { ...jobFlag, ...listFlags },
  async execute(context, { args, flags }) {
    const path = await context.target.build(args.number)
    await printList(context, artifacts, flags, (_, { per_page }) => artifactPages(context, path, flags.job, per_page))
  },
})
