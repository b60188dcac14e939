import { ARTIFACT_STATES } from '@buildwire/sdk/contract'
import { command } from '../context/base-command.js'
import { printList } from '../context/lists.js'
import { statesFlag, switchFlag, textFlag, textsFlag } from '../flags/flags.js'
import { buildArg, jobFlag, listFlags } from '../flags/groups.js'
import { typedTarget } from '../flags/number.js'
import { artifactPages } from '../jobs/artifact-pages.js'
import { artifacts } from '../views/records.js'

const pathFlag = {
  path: textsFlag({ helpValue: 'PATH', summary: 'Only this file; * matches any characters' }),
}

export const list = command({
  summary: 'List the artifacts of a build',
  operations: ['artifacts.list', 'artifacts.listForJob'],
  record: 'Artifact',
  examples: [
    'ci artifacts list web#42',
    'ci artifacts list @latest --job lint --json=path,file_size',
    "ci artifacts list web#42 --path 'reports/*.xml' --state finished",
  ],
  args: buildArg,
  flags: {
    ...jobFlag,
    ...pathFlag,
    state: statesFlag(ARTIFACT_STATES, { helpValue: 'STATE', summary: 'Only these states' }),
    ...listFlags,
  },
  async execute(context, { args, flags }) {
    const { build, word } = typedTarget({ ...args, ...flags })
    const path = await context.target.build(build)
    const filter = { job: word, path: flags.path, state: flags.state?.flat() }
    await printList(context, artifacts, flags, (_, { per_page }) =>
      artifactPages(context, path, filter, per_page),
    )
  },
})

export const download = command({
  summary: 'Download the artifacts of a build',
  description:
    'Writes each file to its path below the folder if its size and SHA-1 are right, and prints ' +
    'its name. Exit code 1: some files are missing. 3, 5, 9: no file could be downloaded. ' +
    '2: files exist already. 7: a path was refused.',
  operations: ['artifacts.download', 'artifacts.list', 'artifacts.listForJob'],
  examples: [
    'ci artifacts download web#42 --dir out',
    "ci artifacts download @latest --job lint --path 'reports/*.xml' --force",
    'ci artifacts download web#42 --by-job --skip-existing --dir out',
  ],
  args: buildArg,
  flags: {
    ...jobFlag,
    ...pathFlag,
    dir: textFlag({
      char: 'd',
      helpValue: 'DIR',
      summary: 'The folder to write to (the current one)',
    }),
    'by-job': switchFlag({ summary: 'Create one folder per job, named by its id' }),
    force: switchFlag({ summary: 'Replace existing files' }),
    'skip-existing': switchFlag({
      summary: 'Keep existing files with the right size and SHA-1',
    }),
  },
  async execute(context, { args, flags }) {
    const { build: typed, word } = typedTarget({ ...args, ...flags })
    const build = await context.target.build(typed)
    const { downloadArtifacts } = await import('../jobs/download.js')
    await downloadArtifacts(context, build, { ...flags, job: word })
  },
})
