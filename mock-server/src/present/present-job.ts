import type { Agent, Job, TriggeredBuild, User } from '@buildwire/sdk/contract'
import type { BuildRecord, JobRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import { graphqlId, type RecordUrls } from './urls.js'

export interface BuildLocation {
  /** The slug. */
  readonly organization: string
  readonly url: string
  readonly web_url: string
}

/** The part of a presentation that jobs need. */
export interface JobPresentation {
  readonly state: ReadonlyState
  readonly urls: RecordUrls
  /** Whether the dialect of recorded services is spoken. */
  readonly recorded: boolean
  user(id: string | null): User | null
  agent(id: string, form: 'short' | 'full'): Agent | null
  locationOf(build: BuildRecord): BuildLocation
}

/**
 * A job as the API shows it. Fields that the job does not have are undefined, and JSON leaves them
 * out. `Object.assign` of plain literals is fifty times as fast as a spread into a literal.
 */
export function presentJob(
  show: JobPresentation,
  job: JobRecord,
  location: BuildLocation,
  agent: 'short' | 'full',
): Job {
  const { id, type } = job
  const graphql_id = graphqlId('Job', id)
  const isWaiter = type === 'waiter'
  if (show.recorded && isWaiter) return { id, graphql_id, type }
  const name = isWaiter ? undefined : (job.name ?? '')
  const build_url = show.recorded ? location.url : location.web_url
  const common = {
    id,
    graphql_id,
    type,
    name,
    label: type === 'manual' ? name : undefined,
    step_key: job.step_key,
    group_key: job.group_key,
    state: job.state,
    build_url: isWaiter ? undefined : build_url,
    web_url: isWaiter ? undefined : `${location.web_url}#${id}`,
    created_at: job.created_at,
    scheduled_at: job.scheduled_at,
    runnable_at: job.runnable_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
  }
  return Object.assign({}, common, fieldsOfType[type](show, job, location, agent)) as Job
}

const fieldsOfType: Readonly<Record<JobRecord['type'], typeof scriptFields>> = {
  script: scriptFields,
  waiter: () => ({}),
  trigger: (show, job) => ({
    async: job.async === true,
    triggered_build: triggeredBuild(show, job),
  }),
  manual: (show, job, location) => ({
    unblocked_by: show.user(job.unblockedBy ?? null),
    unblocked_at: job.unblocked_at ?? null,
    unblockable: job.state === 'blocked',
    unblock_url: job.state === 'blocked' ? `${location.url}/jobs/${job.id}/unblock` : null,
  }),
}

function scriptFields(
  show: JobPresentation,
  job: JobRecord,
  location: BuildLocation,
  agent: 'short' | 'full',
): object {
  const url = `${location.url}/jobs/${job.id}`
  const queue = job.queueId === null ? undefined : show.state.get('queues', job.queueId)
  const cluster =
    queue === undefined ? null : show.urls.cluster(location.organization, queue.clusterId)
  return {
    step: { id: job.stepId, signature: signatureOf(job) },
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

type Signature = NonNullable<NonNullable<Job['step']>['signature']>

function signatureOf({ signature }: JobRecord): Signature | null {
  return signature === null ? null : { ...signature }
}

function triggeredBuild(show: JobPresentation, job: JobRecord): TriggeredBuild | null {
  const build = job.triggeredBuildId ? show.state.get('builds', job.triggeredBuildId) : undefined
  if (build === undefined) return null
  const { url, web_url } = show.locationOf(build)
  return { id: build.id, number: build.number, url, web_url }
}
