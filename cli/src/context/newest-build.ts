import type { Build, BuildStateFilter, PipelinePath } from '@buildwire/sdk/contract'
import { CommandError, ExitRequest, usageError } from '../io/command-error.js'
import { ExitCode } from '../io/exit-codes.js'
import { isNonInteractive } from '../io/io.js'
import { firstLine, reference, say } from '../io/printable.js'
import { buildState } from '../views/build.js'
import type { TargetTools } from './target.js'

/** The newest build of a pipeline, on one branch where given; one in those states where there is any. */
export async function newestBuild(
  context: TargetTools,
  { org_slug, pipeline_slug }: PipelinePath,
  branch: string | undefined,
  states?: readonly BuildStateFilter[],
): Promise<Build> {
  const ci = await context.ci()
  const params = { org_slug, pipeline_slug, exclude_jobs: true, exclude_pipeline: true, per_page: 1 }
  const query = branch === undefined ? params : { ...params, branch }
  for (const filter of states === undefined ? [{}] : [{ state: states }, {}]) {
    const page = await ci.builds.listForPipeline({ ...query, ...filter }, { signal: context.signal })
    const [build] = page.items
    if (build) return build
  }
  const where = branch === undefined ? '' : ` on branch ${branch}`
  throw new CommandError('not_found', say`${org_slug}/${pipeline_slug} has no build${where}`, {
    hint: ['builds', 'list', '-p', `${org_slug}/${pipeline_slug}`],
  })
}

/**
 * Lets a person say yes before a build changes that nobody named.
 *
 * @throws CommandError `usage` when nobody can be asked, with the command that names the build.
 * @throws ExitRequest when the answer is no.
 */
export async function askToWrite(context: TargetTools, path: PipelinePath, build: Build, verb: string): Promise<void> {
  const { io, noInput } = context
  const name = reference(path, build.number)
  const about = say`${buildState(build)}, ${build.branch}, ${JSON.stringify(firstLine(build.message ?? ''))}`
  if (isNonInteractive(io, noInput)) {
    throw usageError(say`no build is named, and nobody can be asked; --yes takes the newest`, {
      lines: [say`The newest is ${name} (${about})`],
      hint: context.again([name]),
    })
  }
  const { confirm } = await import('../io/picker.js')
  if (await confirm(io, say`${verb} ${name} (${about})?`)) return
  context.notes.line(say`Nothing was done`)
  throw new ExitRequest(ExitCode.usage)
}
