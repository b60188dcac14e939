import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context.js'
import { CommandError } from '../io/command-error.js'
import { firstLine, say } from '../io/printable.js'
import { shown } from '../io/shown.js'
import { aligned } from '../io/width.js'
import { buildState } from '../views/build.js'

interface PipelinePath {
  readonly org_slug: string
  readonly pipeline_slug: string
}

/** Said where nobody can be asked for a build. */
export const MISSING_BUILD = say`no build is named; say its NUMBER, or @latest for the newest`
const PICKED_FROM = 10

/** Lets a person choose one of the ten newest builds. */
export async function pickBuild(
  context: Context,
  { org_slug, pipeline_slug }: PipelinePath,
  suits: (build: Build) => boolean,
): Promise<number> {
  const question = { title: say`Which build of ${org_slug}/${pipeline_slug}?`, missing: MISSING_BUILD }
  const { pick } = await import('../io/picker.js')
  return pick(context.io, context.noInput, question, async () => {
    const ci = await context.ci()
    const query = { org_slug, pipeline_slug, exclude_jobs: true, exclude_pipeline: true, per_page: PICKED_FROM }
    const page = await ci.builds.listForPipeline(query, { signal: context.signal })
    return shown(() => choices(page.items.filter(suits)))
  })
}

function choices(offered: readonly Build[]) {
  const labels = aligned(
    offered.map(({ number, branch, message, ...build }) =>
      [`#${number}`, buildState(build), branch, firstLine(message ?? '')].map((text) => say`${text}`),
    ),
  )
  return offered.map(({ number }, at) => ({ label: labels[at] ?? say`#${number}`, value: number }))
}

/** The newest build of a pipeline, on one branch where given. */
export async function newestBuild(
  context: Context,
  { org_slug, pipeline_slug }: PipelinePath,
  branch: string | undefined,
): Promise<Build> {
  const ci = await context.ci()
  const params = { org_slug, pipeline_slug, exclude_jobs: true, exclude_pipeline: true, per_page: 1 }
  const query = branch === undefined ? params : { ...params, branch }
  const page = await ci.builds.listForPipeline(query, { signal: context.signal })
  const [build] = page.items
  if (build) return build
  const where = branch === undefined ? '' : ` on branch ${branch}`
  throw new CommandError('not_found', say`${org_slug}/${pipeline_slug} has no build${where}`, {
    hint: ['builds', 'list', '-p', `${org_slug}/${pipeline_slug}`],
  })
}
