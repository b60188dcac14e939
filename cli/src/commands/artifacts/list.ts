import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { listFlags, listSize } from '../../flags/groups.js'
import { artifactPages } from '../../jobs/artifact-pages.js'
import { jobArgs, jobFlag } from '../../jobs/job-target.js'
import { artifacts } from '../../views/records.js'

/** `ci artifacts list` */
export class ArtifactsList extends BaseCommand<typeof ArtifactsList> {
  static override summary = 'List the files that the jobs of a build left behind'
  static override scope = 'read_artifacts'
  static override operations = ['artifacts.list', 'artifacts.listForJob']
  static override record = 'Artifact' as const
  static override examples = ['ci artifacts list web#42', 'ci artifacts list @latest --job lint --json=path,file_size']
  static override args = jobArgs
  static override flags = { ...jobFlag, ...listFlags }

  protected async execute(context: Context, { args, flags }: Input<typeof ArtifactsList>): Promise<void> {
    const path = await context.target.build(args.number)
    const size = listSize(flags)
    const pages = await artifactPages(context, path, flags.job, size.per_page)
    await context.out.list(artifacts, { ...size, pages })
  }
}
