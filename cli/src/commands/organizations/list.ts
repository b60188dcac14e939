import { command } from '../../context/base-command.js'
import { printList } from '../../context/lists.js'
import { listFlags } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { organizations } from '../../views/records.js'

export const Command = command({
  summary: 'List the organizations that your token works in',
  scope: 'read_organizations',
  operations: ['organizations.list'],
  record: 'Organization',
  examples: ['ci organizations list', 'ci organizations list -o id'],
  flags: listFlags,
  async execute(context, { flags }) {
    await printList(context, organizations, flags, (ci, query: Parameters<'organizations.list'>, call) =>
      ci.organizations.list(query, call).byPage(),
    )
  },
})
