import { command } from '../context/base-command.js'
import { printList } from '../context/lists.js'
import { listFlags, type Parameters } from '../flags/groups.js'
import { organizations } from '../views/records.js'

export const list = command({
  summary: 'List the organizations of your token',
  operations: ['organizations.list'],
  record: 'Organization',
  examples: ['ci organizations list', 'ci organizations list -o id'],
  flags: listFlags,
  async execute(context, { flags }) {
    await printList(
      context,
      organizations,
      flags,
      (ci, query: Parameters<'organizations.list'>, call) =>
        ci.organizations.list(query, call).byPage(),
    )
  },
})
