import { command } from '../context/base-command.js'
import { inferredText } from '../context/create-target.js'
import { printList } from '../context/lists.js'
import { textArg, textFlag } from '../flags/flags.js'
import { listFlags, type Parameters, webFlag } from '../flags/groups.js'
import { pipelines } from '../views/records.js'

export const list = command({
  summary: 'List the pipelines of an organization',
  operations: ['pipelines.list'],
  record: 'Pipeline',
  examples: ['ci pipelines list --org acme', 'ci pipelines list --name web -o id'],
  flags: {
    name: textFlag({ helpValue: 'TEXT', summary: 'Only pipelines whose name contains this text' }),
    repository: textFlag({
      helpValue: 'TEXT',
      summary: 'Only pipelines whose repository contains this text',
    }),
    ...listFlags,
  },
  async execute(context, { flags }) {
    const organization = await context.target.organization()
    const { org_slug } = organization
    const { name, repository } = flags
    await printList(
      context,
      pipelines,
      { ...flags, about: inferredText(organization) },
      (ci, size, call) => {
        const query = { name, repository, ...size } satisfies Parameters<'pipelines.list'>
        return ci.pipelines.list({ org_slug, ...query }, call).byPage()
      },
    )
  },
})

export const get = command({
  summary: 'Show one pipeline',
  operations: ['pipelines.get'],
  record: 'Pipeline',
  examples: ['ci pipelines get acme/web', 'ci pipelines get --json=slug,running_builds_count'],
  args: { pipeline: textArg({ description: '[ORG/]SLUG; else the pipeline of this repository' }) },
  flags: webFlag,
  async execute(context, { args, flags }) {
    const { target } = context
    const found =
      args.pipeline === undefined ? await target.pipeline() : await target.pipelineOf(args.pipeline)
    target.noteInferred(found)
    const { org_slug, pipeline_slug } = found
    const answer = await context.ask((ci, call) =>
      ci.pipelines.get({ org_slug, pipeline_slug }, call),
    )
    if (flags.web === true && answer.data.web_url) return context.openPage(answer.data.web_url)
    await context.out.answer(pipelines, answer, { page: true })
  },
})
