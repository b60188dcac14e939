import { constants } from 'node:os'
import type { SeedDocument } from '@buildwire/mock-server'
import type { Build, BuildPath, Job } from '@buildwire/sdk/contract'
import { DEFAULT_SCOPES } from '../auth/flags.js'
import type { StandIns } from './stand-ins.js'

type SeedPipeline = NonNullable<
  NonNullable<NonNullable<SeedDocument['organizations']>[number]['pipelines']>[number]
>
type SeedBuild = Exclude<NonNullable<SeedPipeline['builds']>[number], { readonly play: unknown }>
type SeedJob = NonNullable<SeedBuild['jobs']>[number]

/** Builds of one pipeline, as a service sent them. */
export interface CapturedBuilds {
  readonly pipelinePath: Pick<BuildPath, 'org_slug' | 'pipeline_slug'>
  /** Newest first. */
  readonly builds: readonly Build[]
}

const SOURCES = ['webhook', 'api', 'ui', 'trigger_job', 'schedule']

/**
 * A seed of these builds. People, texts and values are replaced. Numbers, times, booleans and words
 * of the contract are kept; the reader of the seed refuses any other value in their place.
 */
export function seedOfBuilds(
  { pipelinePath, builds }: CapturedBuilds,
  standIn: StandIns,
): SeedDocument {
  const { org_slug, pipeline_slug } = pipelinePath
  const numbers = new Set(builds.map(({ number }) => Number(number)))
  const seeds = builds.map((build) => seedBuild(build, pipeline_slug, numbers, standIn)).reverse()
  const { name, default_branch } = builds.find(({ pipeline }) => pipeline != null)?.pipeline ?? {}
  const pipeline = withoutEmpty({
    slug: pipeline_slug,
    name: standIn.words(name),
    default_branch: standIn.words(default_branch),
  })
  const owner = standIn.people()[0] ?? standIn.person({ name: 'owner' })
  const users = standIn.people()
  return {
    version: 1,
    users,
    organizations: [
      {
        slug: org_slug,
        members: users.map(({ email }) => ({ user: email })),
        pipelines: [{ ...pipeline, lifecycle: { policy: 'manual' }, builds: seeds }],
      },
    ],
    accessTokens: [{ name: 'admin', user: owner.email, scopes: [...DEFAULT_SCOPES] }],
  }
}

function seedBuild(
  build: Build,
  pipeline: string,
  numbers: ReadonlySet<number>,
  standIn: StandIns,
): SeedBuild {
  const { number, state, rebuilt_from, author } = build
  const from = Number(rebuilt_from?.number)
  return withoutEmpty({
    number: Number(number),
    // A service may send the state `blocked`, and `creating` for a build that is not scheduled yet.
    state: { blocked: 'passed', creating: 'scheduled' }[String(state)] ?? state,
    blocked: build.blocked === true || state === 'blocked',
    force: true,
    creator: build.creator ? standIn.person(build.creator).email : undefined,
    author: typeof author === 'object' && author !== null ? standIn.person(author) : undefined,
    source: SOURCES.includes(build.source ?? '') ? build.source : undefined,
    branch: standIn.words(build.branch),
    commit: standIn.commit(build.commit),
    message: standIn.words(build.message, 10_000),
    cancel_reason: standIn.words(build.cancel_reason),
    env: withStandIns(build.env, standIn, /[^A-Za-z0-9_]/gu),
    meta_data: withStandIns(build.meta_data, standIn),
    pull_request: build.pull_request && pullRequest(build.pull_request, standIn),
    created_at: build.created_at,
    scheduled_at: build.scheduled_at,
    started_at: build.started_at,
    failing_at: build.failing_at,
    finished_at: build.finished_at,
    rebuilt_from: numbers.has(from) ? { pipeline, number: from } : undefined,
    jobs: inRetryOrder(build.jobs ?? []).map((job) => seedJob(job, pipeline, numbers, standIn)),
  }) as SeedBuild
}

