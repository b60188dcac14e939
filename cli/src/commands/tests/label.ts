import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { textArg, textsFlag } from '../../flags/flags.js'
import { suiteFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'
import { tests } from '../../views/records.js'

/** `ci tests label` */
export class TestsLabel extends BaseCommand<typeof TestsLabel> {
  static override summary = 'Add labels to a test record, or take them off'
  static override scope = 'write_suites'
  static override operations = ['tests.changeLabels']
  static override record = 'TestRecord' as const
  static override examples = [
    'ci tests label 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit --add flaky',
    'ci tests label 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit --add slow --remove flaky',
  ]
  static override args = { test: textArg({ description: "A test's id, or its URL", required: true }) }
  static override flags = {
    ...suiteFlag,
    add: textsFlag({ helpValue: 'LABEL', summary: 'Label to add' }),
    remove: textsFlag({ helpValue: 'LABEL', summary: 'Label to take off' }),
  }

  protected async execute(context: Context, { args, flags }: Input<typeof TestsLabel>): Promise<void> {
    const changes = [
      { operator: 'add' as const, labels: flags.add ?? [] },
      { operator: 'remove' as const, labels: flags.remove ?? [] },
    ].filter(({ labels }) => labels.length > 0) satisfies readonly Parameters<'tests.changeLabels'>[]
    if (changes.length === 0) throw usageError(say`no label is named; say --add LABEL or --remove LABEL`)
    const path = await context.target.test(args.test ?? '', flags.suite)
    const ci = await context.ci()
    let last: { data: Awaited<ReturnType<typeof ci.tests.changeLabels>>; date: string | null } | null = null
    for (const change of changes) {
      const { data, response } = await ci.tests
        .changeLabels({ ...path, ...change }, { signal: context.signal })
        .withResponse()
      last = { data, date: dateOf(response) }
    }
    if (last !== null) await context.out.record(tests, last.data, { date: last.date })
  }
}
