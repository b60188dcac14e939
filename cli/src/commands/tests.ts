import type { TestRecord } from '@buildwire/sdk/contract'
import { command } from '../context/base-command.js'
import { printList } from '../context/lists.js'
import { textArg, textFlag, textsFlag } from '../flags/flags.js'
import { listFlags, type Parameters, suiteFlag } from '../flags/groups.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { ApiResult } from '../views/print.js'
import { tests } from '../views/records.js'

const testArg = { test: textArg({ description: "A test's id, or its URL", required: true }) }

export const list = command({
  summary: 'List the test records of a suite',
  operations: ['tests.list'],
  record: 'TestRecord',
  examples: [
    'ci tests list --suite unit --label flaky',
    "ci tests list --suite unit --labels 'flaky,!slow'",
    'ci tests list --suite unit --all -o id',
  ],
  flags: {
    ...suiteFlag,
    label: textsFlag({ helpValue: 'LABEL', summary: 'Only tests with this label' }),
    labels: textFlag({
      helpValue: 'LABELS',
      summary: 'Only tests with all of these, separated by commas; !LABEL excludes a label',
    }),
    ...listFlags,
  },
  async execute(context, { flags }) {
    const { about, ...suite } = await context.target.suite(flags.suite)
    await printList(context, tests, { ...flags, about }, (ci, size, call) => {
      const { label, labels } = flags
      const query = { label, labels, ...size } satisfies Parameters<'tests.list'>
      return ci.tests.list({ ...suite, ...query }, call).byPage()
    })
  },
})

export const get = command({
  summary: 'Show one test record',
  operations: ['tests.get'],
  record: 'TestRecord',
  examples: [
    'ci tests get 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit',
    'ci tests get https://ci.example.test/organizations/acme/analytics/suites/unit/tests/9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10',
  ],
  args: testArg,
  flags: suiteFlag,
  async execute(context, { args, flags }) {
    const path = await context.target.test(args.test ?? '', flags.suite)
    const found = await context.ask((ci, call) => ci.tests.get(path, call))
    await context.out.answer(tests, found, { page: true })
  },
})

export const find = command({
  summary: 'Find a test record by its scope and name',
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
    if (scope === undefined || name === undefined)
      throw usageError(say`--scope and --name are both needed`)
    const { org_slug, suite_slug } = await context.target.suite(flags.suite)
    const body = { scope, name } satisfies Parameters<'tests.find'>
    const found = await context.ask((ci, call) =>
      ci.tests.find({ org_slug, suite_slug, ...body }, call),
    )
    await context.out.answer(tests, found, { page: true })
  },
})

export const label = command({
  summary: 'Add labels to a test record, or remove them',
  operations: ['tests.changeLabels'],
  record: 'TestRecord',
  examples: [
    'ci tests label 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit --add flaky',
    'ci tests label 9c2e1f7a-0d5b-4f0e-8a51-2f7f3a1c9d10 --suite unit --add slow --remove flaky',
  ],
  args: testArg,
  flags: {
    ...suiteFlag,
    add: textsFlag({ helpValue: 'LABEL', summary: 'Label to add' }),
    remove: textsFlag({ helpValue: 'LABEL', summary: 'Label to remove' }),
  },
  async execute(context, { args, flags }) {
    const changes = [
      { operator: 'add' as const, labels: flags.add ?? [] },
      { operator: 'remove' as const, labels: flags.remove ?? [] },
    ].filter(
      ({ labels }) => labels.length > 0,
    ) satisfies readonly Parameters<'tests.changeLabels'>[]
    if (changes.length === 0)
      throw usageError(say`the label is missing; use --add LABEL or --remove LABEL`)
    const path = await context.target.test(args.test ?? '', flags.suite)
    let last: ApiResult<TestRecord> | null = null
    for (const change of changes) {
      last = await context.ask((ci, call) => ci.tests.changeLabels({ ...path, ...change }, call))
    }
    if (last !== null) await context.out.answer(tests, last)
  },
})
