import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { textFlag } from '../../flags/flags.js'
import { suiteFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'
import { tests } from '../../views/records.js'

/** `ci tests find` */
export class TestsFind extends BaseCommand<typeof TestsFind> {
  static override summary = 'Find a test record by its scope and name'
  static override scope = 'read_suites'
  static override operations = ['tests.find']
  static override record = 'TestRecord' as const
  static override examples = [
    'ci tests find --suite unit --scope Checkout --name "adds an item"',
    'ci tests find --suite unit --scope Checkout --name "adds an item" -o id',
  ]
  static override flags = {
    ...suiteFlag,
    scope: textFlag({ helpValue: 'TEXT', summary: 'Scope of the test, exactly' }),
    name: textFlag({ helpValue: 'TEXT', summary: 'Name of the test, exactly' }),
  }

  protected async execute(context: Context, { flags }: Input<typeof TestsFind>): Promise<void> {
    const { scope, name } = flags
    if (scope === undefined || name === undefined) throw usageError(say`--scope and --name are both needed`)
    const { org_slug, suite_slug } = await context.target.suite(flags.suite)
    const ci = await context.ci()
    const body = { scope, name } satisfies Parameters<'tests.find'>
    const { data, response } = await ci.tests
      .find({ org_slug, suite_slug, ...body }, { signal: context.signal })
      .withResponse()
    await context.out.record(tests, data, { page: true, date: dateOf(response) })
  }
}
