import type { TestRecord } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import { textArg, textsFlag } from '../../flags/flags.js'
import { suiteFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'
import type { Answer } from '../../views/print.js'
import { tests } from '../../views/records.js'

export const Command = command({
  summary: 'Add labels to a test record, or take them off',
  scope: 'write_suites',
  operations: ['tests.changeLabels'],
  record: 'TestRecord',
  examples: [
    'ci tests label 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit --add flaky',
    'ci tests label 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit --add slow --remove flaky',
  ],
  args: { test: textArg({ description: "A test's id, or its URL", required: true }) },
  flags: {
    ...suiteFlag,
    add: textsFlag({ helpValue: 'LABEL', summary: 'Label to add' }),
    remove: textsFlag({ helpValue: 'LABEL', summary: 'Label to take off' }),
  },
  async execute(context, { args, flags }) {
    const changes = [
      { operator: 'add' as const, labels: flags.add ?? [] },
      { operator: 'remove' as const, labels: flags.remove ?? [] },
    ].filter(({ labels }) => labels.length > 0) satisfies readonly Parameters<'tests.changeLabels'>[]
    if (changes.length === 0) throw usageError(say`no label is named; say --add LABEL or --remove LABEL`)
    const path = await context.target.test(args.test ?? '', flags.suite)
    let last: Answer<TestRecord> | null = null
    for (const change of changes) {
      last = await context.ask((ci, call) => ci.tests.changeLabels({ ...path, ...change }, call))
    }
    if (last !== null) await context.out.answer(tests, last)
  },
})
