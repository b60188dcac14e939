import type {
  Agent,
  Build,
  Job,
  Organization,
  Pipeline,
  Provider,
  RebuiltFrom,
  TestRecord,
  TriggeredBuild,
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
import { graphqlId, recordUrls } from './urls.js'

export interface BuildOptions {
  /** The jobs to show; undefined leaves the key out. Default: the latest execution of each. */
  readonly jobs?: List<JobRecord> | undefined
  readonly excludeJobs?: boolean
  readonly excludePipeline?: boolean
  /** Lists show agents short, all else in full (the default). */
  readonly agent?: 'short' | 'full'
  readonly testEngine?: boolean
}

type Seen = Pick<SandboxContext, 'store' | 'urls' | 'settings'>

/**
 * Records as the wire shows them, to one caller, for the length of one request: nested records are
 * made once.
 */
export type Presentation = ReturnType<typeof present>

/** Starts a presentation; without caller nobody has rights, as on pages. */
export function present(sandbox: Seen, caller?: Pick<Caller, 'user' | 'scopes'>) {
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
        const made = {
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
        // Not spread into the literal: that costs fifty times as much.
        return Object.assign(made, state.builds(record.id).counts)
      }),
    /** Where a build and its jobs live: computed once per build, not once per job. */
    placeOf(record: BuildRecord) {
      const organization = organizationSlug(record.organizationId)
      const pipeline = pipelineSlug(record.pipelineId)
      return {
        organization,
        url: urls.build(organization, pipeline, record.number),
        web_url: urls.buildWeb(organization, pipeline, record.number),
      }
    },
    build(record: BuildRecord, options: BuildOptions = {}): Build {
      const pipeline = state.get('pipelines', record.pipelineId)
      const place = show.placeOf(record)
      const { url, web_url } = place
      const jobs = options.jobs ?? record.jobs.filter(isLatest)
      // Plain, without `...`, as a job is: what is left out is undefined.
      const made = {
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
          : jobs.map((job) => presentJob(show, job, place, options.agent ?? 'full')),
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
      return made as Build
    },
    job: (build: BuildRecord, record: JobRecord): Job =>
      presentJob(show, record, show.placeOf(build), 'full'),
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

type Place = ReturnType<Presentation['placeOf']>

/**
 * Plain literals, assigned: one `...` in a literal of so many keys costs fifty times as much. JSON
 * drops undefined.
 */
function presentJob(
  show: Presentation,
  job: JobRecord,
  place: Place,
  agent: 'short' | 'full',
): Job {
  const { id, type } = job
  const graphql_id = graphqlId('Job', id)
  const waits = type === 'waiter'
  if (show.recorded && waits) return { id, graphql_id, type }
  const name = waits ? undefined : (job.name ?? '')
  const common = {
    id,
    graphql_id,
    type,
    name,
    label: type === 'manual' ? name : undefined,
    step_key: job.step_key,
    group_key: job.group_key,
    state: job.state,
    build_url: waits ? undefined : show.recorded ? place.url : place.web_url,
    web_url: waits ? undefined : `${place.web_url}#${id}`,
    created_at: job.created_at,
    scheduled_at: job.scheduled_at,
    runnable_at: job.runnable_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
  }
  return Object.assign({}, common, kindFields[type](show, job, place, agent)) as Job
}

const kindFields: Readonly<Record<JobRecord['type'], typeof scriptFields>> = {
  script: scriptFields,
  waiter: () => ({}),
  trigger: (show, job) => ({ async: job.async === true, triggered_build: triggered(show, job) }),
  manual: (show, job, place) => ({
    unblocked_by: show.user(job.unblockedBy ?? null),
    unblocked_at: job.unblocked_at ?? null,
    unblockable: job.state === 'blocked',
    unblock_url: job.state === 'blocked' ? `${place.url}/jobs/${job.id}/unblock` : null,
  }),
}

function scriptFields(
  show: Presentation,
  job: JobRecord,
  place: Place,
  agent: 'short' | 'full',
): object {
  const url = `${place.url}/jobs/${job.id}`
  const queue = job.queueId === null ? undefined : show.state.get('queues', job.queueId)
  const cluster =
    queue === undefined ? null : show.urls.cluster(place.organization, queue.clusterId)
  return {
    step: { id: job.stepId, signature: signature(job) },
    priority: { number: job.priority },
    agent_query_rules: [...job.agent_query_rules],
    log_url: `${url}/log`,
    raw_log_url: `${url}/log.txt`,
    artifact_url: `${url}/artifacts`,
    artifacts_url: `${url}/artifacts`,
    command: job.command,
    artifact_paths: job.artifact_paths,
    soft_failed: job.soft_failed,
    exit_status: job.exit_status,
    signal: job.signal,
    signal_reason: job.signal_reason,
    promised_exit_status: job.promised_exit_status,
    promised_exit_status_at:
      job.promised_exit_status === undefined ? undefined : (job.promised_exit_status_at ?? null),
    agent: job.agent === null ? null : show.agent(job.agent, agent),
    retried: job.retried,
    retried_in_job_id: job.retried_in_job_id,
    retries_count: job.retries_count,
    retry_source: job.retry_source === null ? null : { ...job.retry_source },
    retry_type: job.retry_type,
    parallel_group_index: job.parallel_group_index,
    parallel_group_total: job.parallel_group_total,
    matrix: job.matrix as NonNullable<Job['matrix']>,
    cluster_id: queue?.clusterId ?? null,
    cluster_url: cluster,
    cluster_queue_id: queue?.id ?? null,
    cluster_queue_url: queue === undefined ? null : `${cluster}/queues/${queue.id}`,
  }
}

function signature({
  signature: signed,
}: JobRecord): NonNullable<NonNullable<Job['step']>['signature']> | null {
  return signed === null ? null : { ...signed }
}

function triggered(show: Presentation, job: JobRecord): TriggeredBuild | null {
  const build = job.triggeredBuildId ? show.state.get('builds', job.triggeredBuildId) : undefined
  if (build === undefined) return null
  const { url, web_url } = show.placeOf(build)
  return { id: build.id, number: build.number, url, web_url }
}
