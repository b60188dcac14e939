import type { RetryState } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import { switchFlag, textsArg, wordsFlag } from '../../flags/flags.js'
import { BUILDS, yesFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { say } from '../../io/printable.js'
import { eachTarget, hinted, type WriteOptions, watchWritten } from '../../jobs/each-target.js'

export const Command = command({
  summary: 'Run the failed jobs of builds again',
  scope: 'write_builds',
  operations: ['builds.retryFailedJobs'],
  record: 'RetriedBuild',
  examples: ['ci builds retry web#42', 'ci builds retry 42 --state timed_out,expired --watch'],
  args: { number: textsArg({ description: BUILDS }) },
  flags: {
    state: wordsFlag({
      char: 's',
      helpValue: 'STATE',
      summary: 'Only jobs that are canceled, expired, failed, soft_failed or timed_out',
    }),
    watch: switchFlag({ summary: 'Follow the builds and exit by the worst outcome' }),
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    const states = {
      states: flags.state?.flat() as RetryState[] | undefined,
    } satisfies Parameters<'builds.retryFailedJobs'>
    const options: WriteOptions = {
      verb: 'Retry',
      schema: 'RetriedBuild',
      yes: flags.yes,
      // The answers still have the state from before.
      isSilent: flags.watch,
      goOn: async (done, isMany) => {
        if (flags.watch === true) await watchWritten(context, flags, done, isMany)
      },
    }
    await eachTarget(context, args.number, options, async (path) => {
      const answer = await hinted(context, path, (ci, call) => ci.builds.retryFailedJobs({ ...path, ...states }, call))
      const count = answer.data.retried_jobs_count
      if (count !== undefined)
        context.notes.note(say`#${path.number}: ${count} ${count === 1 ? 'job' : 'jobs'} retried`)
      return answer
    })
  },
})
