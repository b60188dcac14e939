import type { QueryName, RetryState } from '@buildwire/sdk/contract'
import { buildFilters, queryBuilds } from '../domain/build-query.js'
import { cancelBuild } from '../domain/cancel.js'
import { createBuild, rebuildBuild } from '../domain/create-build.js'
import { accept, type Decision, map, refuse } from '../domain/decision.js'
import { readRetryStates, retryFailedJobs } from '../domain/retry.js'
import { type Query, readQuery } from '../http/query.js'
import { bodyReader, type Property } from '../http/read-body.js'
import { type BuildPresentationOptions, present } from '../present/present.js'
import { printBuild, printPage } from '../present/print-builds.js'
import type { BuildRecord, JobRecord } from '../records/records.js'
import type {
  HandlerAnswer,
  Handlers,
  RequestContext,
  RequestHandler,
} from '../request/exchange.js'
import { inTurn, organizationsOf, pipelineAccess, type RecordsOf } from '../request/resource.js'
import type { ScopedBuilds } from '../store/build-index.js'
import { turnOf } from '../store/turn.js'
import { readCreateBuild } from './builds/create-body.js'
import { pageOf, route, withBody, withQuery } from './route.js'

/**
 * The builds of an organization that the caller may see. If no pipeline is hidden, they are one
 * scope, which is faster to query than one scope per pipeline.
 */
function visibleScopes(context: RequestContext, organizationId: string): readonly ScopedBuilds[] {
  const { state } = context.sandbox.store
  const pipelines = state.list('pipelines', organizationId)
  const visible = pipelines.filter((pipeline) => pipelineAccess(context, pipeline) !== 'none')
  if (visible.length === pipelines.length) return [state.builds(organizationId)]
  return visible.map((pipeline) => state.builds(pipeline.id))
}

type ListId = 'builds.list' | 'builds.listForOrganization' | 'builds.listForPipeline'

function listBuilds<Id extends ListId>(
  id: Id,
  scopesOf: (place: RecordsOf<Id>, context: RequestContext) => readonly ScopedBuilds[],
): RequestHandler {
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
    const isPaused = ({ queueId }: JobRecord) =>
      queueId !== null && state.get('queues', queueId)?.paused === true
    const scopes = scopesOf(place as RecordsOf<Id>, context)
    const { found, hasMore, total } = queryBuilds(scopes, query, page, isPaused)

    // Real services accept exclude_pipeline on each list; the API documents it for one list only.
    const isRecorded = dialect === 'recorded'
    const shape = isRecorded ? readQuery('builds.listForPipeline', context.query) : accept(query)
    if (!shape.ok) return shape

    return accept({
      json: printPage(context, { exclude_pipeline: false, ...shape.value }, found),
      headers: page.headers({ hasMore, total, deepest: maxListingDepth }),
    })
  })
}

/** Turns a parameter's value into options of the presentation or into a filter of the jobs. */
type ViewParameter<T> = (value: T) => BuildPresentationOptions | ((job: JobRecord) => boolean)

type ViewParameters = {
  readonly [N in QueryName<'builds.get'>]: ViewParameter<Query<'builds.get'>[N]>
}

const viewParameters: ViewParameters = {
  exclude_jobs: (excludeJobs) => ({ excludeJobs }),
  include_retried_jobs: (all) => (job) => all || !job.retried,
  job_states: (states) => (job) => states.length === 0 || states.includes(job.state),
  include_test_engine: (testEngine) => ({ testEngine }),
}

function answerBuild(context: RequestContext, build: BuildRecord): HandlerAnswer {
  return { json: printBuild(context, build) }
}

const reason: Property<string | null> = (value) => (typeof value === 'string' ? value : null)
const readCancel = bodyReader('builds.cancel', { cancel_reason: reason })

const states: Property<readonly RetryState[]> = (value, _name, faults) => {
  const read = readRetryStates(value)
  if (read.ok) return read.value
  faults.refuse(read.failure)
  return []
}

export const buildHandlers = {
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

  'builds.get': withQuery('builds.get', viewParameters, ({ place, query, show }, context) => {
    const { build } = place
    const isPlain = Object.values(query).every(
      (value) => value === false || (Array.isArray(value) && value.length === 0),
    )
    if (isPlain) return accept({ json: printBuild(context, build) })

    const views = Object.entries(viewParameters).map(([name, viewOf]) =>
      viewOf(query[name as keyof ViewParameters] as never),
    )
    const jobs = build.jobs.filter((job) =>
      views.every((view) => typeof view !== 'function' || view(job)),
    )
    const options: BuildPresentationOptions = Object.assign({ jobs }, ...views)
    return accept({ body: show.build(build, options) })
  }),

  'builds.create': withBody('builds.create', readCreateBuild, async ({ place, body }, context) => {
    const { user } = context.caller
    const author = body.author ?? { name: user.name, email: user.email }
    const created = await context.sandbox.store.update((tx): Decision<BuildRecord> => {
      const pipeline = tx.state.get('pipelines', place.pipeline.id)
      if (pipeline === undefined) return refuse('not_found', 'No pipeline found')

      const turn = turnOf(tx, context.sandbox, context.now)
      return createBuild(turn, pipeline, { ...body, author }, { source: 'api', creatorId: user.id })
    })
    return map(created, (build): HandlerAnswer => {
      const { url } = present(context.sandbox).locationOf(build)
      return { ...answerBuild(context, build), headers: { Location: url } }
    })
  }),

  // The body is optional, so its unknown properties are ignored even under `--strict`.
  'builds.cancel': withBody(
    'builds.cancel',
    (body) => readCancel(body, { strict: false }),
    async ({ place, body }, context) => {
      const canceled = await inTurn(context, place, (turn, build) =>
        cancelBuild(turn, build, body.cancel_reason),
      )
      return map(canceled, (build) => answerBuild(context, build))
    },
    { isOptional: true },
  ),

  'builds.rebuild': route('builds.rebuild', async ({ place }, context) => {
    const { user } = context.caller
    const rebuilt = await inTurn(context, place, (turn, build, pipeline) =>
      rebuildBuild(turn, pipeline, build, user),
    )
    return map(rebuilt, (build) => answerBuild(context, build))
  }),

  'builds.retryFailedJobs': withBody(
    'builds.retryFailedJobs',
    bodyReader('builds.retryFailedJobs', { states }),
    async ({ place, body, show }, context) => {
      const retried = await inTurn(context, place, (turn, build) =>
        accept(retryFailedJobs(turn, build, body.states)),
      )
      return map(retried, ({ build, count }) => ({
        body: { ...show.build(build), retried_jobs_count: count },
      }))
    },
  ),
} satisfies Partial<Handlers>
