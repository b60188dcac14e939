import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { numberFlag, switchFlag, textArg, textsFlag } from '../../flags/flags.js'
import { BUILD } from '../../flags/groups.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'

/** `ci builds logs` */
export class BuildsLogs extends BaseCommand<typeof BuildsLogs> {
  static override summary = 'Print the logs of the jobs of a build'
  static override description = 'One job prints its text; with several jobs each line starts with the name of its job.'
  static override scope = 'read_build_logs'
  static override operations = ['builds.get', 'jobs.logText']
  static override examples = ['ci builds logs acme/web#42 --failed', 'ci builds logs @latest --job lint --follow']
  static override args = { number: textArg({ description: BUILD }) }
  static override flags = {
    job: textsFlag({ helpValue: 'ID|NAME', summary: 'This job: id, step key, name, or a part of the name' }),
    failed: switchFlag({ summary: 'Jobs that failed, hard or softly' }),
    follow: switchFlag({ char: 'f', summary: 'Go on until the jobs are over, and exit by their outcome' }),
    tail: numberFlag('tail', 1, { helpValue: 'N', summary: 'Only the last N lines of each job' }),
    raw: switchFlag({ summary: 'Bytes as received' }),
    'no-prefix': switchFlag({ summary: 'Without the names of the jobs' }),
  }

  protected async execute(context: Context, { args, flags }: Input<typeof BuildsLogs>): Promise<void> {
    if (flags.follow === true && context.out.machine)
      throw usageError(say`--follow prints text, so it takes no JSON output`)
    const target = await context.target.build(args.number)
    const { showLogs } = await import('../../logs/show-logs.js')
    await showLogs(context, target, {
      jobs: flags.job,
      failed: flags.failed === true,
      follow: flags.follow === true,
      tail: flags.tail,
      raw: flags.raw === true,
      prefix: flags['no-prefix'] !== true && flags.raw !== true,
    })
  }
}
