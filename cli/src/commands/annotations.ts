import { command } from '../context/base-command.js'
import { printList } from '../context/lists.js'
import { choiceFlag, numberFlag, switchFlag, textFlag } from '../flags/flags.js'
import { buildArg, listFlags, type Parameters, yesFlag } from '../flags/groups.js'
import { usageError } from '../io/command-error.js'
import { createFileInputs } from '../io/input.js'
import { say } from '../io/printable.js'
import { annotations } from '../views/records.js'

export const list = command({
  summary: 'List the annotations of a build, the most important first',
  operations: ['annotations.list'],
  record: 'Annotation',
  examples: [
    'ci annotations list web#42',
    'ci annotations list @latest --json=style,context,body_html',
  ],
  args: buildArg,
  flags: listFlags,
  async execute(context, { args, flags }) {
    const path = await context.target.build(args.number)
    await printList(
      context,
      annotations,
      flags,
      (ci, query: Parameters<'annotations.list'>, call) =>
        ci.annotations.list({ ...path, ...query }, call).byPage(),
    )
  },
})

export const create = command({
  summary: 'Add an annotation to a build',
  description:
    'A second annotation with the same --note-context replaces the first, unless --append.',
  operations: ['annotations.create'],
  record: 'Annotation',
  examples: [
    'ci annotations create web#42 --body "**1** test failed" --style error --note-context tests',
    'ci annotations create @latest --body-file report.md --append',
  ],
  args: buildArg,
  flags: {
    body: textFlag({ helpValue: 'TEXT', summary: 'The text, Markdown or HTML' }),
    'body-file': textFlag({ helpValue: 'FILE|-', summary: 'The text from a file or stdin' }),
    style: choiceFlag('style', ['success', 'info', 'warning', 'error'], {
      summary: 'The style, which is also the colour (info)',
    }),
    priority: numberFlag('priority', 1, {
      max: 10,
      helpValue: 'N',
      summary: '1 to 10; the highest is shown first (3)',
    }),
    'note-context': textFlag({
      helpValue: 'NAME',
      summary: 'Name of the annotation within the build (default)',
    }),
    append: switchFlag({ summary: 'Add to the existing text' }),
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    if ((flags.body === undefined) === (flags['body-file'] === undefined)) {
      throw usageError(say`the text is missing or given twice; use --body TEXT or --body-file FILE`)
    }
    const file = flags['body-file']
    const text =
      file === undefined ? flags.body : await createFileInputs(context.io).text(file, '--body-file')
    const path = await context.target.build(args.number, {
      ask: flags.yes === true ? undefined : 'Annotate',
    })
    const { style, priority, 'note-context': name, append } = flags
    const body = {
      body: text ?? '',
      style,
      priority,
      context: name,
      append,
    } satisfies Parameters<'annotations.create'>
    const made = await context.ask((ci, call) => ci.annotations.create({ ...path, ...body }, call))
    await context.out.answer(annotations, made, { page: true })
  },
})
