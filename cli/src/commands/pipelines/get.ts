import { command } from '../../context/base-command.js'
import { textArg } from '../../flags/flags.js'
import { webFlag } from '../../flags/groups.js'
import { pipelines } from '../../views/records.js'

export const Command = command({
  summary: 'Show one pipeline',
  scope: 'read_pipelines',
  operations: ['pipelines.get'],
  record: 'Pipeline',
  examples: ['ci pipelines get acme/web', 'ci pipelines get --json=slug,running_builds_count'],
  args: { pipeline: textArg({ description: '[ORG/]SLUG; else the pipeline of this repository' }) },
  flags: { ...webFlag },
  async execute(context, { args, flags }) {
    const { target } = context
    const found = args.pipeline === undefined ? await target.pipeline() : await target.pipelineOf(args.pipeline)
    target.tell(found)
    const { org_slug, pipeline_slug } = found
    const answer = await context.ask((ci, call) => ci.pipelines.get({ org_slug, pipeline_slug }, call))
    if (flags.web === true && answer.data.web_url) return context.openPage(answer.data.web_url)
    await context.out.answer(pipelines, answer, { page: true })
  },
})
