import type {
  Agent,
  Build,
  Job,
  Organization,
  Pipeline,
  Provider,
  RebuiltFrom,
  TestRecord,
  TriggeredFrom,
  User,
} from '@buildwire/sdk/contract'
import { once } from '../base/once.js'
import { isLatest } from '../domain/job.js'
import type {
  BuildRecord,
  JobRecord,
  List,
  OrganizationRecord,
  PipelineRecord,
  TestRecordRecord,
} from '../records/records.js'
import type { Caller, SandboxContext } from '../request/exchange.js'
import { type BuildLocation, presentJob } from './present-job.js'
import { graphqlId, recordUrls } from './urls.js'

export interface BuildPresentationOptions {
  /** The jobs to show. Default: the latest execution of each job. */
  readonly jobs?: List<JobRecord> | undefined
  readonly excludeJobs?: boolean
  readonly excludePipeline?: boolean
  /** `short` in lists; `full`, the default, elsewhere. */
  readonly agent?: 'short' | 'full'
  readonly testEngine?: boolean
}

type PresentedSandbox = Pick<SandboxContext, 'store' | 'urls' | 'settings'>

/**
 * Converts records to the objects of the API, for one caller and one request. Nested users and
 * pipelines are converted once.
 */
export type Presentation = ReturnType<typeof present>

