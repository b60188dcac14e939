import { command } from '../../context/base-command.js'
import { choiceFlag, numberFlag, switchFlag, textFlag } from '../../flags/flags.js'
import { yesFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { usageError } from '../../io/command-error.js'
import { createFileInputs } from '../../io/input.js'
import { say } from '../../io/printable.js'
import { jobArgs } from '../../jobs/job-target.js'
import { annotations } from '../../views/records.js'

export const Command = command({
  summary: 'Put a note on a build',
  description: 'A second note of the same --note-context takes the place of the first, unless --append.',
  scope: 'write_builds',
  operations: ['annotations.create'],
  record: 'Annotation',
  examples: [
    'ci annotations create web#42 --body "**1** test failed" --style error --note-context tests',
    'ci annotations create @latest --body-file report.md --append',
  ],
  args: jobArgs,
  flags: {
    body: textFlag({ helpValue: 'TEXT', summary: 'The text, Markdown or HTML' }),
    'body-file': textFlag({ helpValue: 'FILE|-', summary: 'The text from a file or stdin' }),
    style: choiceFlag('style', ['success', 'info', 'warning', 'error'], { summary: 'How it is coloured (info)' }),
    priority: numberFlag('priority', 1, { max: 10, helpValue: 'N', summary: '1 to 10; a higher one stands first (3)' }),
    'note-context': textFlag({ helpValue: 'NAME', summary: 'Its name within the build (default)' }),
    append: switchFlag({ summary: 'Add to the text that is there' }),
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    if ((flags.body === undefined) === (flags['body-file'] === undefined)) {
      throw usageError(say`the text is missing or given twice; say --body TEXT or --body-file FILE`)
    }
    const file = flags['body-file']
    const text = file === undefined ? flags.body : await createFileInputs(context.io).text(file, '--body-file')
    const path = await context.target.build(args.number, { ask: flags.yes === true ? undefined : 'Annotate' })
    const body = {
      body: text ?? '',
      style: flags.style,
      priority: flags.priority,
      context: flags['note-context'],
      append: flags.append,
    } satisfies Parameters<'annotations.create'>
    const made = await context.ask((ci, call) => ci.annotations.create({ ...path, ...body }, call))
    await context.out.answer(annotations, made, { page: true })
  },
})
