import type { QueryName } from '@buildwire/sdk/contract'
import { buildFilters, queryBuilds } from '../domain/build-query.js'
import { accept, refuse } from '../domain/decision.js'
import { type Query, readQuery } from '../http/query.js'
import type { BuildOptions } from '../present/present.js'
import { printBuild, printPage } from '../present/print-builds.js'
import type { JobRecord } from '../records/records.js'
import type { Context, Handler, Handlers } from '../request/exchange.js'
import { organizationsOf, type Place, pipelineAccess } from '../request/resource.js'
import type { BuildScope } from '../store/build-index.js'
import { pageOf, withQuery } from './route.js'

/**
 * All builds of the organization that the caller may see: as one scope where no pipeline is hidden.
 */
function visibleScopes(context: Context, organizationId: string): readonly BuildScope[] {
  const { state } = context.sandbox.store
  const pipelines = state.list('pipelines', organizationId)
  const visible = pipelines.filter((pipeline) => pipelineAccess(context, pipeline) !== 'none')
  if (visible.length === pipelines.length) return [state.builds(organizationId)]
  return visible.map((pipeline) => state.builds(pipeline.id))
}

type ListId = 'builds.list' | 'builds.listForOrganization' | 'builds.listForPipeline'

function listBuilds<Id extends ListId>(
  id: Id,
  scopesOf: (place: Place<Id>, context: Context) => readonly BuildScope[],
): Handler {
  return withQuery<ListId>(id, buildFilters, ({ place, query }, context) => {
    const { maxListingDepth, dialect } = context.sandbox.settings
    const page = pageOf(id, query, context)
    if (page.offset >= maxListingDepth) {
      return refuse(
        'bad_request',
        'Listing builds this deep is not supported. Please narrow your query using filters such as branch or created_from.',
      )
    }
    const { state } = context.sandbox.store
    const { found, hasMore, total } = queryBuilds(
      scopesOf(place as Place<Id>, context),
      query,
      page,
      (job) => job.queueId !== null && state.get('queues', job.queueId)?.paused === true,
    )
    // Services know it on each list, the documented API on one.
    const widest =
      dialect === 'recorded' ? readQuery('builds.listForPipeline', context.query) : accept(query)
    if (!widest.ok) return widest
    const headers = page.headers({ hasMore, total, deepest: maxListingDepth })
    return accept({
      json: printPage(context, { exclude_pipeline: false, ...widest.value }, found),
      headers,
    })
  })
}

/** What a parameter of `builds.get` changes: which jobs are shown, or what of the build. */
type View<T> = (value: T) => BuildOptions | ((job: JobRecord) => boolean)

const views: { readonly [N in QueryName<'builds.get'>]: View<Query<'builds.get'>[N]> } = {
  exclude_jobs: (excludeJobs) => ({ excludeJobs }),
  include_retried_jobs: (all) => (job) => all || !job.retried,
  job_states: (states) => (job) => states.length === 0 || states.includes(job.state),
  include_test_engine: (testEngine) => ({ testEngine }),
}

export const buildReadHandlers = {
  'builds.list': listBuilds('builds.list', (_place, context) =>
    organizationsOf(context).flatMap((organization) => visibleScopes(context, organization.id)),
  ),

  'builds.listForOrganization': listBuilds(
    'builds.listForOrganization',
    ({ organization }, context) => visibleScopes(context, organization.id),
  ),

  'builds.listForPipeline': listBuilds('builds.listForPipeline', ({ pipeline }, context) => [
    context.sandbox.store.state.builds(pipeline.id),
  ]),

  'builds.get': withQuery('builds.get', views, ({ place: { build }, query, show }, context) => {
    const isPlain = Object.values(query).every(
      (value) => value === false || (Array.isArray(value) && value.length === 0),
    )
    if (isPlain) return accept({ json: printBuild(context, build) })
    const chosen = Object.entries(views).map(([name, view]) =>
      view(query[name as keyof typeof views] as never),
    )
    const jobs = build.jobs.filter((job) =>
      chosen.every((keeps) => typeof keeps !== 'function' || keeps(job)),
    )
    const options: BuildOptions = Object.assign({ jobs }, ...chosen)
    return accept({ body: show.build(build, options) })
  }),
} satisfies Partial<Handlers>
