import { command } from '../../context/base-command.js'
import { printList } from '../../context/lists.js'
import { listFlags } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { jobArgs } from '../../jobs/job-target.js'
import { annotations } from '../../views/records.js'

export const Command = command({
  summary: 'List the notes on a build, the most important first',
  scope: 'read_builds',
  operations: ['annotations.list'],
  record: 'Annotation',
  examples: ['ci annotations list web#42', 'ci annotations list @latest --json=style,context,body_html'],
  args: jobArgs,
  flags: listFlags,
  async execute(context, { args, flags }) {
    const path = await context.target.build(args.number)
    await printList(context, annotations, flags, (ci, query: Parameters<'annotations.list'>, call) =>
      ci.annotations.list({ ...path, ...query }, call).byPage(),
    )
  },
})