function seedJob(
  job: Job,
  pipeline: string,
  numbers: ReadonlySet<number>,
  standIn: StandIns,
): SeedJob {
  const { type, triggered_build, agent, priority, exit_status, signal, unblocked_by } = job
  const triggersSamePipeline = triggered_build?.web_url?.includes(`/${pipeline}/`)
  const triggered = triggersSamePipeline ? Number(triggered_build?.number) : 0
  return withoutEmpty({
    type: type === 'script' ? undefined : type,
    state: job.state === 'passed' && type !== 'manual' ? undefined : job.state,
    name: standIn.words(job.name ?? job.label),
    step_key: standIn.words(job.step_key),
    group_key: standIn.words(job.group_key),
    command: standIn.words(job.command, 10_000),
    artifact_paths: standIn.words(job.artifact_paths),
    agent_query_rules: job.agent_query_rules?.map((rule) => standIn.words(rule)),
    priority: (typeof priority === 'object' ? priority?.number : priority) || undefined,
    soft_failed: job.soft_failed,
    // On some systems an exit status is larger than a byte.
    exit_status: exit_status == null ? undefined : Math.max(-1, Math.min(exit_status, 255)),
    signal: signal && Object.hasOwn(constants.signals, signal) ? signal : undefined,
    signal_reason: standIn.words(job.signal_reason),
    promised_exit_status: job.promised_exit_status,
    promised_exit_status_at: job.promised_exit_status_at,
    parallel_group_index: job.parallel_group_index,
    parallel_group_total: job.parallel_group_total,
    matrix: job.matrix && withStandIns(job.matrix, standIn),
    agent: agent?.name === undefined ? undefined : standIn.agent(agent.name),
    retried: job.retried,
    retry_type: job.retry_type,
    async: job.async,
    triggered_build: numbers.has(triggered) ? { pipeline, number: triggered } : undefined,
    unblocked_by: unblocked_by ? standIn.person(unblocked_by).email : undefined,
    unblocked_at: job.unblocked_at,
    created_at: job.created_at,
    scheduled_at: job.scheduled_at,
    runnable_at: job.runnable_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
  }) as SeedJob
}

/**
 * Puts each retried job directly before the job that replaces it. A job whose successor is missing
 * counts as not retried.
 */
function inRetryOrder(jobs: readonly Job[]): Job[] {
  const left = new Map(jobs.map((job) => [job.id, job]))
  const successors = new Set(jobs.map(({ retried_in_job_id }) => retried_in_job_id))
  const firstAttempts = jobs.filter(({ id }) => !successors.has(id))
  // All jobs follow, because jobs that replace each other in a ring have no first attempt.
  return [...firstAttempts, ...jobs].flatMap(({ id }) => {
    const chain: Job[] = []
    for (let job = left.get(id); job && isSameStep(job, chain.at(-1) ?? job); ) {
      left.delete(job.id)
      chain.push(job)
      job = left.get(job.retried_in_job_id ?? '')
    }
    return chain.map((job, at) => ({ ...job, retried: at < chain.length - 1 }))
  })
}

function isSameStep(a: Job, b: Job): boolean {
  return (
    (a.step_key ?? '') === (b.step_key ?? '') &&
    (a.name ?? a.label ?? '') === (b.name ?? b.label ?? '')
  )
}

/** Replaces the keys and values of a map; characters of a key that match `invalid` become `_`. */
function withStandIns(
  map: object | null | undefined,
  standIn: StandIns,
  invalid = /(?!)/u,
): object {
  return Object.fromEntries(
    Object.entries(map ?? {}).map(([key, value]) => [
      standIn.words(key)?.replace(invalid, '_'),
      standIn.value(value),
    ]),
  )
}

function pullRequest(pull: NonNullable<Build['pull_request']>, standIn: StandIns): object {
  return withoutEmpty({
    id: pull.id === undefined ? undefined : standIn.words(String(pull.id)),
    base: standIn.words(pull.base),
    repository: standIn.words(pull.repository),
    labels: pull.labels?.map((label) => standIn.words(label)),
    draft: pull.draft,
  })
}

/** The record without null, undefined, false, empty texts, empty lists and empty objects. */
function withoutEmpty<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value))) as T
}

function isEmpty(value: unknown): boolean {
  if (value == null || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
