import type { Build, BuildStateFilter, PipelinePath } from '@buildwire/sdk/contract'
import { CommandError, ExitRequest, usageError } from '../io/command-error.js'
import { ExitCode } from '../io/exit-codes.js'
import { isNonInteractive } from '../io/io.js'
import { firstLine, reference, say } from '../io/printable.js'
import { buildState } from '../views/build.js'
import type { TargetTools } from './target.js'

/**
 * The newest build of a pipeline, and of one branch if that is given. A build in one of `states`
 * comes first; where there is none, the newest of any state.
 */
export async function newestBuild(
  context: TargetTools,
  { org_slug, pipeline_slug }: PipelinePath,
  branch: string | undefined,
  states?: readonly BuildStateFilter[],
): Promise<Build> {
  const ci = await context.ci()
  const params = {
    org_slug,
    pipeline_slug,
    exclude_jobs: true,
    exclude_pipeline: true,
    per_page: 1,
  }
  const query = branch === undefined ? params : { ...params, branch }
  const filters = states === undefined ? [{}] : [{ state: states }, {}]
  for (const filter of filters) {
    const page = await ci.builds.listForPipeline(
      { ...query, ...filter },
      { signal: context.signal },
    )
    const [build] = page.items
    if (build) return build
  }
  const where = branch === undefined ? '' : ` on branch ${branch}`
  throw new CommandError('not_found', say`${org_slug}/${pipeline_slug} has no build${where}`, {
    hint: ['builds', 'list', '-p', `${org_slug}/${pipeline_slug}`],
  })
}

/**
 * Asks a person before a command changes the newest build, which the command line does not name.
 *
 * @throws CommandError `usage` when no person can be asked; ExitRequest when the answer is no.
 */
export async function confirmChange(
  context: TargetTools,
  path: PipelinePath,
  build: Build,
  verb: string,
): Promise<void> {
  const { io, noInput } = context
  const name = reference(path, build.number)
  const message = JSON.stringify(firstLine(build.message ?? ''))
  const about = say`${buildState(build)}, ${build.branch}, ${message}`
  if (isNonInteractive(io, noInput)) {
    throw usageError(say`the build is missing, and there is no terminal; --yes takes the newest`, {
      lines: [say`The newest is ${name} (${about})`],
      hint: context.again([name]),
    })
  }
  const { confirm } = await import('../io/picker.js')
  if (await confirm(io, say`${verb} ${name} (${about})?`)) return
  context.notes.line(say`Nothing was done`)
  throw new ExitRequest(ExitCode.usage)
}
