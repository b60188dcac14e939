import type { TestRecord } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import { type ListCall, printList } from '../../context/lists.js'
import { textsFlag } from '../../flags/flags.js'
import { listFlags, suiteFlag } from '../../flags/groups.js'
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
    const pages: ListCall<TestRecord> = (ci, size, call) => {
      const query = { label: flags.label, ...size } satisfies Parameters<'tests.list'>
      return ci.tests.list({ ...suite, ...query }, call).byPage()
    }
    await printList(context, tests, flags, pages, { about })
  },
})
