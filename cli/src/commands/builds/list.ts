import type { Build } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import { inferredText } from '../../context/create-target.js'
import { buildScope, filterFlags, type ListCall, listParams, printList, scopeUrl } from '../../context/lists.js'
import { switchFlag } from '../../flags/flags.js'
import { listFlags, listSize, webFlag } from '../../flags/groups.js'
import { builds } from '../../views/records.js'

export const Command = command({
  summary: 'List builds, newest first',
  description:
    'Lists the builds of the pipeline that the repository belongs to, else of the organization, else all you can see.',
  scope: 'read_builds',
  operations: ['builds.list', 'builds.listForOrganization', 'builds.listForPipeline'],
  record: 'Build',
  examples: ['ci builds list --branch main --failed', 'ci builds list -p acme/web --json=number,state'],
  flags: {
    ...filterFlags,
    ...listFlags,
    'all-orgs': switchFlag({ summary: 'Builds of all your organizations' }),
    ...webFlag,
  },
  async execute(context, { flags }) {
    const scope = await buildScope(context, flags)
    if (flags.web === true) return context.openPage(await scopeUrl(context, scope))
    const { org_slug, pipeline_slug } = scope
    const seen = { about: inferredText(scope), manyPipelines: pipeline_slug === undefined }
    const params = await listParams(context, flags, scope, listSize(flags).per_page)
    const pages: ListCall<Build> = (ci, _, call) => {
      if (org_slug === undefined) return ci.builds.list(params, call).byPage()
      if (pipeline_slug === undefined) return ci.builds.listForOrganization({ ...params, org_slug }, call).byPage()
      return ci.builds.listForPipeline({ ...params, org_slug, pipeline_slug }, call).byPage()
    }
    await printList(context, builds, flags, pages, seen)
  },
})
