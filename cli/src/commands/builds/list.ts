import type { Build } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { listParams } from '../../context/list-params.js'
import { type BuildScope, buildScope, scopeText, scopeUrl } from '../../context/scope.js'
import { parsedFlag, parsedFlags, switchFlag, textFlag, textsFlag, wordsFlag } from '../../flags/flags.js'
import { listFlags, listSize, webFlag } from '../../flags/groups.js'
import { parseAssignment } from '../../flags/key-value.js'
import { parseTime } from '../../flags/time.js'
import { builds } from '../../views/builds.js'
import type { PageLike } from '../../views/print.js'

export const Command = command({
  summary: 'List builds, newest first',
  description:
    'Lists the builds of the pipeline that the repository belongs to, else of the organization, else all you can see.',
  scope: 'read_builds',
  operations: ['builds.list', 'builds.listForOrganization', 'builds.listForPipeline'],
  record: 'Build',
  examples: ['ci builds list --branch main --failed', 'ci builds list -p acme/web --json=number,state'],
  flags: {
    branch: textsFlag({ char: 'b', helpValue: 'NAME', summary: 'Only this branch; * stands for any characters' }),
    'current-branch': switchFlag({ char: 'B', summary: 'Only the branch that is checked out' }),
    commit: textsFlag({
      char: 'c',
      helpValue: 'SHA',
      summary: 'Only this commit; refs and short SHAs are resolved by git',
    }),
    creator: textFlag({ helpValue: 'UUID|@me', summary: 'Only builds that this user started' }),
    'created-from': parsedFlag(parseTime, {
      aliases: ['since'],
      helpValue: 'TIME',
      summary: 'Created at that time or later',
    }),
    'created-to': parsedFlag(parseTime, { aliases: ['until'], helpValue: 'TIME', summary: 'Created before that time' }),
    'finished-from': parsedFlag(parseTime, { helpValue: 'TIME', summary: 'Finished at that time or later' }),
    'meta-data': parsedFlags(parseAssignment, {
      char: 'M',
      helpValue: 'K=V',
      summary: 'Only builds with this meta-data',
    }),
    state: wordsFlag({ char: 's', helpValue: 'STATE', summary: 'Only these states' }),
    failed: switchFlag({ summary: 'The same as --state failed,failing' }),
    'exclude-jobs': switchFlag({ summary: 'Leave the jobs out of JSON' }),
    'exclude-pipeline': switchFlag({ summary: 'Leave the pipeline out of JSON' }),
    'include-retried-jobs': switchFlag({ summary: 'With earlier runs of retried jobs' }),
    'no-include-paused': switchFlag({ summary: 'Without builds whose queues are all paused' }),
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