/** Starts a presentation. Without a caller, as on pages, fields that need rights stay empty. */
export function present(sandbox: PresentedSandbox, caller?: Pick<Caller, 'user' | 'scopes'>) {
  const { state } = sandbox.store
  const urls = recordUrls(sandbox.urls)
  const users = new Map<string, User>()
  const pipelines = new Map<string, Pipeline>()
  const organizationSlug = (id: string): string => state.get('organizations', id)?.slug ?? ''
  const pipelineSlug = (id: string): string => state.get('pipelines', id)?.slug ?? ''

  const mayEdit = (pipeline: PipelineRecord): boolean =>
    caller?.scopes.has('write_pipelines') === true &&
    state.find('member', pipeline.organizationId, caller.user.id)?.role === 'admin'

  const show = {
    state,
    urls,
    recorded: sandbox.settings.dialect === 'recorded',
    user(id: string | null): User | null {
      const record = id === null ? undefined : state.get('users', id)
      if (record === undefined) return null
      return once(users, record.id, () => ({
        id: record.id,
        graphql_id: graphqlId('User', record.id),
        name: record.name,
        email: record.email,
        avatar_url: urls.avatar(record.id),
        created_at: record.created_at,
      }))
    },
    agent(id: string, form: 'short' | 'full'): Agent | null {
      const record = state.get('agents', id)
      if (record === undefined) return null
      const slug = organizationSlug(record.organizationId)
      if (form === 'short') return { id, url: urls.agent(slug, id), name: record.name }
      return {
        id,
        graphql_id: graphqlId('Agent', id),
        url: urls.agent(slug, id),
        web_url: urls.agentWeb(slug, id),
        name: record.name,
        connection_state: record.connection_state,
        hostname: record.hostname,
        ip_address: record.ip_address,
        user_agent: record.user_agent,
        creator: show.user(record.creatorId),
        created_at: record.created_at,
      }
    },
    organization: (record: OrganizationRecord): Organization => ({
      id: record.id,
      graphql_id: graphqlId('Organization', record.id),
      url: urls.organization(record.slug),
      web_url: urls.organizationWeb(record.slug),
      name: record.name,
      slug: record.slug,
      pipelines_url: `${urls.organization(record.slug)}/pipelines`,
      created_at: record.created_at,
    }),
    pipeline: (record: PipelineRecord): Pipeline =>
      once(pipelines, record.id, () => {
        const organization = organizationSlug(record.organizationId)
        const url = urls.pipeline(organization, record.slug)
        const pipeline = {
          id: record.id,
          graphql_id: graphqlId('Pipeline', record.id),
          url,
          web_url: urls.pipelineWeb(organization, record.slug),
          name: record.name,
          slug: record.slug,
          repository: record.repository,
          branch_configuration: record.branch_configuration,
          default_branch: record.default_branch,
          provider: {
            id: record.providerId,
            webhook_url: mayEdit(record) ? urls.webhook(organization, record.webhookKey) : '',
            settings: { ...record.providerSettings } as NonNullable<Provider['settings']>,
          },
          skip_queued_branch_builds: record.skip_queued_branch_builds,
          skip_queued_branch_builds_filter: record.skip_queued_branch_builds_filter,
          cancel_running_branch_builds: record.cancel_running_branch_builds,
          cancel_running_branch_builds_filter: record.cancel_running_branch_builds_filter,
          builds_url: `${url}/builds`,
          badge_url: urls.badge(record.id),
          created_at: record.created_at,
        }
        // `Object.assign` is fifty times as fast as a spread into the literal.
        return Object.assign(pipeline, state.builds(record.id).counts)
      }),
    /** All that `pipeline` reads beside the record and the URLs of the server. */
    pipelineFacts: (record: PipelineRecord): string => {
      const counts = Object.values(state.builds(record.id).counts)
      return `${organizationSlug(record.organizationId)} ${mayEdit(record)} ${counts.join(' ')}`
    },
    /** The URLs of a build, which those of its jobs begin with. */
    locationOf(record: BuildRecord): BuildLocation {
      const organization = organizationSlug(record.organizationId)
      const pipeline = pipelineSlug(record.pipelineId)
      return {
        organization,
        url: urls.build(organization, pipeline, record.number),
        web_url: urls.buildWeb(organization, pipeline, record.number),
      }
    },
    build(record: BuildRecord, options: BuildPresentationOptions = {}): Build {
      const pipeline = state.get('pipelines', record.pipelineId)
      const location = show.locationOf(record)
      const { url, web_url } = location
      const jobs = options.jobs ?? record.jobs.filter(isLatest)
      // A plain literal, without a spread, for the same reason as in `presentJob`.
      const build = {
        id: record.id,
        graphql_id: graphqlId('Build', record.id),
        url,
        web_url,
        number: record.number,
        state: record.state,
        blocked: record.blocked,
        cancel_reason: record.cancel_reason,
        message: record.message,
        commit: record.commit,
        branch: record.branch,
        env: record.env,
        source: record.source,
        creator: show.user(record.creatorId),
        author: record.author === null ? null : { ...record.author },
        jobs: options.excludeJobs
          ? undefined
          : jobs.map((job) => presentJob(show, job, location, options.agent ?? 'full')),
        created_at: record.created_at,
        scheduled_at: record.scheduled_at,
        started_at: record.started_at,
        failing_at: record.failing_at,
        finished_at: record.finished_at,
        meta_data: metaData(record, show.recorded),
        pull_request: pullRequest(record, show.recorded),
        rebuilt_from: rebuiltFrom(record),
        triggered_from: triggeredFrom(record),
        pipeline:
          options.excludePipeline || pipeline === undefined ? undefined : show.pipeline(pipeline),
        test_engine: options.testEngine ? { runs: testRuns(record) } : undefined,
      }
      return build as Build
    },
    job: (build: BuildRecord, record: JobRecord): Job =>
      presentJob(show, record, show.locationOf(build), 'full'),
    test: (record: TestRecordRecord, options: { readonly labels?: boolean } = {}): TestRecord => {
      const suite = state.get('suites', record.suiteId)
      const organization = organizationSlug(suite?.organizationId ?? '')
      return {
        id: record.id,
        url: urls.test(organization, suite?.slug ?? '', record.id),
        web_url: urls.testWeb(organization, suite?.slug ?? '', record.id),
        scope: record.scope,
        name: record.name,
        location: record.location,
        file_name: record.file_name,
        ...(options.labels === true && { labels: [...record.labels] }),
      }
    },
  }

  const rebuiltFrom = ({ organizationId, rebuiltFrom: from }: BuildRecord): RebuiltFrom | null =>
    from && {
      id: from.id,
      number: from.number,
      url: urls.build(organizationSlug(organizationId), pipelineSlug(from.pipelineId), from.number),
    }

  const triggeredFrom = ({ triggeredFrom: from }: BuildRecord): TriggeredFrom | null =>
    from && {
      build_id: from.buildId,
      build_number: from.number,
      build_pipeline_slug: pipelineSlug(from.pipelineId),
    }

  const testRuns = (record: BuildRecord) =>
    record.testRuns.flatMap((run) => {
      const suite = state.get('suites', run.suiteId)
      return suite === undefined ? [] : [{ id: run.id, suite: { id: suite.id, slug: suite.slug } }]
    })

  return show
}

function metaData({ meta_data }: BuildRecord, asText: boolean): Build['meta_data'] {
  return asText
    ? Object.fromEntries(Object.entries(meta_data).map(([key, value]) => [key, String(value)]))
    : { ...meta_data }
}

function pullRequest(
  { pull_request }: BuildRecord,
  recorded: boolean,
): NonNullable<Build['pull_request']> | null {
  if (pull_request === null) return recorded ? null : {}
  return { ...pull_request, id: pull_request.id ?? '', labels: [...pull_request.labels] }
}
