import { command } from '../../context/base-command.js'
import { switchFlag, textFlag, textsFlag } from '../../flags/flags.js'
import { jobArgs, jobFlag } from '../../jobs/job-target.js'

export const Command = command({
  summary: 'Download the files that the jobs of a build left behind',
  description:
    'Each file is written below the folder by its path, once its size and SHA-1 are right. It prints their names.',
  scope: 'read_artifacts',
  operations: ['artifacts.download', 'artifacts.list', 'artifacts.listForJob'],
  examples: [
    'ci artifacts download web#42 --dir out',
    "ci artifacts download @latest --job lint --path 'reports/*.xml' --force",
  ],
  args: jobArgs,
  flags: {
    ...jobFlag,
    path: textsFlag({ helpValue: 'PATH', summary: 'Only this file; * stands for any characters' }),
    dir: textFlag({ char: 'd', helpValue: 'DIR', summary: 'The folder to write to (this one)' }),
    force: switchFlag({ summary: 'Replace files that are there' }),
  },
  async execute(context, { args, flags }) {
    const build = await context.target.build(args.number)
    const { downloadArtifacts } = await import('../../jobs/download.js')
    const { job, path: paths, dir } = flags
    await downloadArtifacts(context, build, { job, paths, dir, force: flags.force === true })
  },
})
