import { command } from '../../context/base-command.js'
import { inferredText } from '../../context/create-target.js'
import { textFlag } from '../../flags/flags.js'
import { listFlags, listSize } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { pipelines } from '../../views/records.js'

export const Command = command({
  summary: 'List the pipelines of an organization',
  scope: 'read_pipelines',
  operations: ['pipelines.list'],
  record: 'Pipeline',
  examples: ['ci pipelines list --org acme', 'ci pipelines list --name web -o id'],
  flags: {
    name: textFlag({ helpValue: 'TEXT', summary: 'Only pipelines whose name has this in it' }),
    repository: textFlag({ helpValue: 'TEXT', summary: 'Only pipelines whose repository has this in it' }),
    ...listFlags,
  },
  async execute(context, { flags }) {
    const organization = await context.target.organization()
    const size = listSize(flags)
    const ci = await context.ci()
    const { org_slug } = organization
    const query = {
      name: flags.name,
      repository: flags.repository,
      per_page: size.per_page,
    } satisfies Parameters<'pipelines.list'>
    const pages = ci.pipelines.list({ org_slug, ...query }, { signal: context.signal }).byPage()
    await context.out.list(pipelines, { ...size, pages, about: inferredText(organization) })
  },
})
