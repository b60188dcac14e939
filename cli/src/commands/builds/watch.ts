import { BaseCommand, type Input } from '../../base-command.js'
import type { Context } from '../../context.js'
import { parseDuration } from '../../flags/duration.js'
import { choiceFlag, parsedFlag, switchFlag, textArg, textFlag } from '../../flags/flags.js'
import { BUILD } from '../../flags/groups.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'
import { findBuild } from '../../watch/find-build.js'
import { checkInterval } from '../../watch/interval.js'
import { watch } from '../../watch/watch-build.js'

const WAIT_START_MS = 120_000

/** `ci builds watch` */
export class BuildsWatch extends BaseCommand<typeof BuildsWatch> {
  static override summary = 'Follow a build until it is over, and exit by its outcome'
  static override description =
    'Without NUMBER it follows the newest build of the commit and branch that are checked out, and waits for it to appear.'
  static override scope = 'read_builds'
  static override operations = ['builds.get', 'builds.listForPipeline']
  static override record = 'Build' as const
  static override examples = ['ci builds watch acme/web#42', 'ci builds watch @latest --until failing --timeout 30m']
  static override args = { number: textArg({ description: BUILD }) }
  static override flags = {
    commit: textFlag({ char: 'c', helpValue: 'SHA', summary: 'The newest build of this commit' }),
    branch: textFlag({ char: 'b', helpValue: 'NAME', summary: 'The newest build of this branch' }),
    'wait-start': parsedFlag(parseDuration, { helpValue: 'DUR', summary: 'How long to wait for it to appear (2m)' }),
    until: choiceFlag('until', ['finished', 'started', 'failing', 'blocked'], { summary: 'What to wait for' }),
    'fail-fast': switchFlag({ summary: 'The same as --until failing' }),
    'allow-blocked': switchFlag({ summary: 'Go on while the build waits for a person' }),
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
      target: await this.build(context, args.number, flags, intervalMs),
      until: flags['fail-fast'] === true ? 'failing' : flags.until,
      allowBlocked: flags['allow-blocked'],
      timeoutMs: flags.timeout,
      intervalMs,
      compact: flags.compact === true || flags.quiet === true,
    })
  }

  private async build(
    context: Context,
    number: string | undefined,
    flags: Input<typeof BuildsWatch>['flags'],
    intervalMs: number | undefined,
  ) {
    const { commit, branch } = flags
    if (number === undefined) {
      return findBuild(context, { commit, branch, waitMs: flags['wait-start'] ?? WAIT_START_MS, intervalMs })
    }
    if (commit !== undefined) throw usageError(say`NUMBER and --commit exclude each other`)
    return context.target.build(number, { branch })
  }
}
