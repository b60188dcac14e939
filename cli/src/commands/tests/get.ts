import { command } from '../../context/base-command.js'
import { textArg } from '../../flags/flags.js'
import { suiteFlag } from '../../flags/groups.js'
import { tests } from '../../views/records.js'

export const Command = command({
  summary: 'Show one test record',
  scope: 'read_suites',
  operations: ['tests.get'],
  record: 'TestRecord',
  examples: [
    'ci tests get 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit',
    'ci tests get https://ci.example.test/organizations/acme/analytics/suites/unit/tests/9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10',
  ],
  args: { test: textArg({ description: "A test's id, or its URL", required: true }) },
  flags: { ...suiteFlag },
  async execute(context, { args, flags }) {
    const path = await context.target.test(args.test ?? '', flags.suite)
    const found = await context.ask((ci, call) => ci.tests.get(path, call))
    await context.out.answer(tests, found, { page: true })
  },
})
