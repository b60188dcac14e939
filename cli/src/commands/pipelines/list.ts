import type { Pipeline } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import { inferredText } from '../../context/create-target.js'
import { type ListCall, printList } from '../../context/lists.js'
import { textFlag } from '../../flags/flags.js'
import { listFlags } from '../../flags/groups.js'
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
    const { org_slug } = organization
    const { name, repository } = flags
    const pages: ListCall<Pipeline> = (ci, size, call) => {
      const query = { name, repository, ...size } satisfies Parameters<'pipelines.list'>
      return ci.pipelines.list({ org_slug, ...query }, call).byPage()
    }
    await printList(context, pipelines, flags, pages, { about: inferredText(organization) })
  },
})
