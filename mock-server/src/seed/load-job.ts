import { blankJob, isFinished } from '../domain/job.js'
import { timestamp } from '../domain/timestamp.js'
import type { Path } from '../fields/field.js'
import type { BuildRecord, JobRecord, Step } from '../records/records.js'
import type { SeedBuild } from './build-tables.js'
import { copiedJobFields, jobTable, jobTimes, type SeedJob } from './job-tables.js'
import { agentNamed, type PipelineLocation } from './load-organization.js'
import { stepsWithin } from './load-pipeline.js'
import type { Loading } from './loading.js'

const reachedStart = new Set(['running', 'passed', 'failed', 'timed_out', 'timing_out'])
const reachedAgent = new Set([...reachedStart, 'assigned', 'accepted'])
const neverRunnable = new Set([
  'pending',
  'waiting',
  'waiting_failed',
  'blocked',
  'blocked_failed',
  'broken',
  'canceled',
  'skipped',
])
/** Jobs that stay held back until their build ends: they have no finish time. */
const neverEnded = new Set(['waiting_failed', 'blocked_failed'])

const startDelayMs = 2000
const defaultRunMs = 30_000

const exitStatuses: Readonly<Record<string, number>> = { passed: 0, failed: 1, timed_out: -1 }

export function stepByKey(steps: readonly Step[], key: string): Step | undefined {
  return stepsWithin(steps).find(([step]) => 'key' in step && step.key === key)?.[0]
}

function stepName(step: Step | undefined): string | null {
  if (!step) return null
  if ('block' in step) return step.block
  if ('group' in step) return step.group
  if ('wait' in step) return null
  return step.label ?? ('command' in step ? step.command : step.trigger)
}

/** The stored job that a job of the document means: by its id, else the latest of its step key. */
export function storedJob(
  stored: BuildRecord | undefined,
  { id, step_key }: Pick<SeedJob, 'id' | 'step_key'>,
) {
  return stored?.jobs.find((job) =>
    id ? job.id === id : step_key && job.step_key === step_key && !job.retried,
  )
}

interface JobLoading {
  readonly loading: Loading
  readonly location: PipelineLocation
  /** Epoch ms. */
  readonly createdAt: number
  /** Derived times are at most this, in epoch ms. */
  readonly latest: number
  /** One id per step key: retries and members of a parallel group share it. */
  readonly stepIds: Map<string, string>
}

function timesOf(
  { loading, createdAt, latest }: JobLoading,
  given: SeedJob,
  stored: JobRecord | undefined,
  { type, state }: Pick<JobRecord, 'type' | 'state'>,
) {
  const isScript = type === 'script'
  const isRunnable = isScript && (given.started_at != null || !neverRunnable.has(state))
  const hasStarted = isScript && reachedStart.has(state)
  const hasEnded = isFinished({ state }) && !neverEnded.has(state)
  const within = (ms: number) => timestamp(Math.max(createdAt, Math.min(ms, latest)))
  const after = (time: unknown, ms: number) => within(Date.parse(String(time)) + ms)
  const unblockedAt =
    type === 'manual' && given.unblocked_at ? loading.time(given.unblocked_at) : null

  return loading.merge(jobTimes, given, given.state ? undefined : stored, {
    created_at: () => stored?.created_at ?? timestamp(createdAt),
    scheduled_at: ({ created_at }) => stored?.scheduled_at ?? String(created_at),
    runnable_at: ({ created_at }) =>
      isRunnable ? (stored?.runnable_at ?? String(created_at)) : null,
    started_at: ({ created_at }) =>
      hasStarted ? (stored?.started_at ?? after(created_at, startDelayMs)) : null,
    finished_at: ({ created_at, started_at }) =>
      hasEnded
        ? (unblockedAt ?? after(started_at ?? created_at, isScript ? defaultRunMs : 0))
        : null,
  })
}

/** The fields that only trigger jobs have, or only block steps. */
function fieldsOfType(
  loading: Loading,
  given: SeedJob,
  stored: JobRecord | undefined,
  type: JobRecord['type'],
  at: Path,
): Partial<JobRecord> {
  const { async, unblocked_at } = jobTable
  if (type === 'trigger') {
    return {
      ...loading.merge({ async }, given, stored, {}),
      triggeredBuildId: stored?.triggeredBuildId ?? null,
    }
  }
  if (type !== 'manual') return {}
  const unblockedBy = loading.userId(
    [...at, 'unblocked_by'],
    given.unblocked_by ?? undefined,
    stored?.unblockedBy,
  )
  return { ...loading.merge({ unblocked_at }, given, stored, {}), unblockedBy }
}

/** The id of a job: as given, as stored, or a new one; reports an id of another job. */
function idOf(
  { state, context, issues, once }: Loading,
  given: SeedJob,
  stored: JobRecord | undefined,
  at: Path,
): string {
  if (given.id && !stored) {
    const isTaken = state.find('buildByJob', given.id) || !once('job', given.id, [...at, 'id'])
    if (isTaken) issues.issue([...at, 'id'], 'belongs to another job')
  }
  return given.id ?? stored?.id ?? context.uuid('job')
}

