import { BUILD_STATES, JOB_STATES } from '@buildwire/sdk/contract'
import type { Answer, Context, Handlers } from '../context.js'
import { queryBuilds } from '../domain/build-query.js'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { linkHeader } from '../http/link.js'
import { present } from '../http/present.js'
import { type PageOptions, printBuild, printPage } from '../http/print-builds.js'
import {
  parseUuid,
  readBoolean,
  readList,
  readMetaData,
  readPaging,
  readSingle,
  readStates,
  readTime,
} from '../http/query.js'
import { findBuild, findOrganization, findPipeline, organizationsOf, pipelineAccess } from '../http/resource.js'
import type { BuildScope } from '../store/build-index.js'

function readListOptions(context: Context): Decision<PageOptions> {
  const { query } = context
  const state = readStates(query, 'state', BUILD_STATES)
  if (!state.ok) return state
  const creator = readSingle(query, 'creator')
  if (!creator.ok) return creator
  const creatorId = creator.value === null ? null : parseUuid(creator.value)
  if (creator.value !== null && creatorId === null) return refuse('bad_request', 'creator must be a user UUID')
  const created_from = readTime(query, 'created_from')
  if (!created_from.ok) return created_from
  const created_to = readTime(query, 'created_to')
  if (!created_to.ok) return created_to
  const finished_from = readTime(query, 'finished_from')
  if (!finished_from.ok) return finished_from
  const meta_data = readMetaData(query)
  if (!meta_data.ok) return meta_data
  const excludeJobs = readBoolean(query, 'exclude_jobs', false)
  if (!excludeJobs.ok) return excludeJobs
  const retried = readBoolean(query, 'include_retried_jobs', false)
  if (!retried.ok) return retried
  const paused = readBoolean(query, 'include_paused', true)
  if (!paused.ok) return paused
  const excludePipeline =
    'exclude_pipeline' in context.operation.query ? readBoolean(query, 'exclude_pipeline', false) : accept(false)
  if (!excludePipeline.ok) return excludePipeline
  return accept({
    filter: {
      branch: readList(query, 'branch'),
      commit: readList(query, 'commit'),
      state: state.value,
      creator: creatorId,
      created_from: created_from.value,
      created_to: created_to.value,
      finished_from: finished_from.value,
      meta_data: meta_data.value,
      include_paused: paused.value,
      include_retried_jobs: retried.value,
    },
    excludeJobs: excludeJobs.value,
    excludePipeline: excludePipeline.value,
  })
}

/** All builds of the organization that the caller may see: as one scope where no pipeline is hidden. */
function visibleScopes(context: Context, organizationId: string): readonly BuildScope[] {
  const { state } = context.sandbox.store
  const pipelines = state.pipelines(organizationId)
  const visible = pipelines.filter((pipeline) => pipelineAccess(context, pipeline) !== 'none')
  if (visible.length === pipelines.length) return [state.builds(organizationId)]
  return visible.map((pipeline) => state.builds(pipeline.id))
}

function listBuilds(context: Context, scopes: readonly BuildScope[], url: string): Decision<Answer> {
  const options = readListOptions(context)
  if (!options.ok) return options
  const paging = readPaging(context.query)
  if (!paging.ok) return paging
  const { page, per_page } = paging.value
  const { maxListingDepth } = context.sandbox.settings
  const offset = (page - 1) * per_page
  if (offset >= maxListingDepth) {
    return refuse(
      'bad_request',
      'Listing builds this deep is not supported. Please narrow your query using filters such as branch or created_from.',
    )
  }
  const { state } = context.sandbox.store
  const { found, hasMore, total } = queryBuilds(
    scopes,
    options.value.filter,
    { offset, limit: per_page },
    (job) => job.queueId !== null && state.get('queues', job.queueId)?.paused === true,
  )
  const link = linkHeader(url, context.query, paging.value, { hasMore, total, deepest: maxListingDepth })
  return accept({
    json: printPage(context, options.value, found),
    ...(link !== undefined && { headers: { Link: link } }),
  })
}

export const buildReadHandlers = {
  'builds.list': (_path, context) => {
    const organizations = organizationsOf(context)
    const scopes = organizations.flatMap((organization) => visibleScopes(context, organization.id))
    return listBuilds(context, scopes, `${context.sandbox.urls.baseUrl}/v2/builds`)
  },

  'builds.listForOrganization': (path, context) => {
    const organization = findOrganization(context, path)
    if (!organization.ok) return organization
    const { id, slug } = organization.value
    const { urls } = present(context.sandbox)
    return listBuilds(context, visibleScopes(context, id), `${urls.organization(slug)}/builds`)
  },

  'builds.listForPipeline': (path, context) => {
    const place = findPipeline(context, path)
    if (!place.ok) return place
    const { organization, pipeline } = place.value
    const { urls, state } = present(context.sandbox)
    const url = `${urls.pipeline(organization.slug, pipeline.slug)}/builds`
    return listBuilds(context, [state.builds(pipeline.id)], url)
  },

  'builds.get': (path, context) => {
    const place = findBuild(context, path)
    if (!place.ok) return place
    const { query } = context
    const excludeJobs = readBoolean(query, 'exclude_jobs', false)
    if (!excludeJobs.ok) return excludeJobs
    const retried = readBoolean(query, 'include_retried_jobs', false)
    if (!retried.ok) return retried
    const states = readStates(query, 'job_states', JOB_STATES)
    if (!states.ok) return states
    const testEngine = readBoolean(query, 'include_test_engine', false)
    if (!testEngine.ok) return testEngine
    const { build } = place.value
    const isPlain = !excludeJobs.value && !retried.value && states.value.length === 0 && !testEngine.value
    if (isPlain) return accept({ json: printBuild(context, build) })
    const jobs = build.jobs.filter(
      (job) => (retried.value || !job.retried) && (states.value.length === 0 || states.value.includes(job.state)),
    )
    const options = { jobs, excludeJobs: excludeJobs.value, testEngine: testEngine.value }
    return accept({ body: present(context.sandbox, context.caller).build(build, options) })
  },
} satisfies Partial<Handlers>
