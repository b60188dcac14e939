import type { BuildPath } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { parseDuration } from '../../flags/duration.js'
import { choiceFlag, parsedFlag, switchFlag, textFlag, textsArg } from '../../flags/flags.js'
import { BUILDS } from '../../flags/groups.js'
import { usageError } from '../../io/command-error.js'
import { reference, say } from '../../io/printable.js'
import { type FindInputs, findBuilds } from '../../watch/find-build.js'
import { checkInterval } from '../../watch/interval.js'
import { watch } from '../../watch/watch-build.js'

const WAIT_START_MS = 120_000

export const Command = command({
  summary: 'Follow builds until they are over, and exit by the worst outcome',
  description:
    'Without NUMBER it follows the newest build of the commit and branch that are checked out, and waits for it to appear. --commit means every pipeline of the organization that builds it, unless one is named.',
  scope: 'read_builds',
  operations: ['builds.get', 'builds.listForPipeline', 'builds.listForOrganization'],
  record: 'Build',
  examples: [
    'ci builds watch acme/web#42',
    'ci builds watch @latest --until failing --timeout 30m',
    'ci builds watch --commit HEAD',
  ],
  args: { number: textsArg({ description: BUILDS }) },
  flags: {
    commit: textFlag({ char: 'c', helpValue: 'SHA', summary: 'The newest builds of this commit' }),
    branch: textFlag({ char: 'b', helpValue: 'NAME', summary: 'The newest build of this branch' }),
    'wait-start': parsedFlag(parseDuration, { helpValue: 'DUR', summary: 'How long to wait for it to appear (2m)' }),
    until: choiceFlag('until', ['finished', 'started', 'failing', 'blocked'], { summary: 'What to wait for' }),
    'fail-fast': switchFlag({ summary: 'The same as --until failing' }),
    'allow-blocked': switchFlag({ summary: 'Go on while a build waits for a person' }),
    timeout: parsedFlag(parseDuration, { helpValue: 'DUR', summary: 'Give up after this long, with exit code 8' }),
    interval: parsedFlag(parseDuration, { helpValue: 'DUR', summary: 'Look this often (by itself: 5s and more)' }),
    compact: switchFlag({ summary: 'Without the jobs' }),
  },
  async execute(context, { args, flags }) {
    if (flags['fail-fast'] === true && flags.until !== undefined && flags.until !== 'failing') {
      throw usageError(say`--fail-fast and --until ${flags.until} exclude each other`)
    }
    const { baseUrl } = await context.settings()
    const intervalMs = checkInterval(flags.interval, baseUrl.value)
    const { commit, branch, 'wait-start': waitMs = WAIT_START_MS } = flags
    const isOrganization = flags.org !== undefined && flags.pipeline === undefined
    await watch(context, {
      targets:
        args.number === undefined
          ? await findBuilds(context, { commit, branch, isOrganization, waitMs, intervalMs })
          : await namedBuilds(context, args.number, { commit, branch }),
      until: flags['fail-fast'] === true ? 'failing' : flags.until,
      allowBlocked: flags['allow-blocked'],
      timeoutMs: flags.timeout,
      intervalMs,
      compact: flags.compact === true || flags.quiet === true,
    })
  },
})

async function namedBuilds(
  context: Context,
  numbers: readonly string[],
  { commit, branch }: Pick<FindInputs, 'commit' | 'branch'>,
): Promise<BuildPath[]> {
  if (commit !== undefined) throw usageError(say`NUMBER and --commit exclude each other`)
  const found = new Map<string, BuildPath>()
  for (const number of numbers) {
    const target = await context.target.build(number, { branch })
    found.set(reference(target, target.number), target)
  }
  return [...found.values()]
}
