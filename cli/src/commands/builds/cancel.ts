import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { textFlag, textsArg } from '../../flags/flags.js'
import { BUILDS, yesFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { eachTarget } from '../../jobs/each-target.js'

/** `ci builds cancel` */
export class BuildsCancel extends BaseCommand<typeof BuildsCancel> {
  static override summary = 'Cancel builds'
  static override scope = 'write_builds'
  static override operations = ['builds.cancel']
  static override record = 'Build' as const
  static override examples = ['ci builds cancel web#42', 'ci builds cancel 41 42 --cancel-reason "superseded"']
  static override args = { number: textsArg({ description: BUILDS }) }
  static override flags = {
    'cancel-reason': textFlag({ helpValue: 'TEXT', summary: 'Why, for those who look at the build' }),
    ...yesFlag,
  }

  protected async execute(context: Context, { args, flags }: Input<typeof BuildsCancel>): Promise<void> {
    const { signal } = context
    await eachTarget(context, args.number, { verb: 'Cancel', yes: flags.yes }, async (path) => {
      const ci = await context.ci()
      const body = { cancel_reason: flags['cancel-reason'] } satisfies Parameters<'builds.cancel'>
      const { data, response } = await ci.builds.cancel({ ...path, ...body }, { signal }).withResponse()
      return { build: data, date: dateOf(response) }
    })
  }
}
