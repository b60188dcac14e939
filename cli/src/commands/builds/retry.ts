import type { RetryState } from '@buildwire/sdk/contract'
import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { switchFlag, textsArg, wordsFlag } from '../../flags/flags.js'
import { BUILDS, yesFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { say } from '../../io/printable.js'
import { eachTarget, hinted } from '../../jobs/each-target.js'
import { oneToWatch, watchWritten } from '../../jobs/watch-written.js'

/** `ci builds retry` */
export class BuildsRetry extends BaseCommand<typeof BuildsRetry> {
  static override summary = 'Run the failed jobs of builds again'
  static override scope = 'write_builds'
  static override operations = ['builds.retryFailedJobs']
  static override record = 'Build' as const
  static override examples = ['ci builds retry web#42', 'ci builds retry 42 --state timed_out,expired --watch']
  static override args = { number: textsArg({ description: BUILDS }) }
  static override flags = {
    state: wordsFlag({
      char: 's',
      helpValue: 'STATE',
      summary: 'Only jobs that are canceled, expired, failed, soft_failed or timed_out',
    }),
    watch: switchFlag({ summary: 'Follow the build and exit by its outcome' }),
    ...yesFlag,
  }

  protected async execute(context: Context, { args, flags }: Input<typeof BuildsRetry>): Promise<void> {
    const { signal, notes } = context
    oneToWatch(flags.watch, args.number)
    const states = flags.state?.flat() as RetryState[] | undefined
    const { done } = await eachTarget(
      context,
      args.number,
      // The answer still has the state from before.
      { verb: 'Retry', yes: flags.yes, isSilent: flags.watch },
      async (path) => {
        const ci = await context.ci()
        const params = { ...path, ...({ states } satisfies Parameters<'builds.retryFailedJobs'>) }
        const { data, response } = await hinted(context, path, () =>
          ci.builds.retryFailedJobs(params, { signal }).withResponse(),
        )
        const count = data.retried_jobs_count
        if (count !== undefined) notes.note(say`#${path.number}: ${count} ${count === 1 ? 'job' : 'jobs'} retried`)
        return { build: data, date: dateOf(response) }
      },
    )
    if (flags.watch === true) await watchWritten(context, done, flags.quiet)
  }
}
