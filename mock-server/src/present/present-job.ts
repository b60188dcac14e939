import type { Agent, Job, TriggeredBuild, User } from '@buildwire/sdk/contract'
import type { BuildRecord, JobRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import { graphqlId, type recordUrls } from './urls.js'

/** Where the jobs of one build live: computed once per build, not once per job. */
export interface JobPlace {
  readonly organization: string
  readonly buildUrl: string
  readonly buildWebUrl: string
}

/** What a job needs of the presentation that it is part of. */
interface Shown {
  readonly recorded: boolean
  readonly state: ReadonlyState
  readonly urls: Pick<ReturnType<typeof recordUrls>, 'cluster'>
  user(id: string | null): User | null
  agent(id: string, form: 'short' | 'full'): Agent | null
  buildUrls(build: BuildRecord): { readonly url: string; readonly web_url: string }
}

/**
 * A job as its kind shows it: keys that a kind does not have are undefined, which JSON leaves out. Plain literals,
 * assigned: one `...` inside a literal of so many keys costs fifty times as much.
 */
export function presentJob(show: Shown, job: JobRecord, place: JobPlace, agent: 'short' | 'full'): Job {
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
    build_url: waits ? undefined : show.recorded ? place.buildUrl : place.buildWebUrl,
    web_url: waits ? undefined : `${place.buildWebUrl}#${id}`,
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
    unblock_url: job.state === 'blocked' ? `${place.buildUrl}/jobs/${job.id}/unblock` : null,
  }),
}

function scriptFields(show: Shown, job: JobRecord, place: JobPlace, agent: 'short' | 'full'): object {
  const url = `${place.buildUrl}/jobs/${job.id}`
  const queue = job.queueId === null ? undefined : show.state.get('queues', job.queueId)
  const cluster = queue === undefined ? null : show.urls.cluster(place.organization, queue.clusterId)
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
    promised_exit_status_at: job.promised_exit_status === undefined ? undefined : (job.promised_exit_status_at ?? null),
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

const signature = ({ signature: signed }: JobRecord): NonNullable<NonNullable<Job['step']>['signature']> | null =>
  signed === null ? null : { ...signed }

function triggered(show: Shown, job: JobRecord): TriggeredBuild | null {
  const build = job.triggeredBuildId ? show.state.get('builds', job.triggeredBuildId) : undefined
  if (build === undefined) return null
  const { url, web_url } = show.buildUrls(build)
  return { id: build.id, number: build.number, url, web_url }
}
