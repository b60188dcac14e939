import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { textArg } from '../../flags/flags.js'
import { suiteFlag } from '../../flags/groups.js'
import { tests } from '../../views/records.js'

/** `ci tests get` */
export class TestsGet extends BaseCommand<typeof TestsGet> {
  static override summary = 'Show one test record'
  static override scope = 'read_suites'
  static override operations = ['tests.get']
  static override record = 'TestRecord' as const
  static override examples = [
    'ci tests get 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit',
    'ci tests get https://ci.example.test/organizations/acme/analytics/suites/unit/tests/9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10',
  ]
  static override args = { test: textArg({ description: "A test's id, or its URL", required: true }) }
  static override flags = { ...suiteFlag }

  protected async execute(context: Context, { args, flags }: Input<typeof TestsGet>): Promise<void> {
    const path = await context.target.test(args.test ?? '', flags.suite)
    const ci = await context.ci()
    const { data, response } = await ci.tests.get(path, { signal: context.signal }).withResponse()
    await context.out.record(tests, data, { page: true, date: dateOf(response) })
  }
}
