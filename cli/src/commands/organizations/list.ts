import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { listFlags, listSize } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { organizations } from '../../views/records.js'

/** `ci organizations list` */
export class OrganizationsList extends BaseCommand<typeof OrganizationsList> {
  static override summary = 'List the organizations that your token works in'
  static override scope = 'read_organizations'
  static override operations = ['organizations.list']
  static override record = 'Organization' as const
  static override examples = ['ci organizations list', 'ci organizations list -o id']
  static override flags = { ...listFlags }

  protected async execute(context: Context, { flags }: Input<typeof OrganizationsList>): Promise<void> {
    const size = listSize(flags)
    const ci = await context.ci()
    const query = { per_page: size.per_page } satisfies Parameters<'organizations.list'>
    const pages = ci.organizations.list(query, { signal: context.signal }).byPage()
    await context.out.list(organizations, { ...size, pages })
  }
}
