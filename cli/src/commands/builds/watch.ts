import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import type { BuildTarget } from '../../context/target.js'
import { parseDuration } from '../../flags/duration.js'
import { choiceFlag, parsedFlag, switchFlag, textFlag, textsArg } from '../../flags/flags.js'
import { BUILDS } from '../../flags/groups.js'
import { usageError } from '../../io/command-error.js'
import { reference, say } from '../../io/printable.js'
import { findBuilds } from '../../watch/find-build.js'
import { checkInterval } from '../../watch/interval.js'
import { watch } from '../../watch/watch-build.js'

const WAIT_START_MS = 120_000

/** `ci builds watch` */
export class BuildsWatch extends BaseCommand<typeof BuildsWatch> {
  static override summary = 'Follow builds until they are over, and exit by the worst outcome'
  static override description =
    'Without NUMBER it follows the newest build of the commit and branch that are checked out, and waits for it to appear. --commit means every pipeline of the organization that builds it, unless one is named.'
  static override scope = 'read_builds'
  static override operations = ['builds.get', 'builds.listForPipeline', 'builds.listForOrganization']
  static override record = 'Build' as const
  static override examples = [
    'ci builds watch acme/web#42',
    'ci builds watch @latest --until failing --timeout 30m',
    'ci builds watch --commit HEAD',
  ]
  static override args = { number: textsArg({ description: BUILDS }) }
  static override flags = {
    commit: textFlag({ char: 'c', helpValue: 'SHA', summary: 'The newest builds of this commit' }),
    branch: textFlag({ char: 'b', helpValue: 'NAME', summary: 'The newest build of this branch' }),
    'wait-start': parsedFlag(parseDuration, { helpValue: 'DUR', summary: 'How long to wait for it to appear (2m)' }),
    until: choiceFlag('until', ['finished', 'started', 'failing', 'blocked'], { summary: 'What to wait for' }),
    'fail-fast': switchFlag({ summary: 'The same as --until failing' }),
    'allow-blocked': switchFlag({ summary: 'Go on while a build waits for a person' }),
    timeout: parsedFlag(parseDuration, { helpValue: 'DUR', summary: 'Give up after this long, with exit code 8' }),
    interval: parsedFlag(parseDuration, { helpValue: 'DUR', summary: 'Look this often (by itself: 5s and more)' }),
    compact: switchFlag({ summary: 'Without the jobs' }),
  }

  protected async execute(context: Context, { args, flags }: Input<typeof BuildsWatch>): Promise<void> {
    if (flags['fail-fast'] === true && flags.until !== undefined && flags.until !== 'failing') {
      throw usageError(say`--fail-fast and --until ${flags.until} exclude each other`)
    }
    const { baseUrl } = await context.settings()
    const intervalMs = checkInterval(flags.interval, baseUrl.value)
    await watch(context, {
      targets: await this.builds(context, args.number ?? [], flags, intervalMs),
      until: flags['fail-fast'] === true ? 'failing' : flags.until,
      allowBlocked: flags['allow-blocked'],
      timeoutMs: flags.timeout,
      intervalMs,
      compact: flags.compact === true || flags.quiet === true,
    })
  }

  private async builds(
    context: Context,
    numbers: readonly string[],
    flags: Input<typeof BuildsWatch>['flags'],
    intervalMs: number | undefined,
  ): Promise<BuildTarget[]> {
    const { commit, branch, 'wait-start': waitMs = WAIT_START_MS } = flags
    if (numbers.length === 0) {
      const isOrganization = flags.org !== undefined && flags.pipeline === undefined
      return findBuilds(context, { commit, branch, isOrganization, waitMs, intervalMs })
    }
    if (commit !== undefined) throw usageError(say`NUMBER and --commit exclude each other`)
    const found = new Map<string, BuildTarget>()
    for (const number of numbers) {
      const target = await context.target.build(number, { branch })
      found.set(reference(target, target.number), target)
    }
    return [...found.values()]
  }
}
