import { command } from '../../context/base-command.js'
import { textFlag } from '../../flags/flags.js'
import { suiteFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'
import { tests } from '../../views/records.js'

export const Command = command({
  summary: 'Find a test record by its scope and name',
  scope: 'read_suites',
  operations: ['tests.find'],
  record: 'TestRecord',
  examples: [
    'ci tests find --suite unit --scope Checkout --name "adds an item"',
    'ci tests find --suite unit --scope Checkout --name "adds an item" -o id',
  ],
  flags: {
    ...suiteFlag,
    scope: textFlag({ helpValue: 'TEXT', summary: 'Scope of the test, exactly' }),
    name: textFlag({ helpValue: 'TEXT', summary: 'Name of the test, exactly' }),
  },
  async execute(context, { flags }) {
    const { scope, name } = flags
    if (scope === undefined || name === undefined) throw usageError(say`--scope and --name are both needed`)
    const { org_slug, suite_slug } = await context.target.suite(flags.suite)
    const body = { scope, name } satisfies Parameters<'tests.find'>
    const found = await context.ask((ci, call) => ci.tests.find({ org_slug, suite_slug, ...body }, call))
    await context.out.answer(tests, found, { page: true })
  },
})
