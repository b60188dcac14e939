import { command } from '../../context/base-command.js'
import { numberFlag, switchFlag, textArg, textsFlag } from '../../flags/flags.js'
import { BUILD } from '../../flags/groups.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Print the logs of the jobs of a build',
  description: 'One job prints its text; with several jobs each line starts with the name of its job.',
  scope: 'read_build_logs',
  operations: ['builds.get', 'jobs.logText'],
  examples: ['ci builds logs acme/web#42 --failed', 'ci builds logs @latest --job lint --follow'],
  args: { number: textArg({ description: BUILD }) },
  flags: {
    job: textsFlag({ helpValue: 'ID|NAME', summary: 'This job: id, step key, name, or a part of the name' }),
    failed: switchFlag({ summary: 'Jobs that failed, hard or softly' }),
    follow: switchFlag({ char: 'f', summary: 'Go on until the jobs are over, and exit by their outcome' }),
    tail: numberFlag('tail', 1, { helpValue: 'N', summary: 'Only the last N lines of each job' }),
    raw: switchFlag({ summary: 'Bytes as received' }),
    'no-prefix': switchFlag({ summary: 'Without the names of the jobs' }),
  },
  async execute(context, { args, flags }) {
    if (flags.follow === true && context.out.machine)
      throw usageError(say`--follow prints text, so it takes no JSON output`)
    const target = await context.target.build(args.number)
    const { showLogs } = await import('../../logs/show-logs.js')
    await showLogs(context, target, {
      ...flags,
      prefix: flags['no-prefix'] !== true && flags.raw !== true,
    })
  },
})