function loadJob(
  jobLoading: JobLoading,
  given: SeedJob,
  stored: JobRecord | undefined,
  at: Path,
): JobRecord {
  const { loading, location, stepIds } = jobLoading
  const { organization, pipeline } = location
  const { state: records, context } = loading
  const { type, step_key } = loading.merge(
    { type: copiedJobFields.type, step_key: copiedJobFields.step_key },
    given,
    stored,
    {},
  )
  const isScript = type === 'script'
  const step = (step_key === null ? undefined : stepByKey(pipeline.steps, step_key)) ?? stored?.step

  const queueKey = given.queue ?? (step && 'queue' in step ? step.queue : undefined)
  const queueId = given.queue
    ? loading.refer('queue', [...at, 'queue'], organization.id, given.queue)?.id
    : queueKey && records.find('queueByKey', organization.id, queueKey)?.id

  const id = idOf(loading, given, stored, at)
  const sharedStepId = step_key === null ? undefined : stepIds.get(step_key)
  const stepId = stored?.stepId ?? sharedStepId ?? context.uuid('step')
  if (step_key !== null) stepIds.set(step_key, stepId)

  const command = () => (step && 'command' in step ? step.command : '')
  const defaultName = (): string | null => {
    if (type === 'waiter') return null
    return step_key ?? ((given.command ?? stored?.command ?? command()) || null)
  }
  const fields = loading.merge(copiedJobFields, given, stored, {
    state: () => (type === 'manual' ? 'unblocked' : 'passed'),
    name: () => stepName(step) ?? defaultName(),
    command,
    agent_query_rules: () => (queueKey ? [`queue=${queueKey}`] : []),
  })
  const exited = loading.merge(
    { exit_status: jobTable.exit_status },
    given,
    given.state ? undefined : stored,
    { exit_status: () => (isScript ? exitStatuses[fields.state] : null) ?? null },
  )
  const needsAgent = isScript && !stored?.agent && reachedAgent.has(fields.state)
  const agentName = given.agent ?? (needsAgent ? 'agent-1' : undefined)

  return {
    ...blankJob,
    ...stored,
    ...fields,
    ...exited,
    id,
    ...(given.group_key && { group_key: given.group_key }),
    stepId,
    queueId: queueId ?? stored?.queueId ?? null,
    agent: agentName ? agentNamed(loading, organization, agentName) : (stored?.agent ?? null),
    ...(given.promised_exit_status && {
      promised_exit_status: given.promised_exit_status,
      promised_exit_status_at: loading.time(given.promised_exit_status_at ?? '-0s'),
    }),
    ...timesOf(jobLoading, given, stored, fields),
    ...fieldsOfType(loading, given, stored, type, at),
    ...(step && { step }),
  }
}

/**
 * Loads the jobs of a build; returns the stored jobs first, then the new ones. Times that the
 * document does not give lie between the creation and the end of the build.
 */
export function loadJobs(
  loading: Loading,
  location: PipelineLocation,
  build: SeedBuild,
  storedBuild: BuildRecord | undefined,
  created_at: string,
  at: Path,
): readonly JobRecord[] {
  const createdAt = Date.parse(created_at)
  const latest = build.finished_at
    ? Date.parse(loading.time(build.finished_at))
    : Math.max(loading.context.now, createdAt)
  const jobLoading: JobLoading = { loading, location, createdAt, latest, stepIds: new Map() }

  const given = build.jobs ?? []
  const loaded = given.map((job, n) =>
    loadJob(jobLoading, job, storedJob(storedBuild, job), [...at, n]),
  )
  const linked = linkRetries(loading, given, loaded, at)
  const byId = new Map(linked.map((job) => [job.id, job]))
  const before = storedBuild?.jobs.map((job) => byId.get(job.id) ?? job) ?? []
  return [...before, ...linked.filter(({ id }) => !before.some((job) => job.id === id))]
}

/**
 * Joins each job with `retried: true` to the next job, which must belong to the same step.
 */
function linkRetries(
  loading: Loading,
  given: readonly SeedJob[],
  jobs: readonly JobRecord[],
  at: Path,
): readonly JobRecord[] {
  const linked = [...jobs]
  for (const [n, job] of given.entries()) {
    const old = linked[n]
    const next = linked[n + 1]
    if (job.retried !== true || !old || old.retried_in_job_id !== null) continue
    if (!next || next.step_key !== old.step_key || next.name !== old.name) {
      loading.issues.issue(
        [...at, n, 'retried'],
        'the job right after a retried one must be of the same step',
      )
      continue
    }
    const retry_type = job.retry_type ?? 'manual'
    linked[n] = { ...old, retried: true, retried_in_job_id: next.id, retry_type }
    linked[n + 1] = {
      ...next,
      stepId: old.stepId,
      retries_count: (old.retries_count ?? 0) + 1,
      retry_source: { job_id: old.id, retry_type },
    }
  }
  return linked
}
