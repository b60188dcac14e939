import { command } from '../../context/base-command.js'
import { switchFlag, textsArg } from '../../flags/flags.js'
import { BUILDS, webFlag, yesFlag } from '../../flags/groups.js'
import { afterMade, eachTarget, hinted, printsAtEnd, type WriteOptions } from '../../jobs/each-target.js'

export const Command = command({
  summary: 'Build the same commit again, as new builds',
  scope: 'write_builds',
  operations: ['builds.rebuild'],
  record: 'Build',
  examples: ['ci builds rebuild web#42', 'ci builds rebuild @latest --watch'],
  args: { number: textsArg({ description: BUILDS }) },
  flags: {
    watch: switchFlag({ summary: 'Follow the new builds and exit by the worst outcome' }),
    ...webFlag,
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    const options: WriteOptions = {
      verb: 'Rebuild',
      yes: flags.yes,
      isSilent: flags.watch === true && printsAtEnd(context),
      goOn: (made, isMany) => afterMade(context, flags, made, isMany),
    }
    await eachTarget(context, args.number, options, (path) =>
      hinted(context, path, (ci, call) => ci.builds.rebuild(path, call)),
    )
  },
})
