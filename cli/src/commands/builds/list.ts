import type { Build } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { filterFlags, listParams } from '../../context/list-params.js'
import { type BuildScope, buildScope, scopeText, scopeUrl } from '../../context/scope.js'
import { switchFlag } from '../../flags/flags.js'
import { listFlags, listSize, webFlag } from '../../flags/groups.js'
import type { PageLike } from '../../views/print.js'
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
    const size = listSize(flags)
    const params = await listParams(context, flags, scope, size.per_page)
    const pages = await pagesOf(context, scope, params)
    const about = scopeText(scope)
    await context.out.list(builds, { ...size, pages, about, manyPipelines: scope.kind !== 'pipeline' })
  },
})

async function pagesOf(
  { ci, signal }: Context,
  scope: BuildScope,
  params: Awaited<ReturnType<typeof listParams>>,
): Promise<AsyncIterable<PageLike<Build>>> {
  const client = await ci()
  if (scope.kind === 'all') return client.builds.list(params, { signal }).byPage()
  const { org_slug } = scope
  if (scope.kind === 'organization')
    return client.builds.listForOrganization({ ...params, org_slug }, { signal }).byPage()
  const { pipeline_slug } = scope
  return client.builds.listForPipeline({ ...params, org_slug, pipeline_slug }, { signal }).byPage()
}
