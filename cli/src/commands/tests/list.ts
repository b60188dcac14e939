import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { textsFlag } from '../../flags/flags.js'
import { listFlags, listSize, suiteFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { tests } from '../../views/records.js'

/** `ci tests list` */
export class TestsList extends BaseCommand<typeof TestsList> {
  static override summary = 'List the test records of a suite'
  static override scope = 'read_suites'
  static override operations = ['tests.list']
  static override record = 'TestRecord' as const
  static override examples = ['ci tests list --suite unit --label flaky', 'ci tests list --suite unit --all -o id']
  static override flags = {
    ...suiteFlag,
    label: textsFlag({ helpValue: 'LABEL', summary: 'Only tests with this label' }),
    ...listFlags,
  }

  protected async execute(context: Context, { flags }: Input<typeof TestsList>): Promise<void> {
    const { about, ...suite } = await context.target.suite(flags.suite)
    const size = listSize(flags)
    const ci = await context.ci()
    const query = { label: flags.label, per_page: size.per_page } satisfies Parameters<'tests.list'>
    const pages = ci.tests.list({ ...suite, ...query }, { signal: context.signal }).byPage()
    await context.out.list(tests, { ...size, pages, about })
  }
}
