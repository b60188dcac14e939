import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { choiceFlag, numberFlag, switchFlag, textFlag } from '../../flags/flags.js'
import { yesFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { usageError } from '../../io/command-error.js'
import { createFileInputs } from '../../io/input.js'
import { say } from '../../io/printable.js'
import { jobArgs } from '../../jobs/job-target.js'
import { annotations } from '../../views/records.js'

/** `ci annotations create` */
export class AnnotationsCreate extends BaseCommand<typeof AnnotationsCreate> {
  static override summary = 'Put a note on a build'
  static override description =
    'A second note of the same --note-context takes the place of the first, unless --append.'
  static override scope = 'write_builds'
  static override operations = ['annotations.create']
  static override record = 'Annotation' as const
  static override examples = [
    'ci annotations create web#42 --body "**1** test failed" --style error --note-context tests',
    'ci annotations create @latest --body-file report.md --append',
  ]
  static override args = jobArgs
  static override flags = {
    body: textFlag({ helpValue: 'TEXT', summary: 'The text, Markdown or HTML' }),
    'body-file': textFlag({ helpValue: 'FILE|-', summary: 'The text from a file or stdin' }),
    style: choiceFlag('style', ['success', 'info', 'warning', 'error'], { summary: 'How it is coloured (info)' }),
    priority: numberFlag('priority', 1, { max: 10, helpValue: 'N', summary: '1 to 10; a higher one stands first (3)' }),
    'note-context': textFlag({ helpValue: 'NAME', summary: 'Its name within the build (default)' }),
    append: switchFlag({ summary: 'Add to the text that is there' }),
    ...yesFlag,
  }

  protected async execute(context: Context, { args, flags }: Input<typeof AnnotationsCreate>): Promise<void> {
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
    const ci = await context.ci()
    const { data, response } = await ci.annotations
      .create({ ...path, ...body }, { signal: context.signal })
      .withResponse()
    await context.out.record(annotations, data, { page: true, date: dateOf(response) })
  }
}
