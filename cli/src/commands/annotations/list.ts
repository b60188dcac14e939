import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { listFlags, listSize } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { jobArgs } from '../../jobs/job-target.js'
import { annotations } from '../../views/records.js'

/** `ci annotations list` */
export class AnnotationsList extends BaseCommand<typeof AnnotationsList> {
  static override summary = 'List the notes on a build, the most important first'
  static override scope = 'read_builds'
  static override operations = ['annotations.list']
  static override record = 'Annotation' as const
  static override examples = [
    'ci annotations list web#42',
    'ci annotations list @latest --json=style,context,body_html',
  ]
  static override args = jobArgs
  static override flags = listFlags

  protected async execute(context: Context, { args, flags }: Input<typeof AnnotationsList>): Promise<void> {
    const path = await context.target.build(args.number)
    const size = listSize(flags)
    const ci = await context.ci()
    const query = { per_page: size.per_page } satisfies Parameters<'annotations.list'>
    const pages = ci.annotations.list({ ...path, ...query }, { signal: context.signal }).byPage()
    await context.out.list(annotations, { ...size, pages })
  }
}
