import { command } from '../../context/base-command.js'
import { textsFlag } from '../../flags/flags.js'
import { listFlags, listSize, suiteFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { tests } from '../../views/records.js'

export const Command = command({
  summary: 'List the test records of a suite',
  scope: 'read_suites',
  operations: ['tests.list'],
  record: 'TestRecord',
  examples: ['ci tests list --suite unit --label flaky', 'ci tests list --suite unit --all -o id'],
  flags: {
    ...suiteFlag,
    label: textsFlag({ helpValue: 'LABEL', summary: 'Only tests with this label' }),
    ...listFlags,
  },
  async execute(context, { flags }) {
    const { about, ...suite } = await context.target.suite(flags.suite)
    const size = listSize(flags)
    const ci = await context.ci()
    const query = { label: flags.label, per_page: size.per_page } satisfies Parameters<'tests.list'>
    const pages = ci.tests.list({ ...suite, ...query }, { signal: context.signal }).byPage()
    await context.out.list(tests, { ...size, pages, about })
  },
})
