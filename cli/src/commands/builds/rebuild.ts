import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { switchFlag, textsArg } from '../../flags/flags.js'
import { BUILDS, webFlag, yesFlag } from '../../flags/groups.js'
import { eachTarget, hinted } from '../../jobs/each-target.js'
import { oneToWatch, printsAtEnd, tellAddresses, watchWritten } from '../../jobs/watch-written.js'

/** `ci builds rebuild` */
export class BuildsRebuild extends BaseCommand<typeof BuildsRebuild> {
  static override summary = 'Build the same commit again, as new builds'
  static override scope = 'write_builds'
  static override operations = ['builds.rebuild']
  static override record = 'Build' as const
  static override examples = ['ci builds rebuild web#42', 'ci builds rebuild @latest --watch']
  static override args = { number: textsArg({ description: BUILDS }) }
  static override flags = {
    watch: switchFlag({ summary: 'Follow the new build and exit by its outcome' }),
    ...webFlag,
    ...yesFlag,
  }

  protected async execute(context: Context, { args, flags }: Input<typeof BuildsRebuild>): Promise<void> {
    const { signal } = context
    oneToWatch(flags.watch, args.number)
    const { done } = await eachTarget(
      context,
      args.number,
      { verb: 'Rebuild', yes: flags.yes, isSilent: flags.watch === true && printsAtEnd(context) },
      async (path) => {
        const ci = await context.ci()
        const { data, response } = await hinted(context, path, () => ci.builds.rebuild(path, { signal }).withResponse())
        return { build: data, date: dateOf(response) }
      },
    )
    if (flags.web === true) for (const { build } of done) await context.openPage(build.web_url)
    if (flags.watch === true) return watchWritten(context, done, flags.quiet)
    await tellAddresses(
      context,
      done.map(({ build }) => build),
    )
  }
}
