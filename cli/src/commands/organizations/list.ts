import { command } from '../../context/base-command.js'
import { listFlags, listSize } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { organizations } from '../../views/records.js'

export const Command = command({
  summary: 'List the organizations that your token works in',
  scope: 'read_organizations',
  operations: ['organizations.list'],
  record: 'Organization',
  examples: ['ci organizations list', 'ci organizations list -o id'],
  flags: { ...listFlags },
  async execute(context, { flags }) {
    const size = listSize(flags)
    const ci = await context.ci()
    const query = { per_page: size.per_page } satisfies Parameters<'organizations.list'>
    const pages = ci.organizations.list(query, { signal: context.signal }).byPage()
    await context.out.list(organizations, { ...size, pages })
  },
})
