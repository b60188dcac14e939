import { command } from '../../context/base-command.js'
import { textFlag, textsArg } from '../../flags/flags.js'
import { BUILDS, yesFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { eachTarget } from '../../jobs/each-target.js'

export const Command = command({
  summary: 'Cancel builds',
  scope: 'write_builds',
  operations: ['builds.cancel'],
  record: 'Build',
  examples: ['ci builds cancel web#42', 'ci builds cancel 41 42 --cancel-reason "superseded"'],
  args: { number: textsArg({ description: BUILDS }) },
  flags: {
    'cancel-reason': textFlag({ helpValue: 'TEXT', summary: 'Why, for those who look at the build' }),
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    const body = { cancel_reason: flags['cancel-reason'] } satisfies Parameters<'builds.cancel'>
    await eachTarget(context, args.number, { verb: 'Cancel', yes: flags.yes }, (path) =>
      context.ask((ci, call) => ci.builds.cancel({ ...path, ...body }, call)),
    )
  },
})
