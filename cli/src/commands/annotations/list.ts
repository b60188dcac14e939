import { command } from '../../context/base-command.js'
import { listFlags, listSize } from '../../flags/groups.js'
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
    const size = listSize(flags)
    const ci = await context.ci()
    const query = { per_page: size.per_page } satisfies Parameters<'annotations.list'>
    const pages = ci.annotations.list({ ...path, ...query }, { signal: context.signal }).byPage()
    await context.out.list(annotations, { ...size, pages })
  },
})
