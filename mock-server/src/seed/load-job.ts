import { blankJob, isFinished } from '../domain/job.js'
import { timestamp } from '../domain/timestamp.js'
import type { Path } from '../fields/field.js'
import type { BuildRecord, JobRecord, Step } from '../records/records.js'
import { jobOwn, jobTable, jobTimes, type SeedBuild, type SeedJob } from './build-tables.js'
import { agentNamed, type PipelinePlace, stepsWithin } from './load-organization.js'
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
/** Held back for good: they end with their build and have no end of their own. */
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

/** A job of the document is the stored one of its id, or the latest of its step key. */
export function storedJob(
  stored: BuildRecord | undefined,
  { id, step_key }: Pick<SeedJob, 'id' | 'step_key'>,
) {
  return stored?.jobs.find((job) =>
    id ? job.id === id : step_key && job.step_key === step_key && !job.retried,
  )
}

/**
 * The jobs of a build, stored ones first. Times that nobody gave lie between the build's creation
 * and its end.
 */
export function loadJobs(
  loading: Loading,
  { organization, pipeline }: PipelinePlace,
  build: SeedBuild,
  before: BuildRecord | undefined,
  created_at: string,
  at: Path,
): readonly JobRecord[] {
  const { state: records, context, issues } = loading
  const createdAt = Date.parse(created_at)
  const latest = build.finished_at
    ? Date.parse(loading.time(build.finished_at))
    : Math.max(context.now, createdAt)
  /** One id per step key: retries and parallel members share it. */
  const stepIds = new Map<string, string>()

  const timesOf = (
    given: SeedJob,
    stored: JobRecord | undefined,
    own: Pick<JobRecord, 'type' | 'state'>,
  ) => {
    const script = own.type === 'script'
    const runnable = script && (given.started_at != null || !neverRunnable.has(own.state))
    const starts = script && reachedStart.has(own.state)
    const within = (ms: number) => timestamp(Math.max(createdAt, Math.min(ms, latest)))
    const after = (time: unknown, ms: number) => within(Date.parse(String(time)) + ms)
    return loading.merge(jobTimes, given, given.state ? undefined : stored, {
      created_at: () => stored?.created_at ?? timestamp(createdAt),
      scheduled_at: (made) => stored?.scheduled_at ?? String(made['created_at']),
      runnable_at: (made) =>
        runnable ? (stored?.runnable_at ?? String(made['created_at'])) : null,
      started_at: (made) =>
        starts ? (stored?.started_at ?? after(made['created_at'], startDelayMs)) : null,
      finished_at: (made) =>
        isFinished(own) && !neverEnded.has(own.state)
          ? after(made['started_at'] ?? made['created_at'], script ? defaultRunMs : 0)
          : null,
    })
  }

  /** What only trigger jobs, and what only block steps have. */
  const kindFields = (
    given: SeedJob,
    stored: JobRecord | undefined,
    type: string,
    here: Path,
  ): Partial<JobRecord> => {
    const { async, unblocked_at } = jobTable
    if (type === 'trigger') {
      return {
        ...loading.merge({ async }, given, stored, {}),
        triggeredBuildId: stored?.triggeredBuildId ?? null,
      }
    }
    if (type !== 'manual') return {}
    const unblockedBy = loading.userId(
      [...here, 'unblocked_by'],
      given.unblocked_by ?? undefined,
      stored?.unblockedBy,
    )
    return { ...loading.merge({ unblocked_at }, given, stored, {}), unblockedBy }
  }

  const load = (given: SeedJob, n: number): JobRecord => {
    const here = [...at, n]
    const stored = storedJob(before, given)
    const { type, step_key } = loading.merge(
      { type: jobOwn.type, step_key: jobOwn.step_key },
      given,
      stored,
      {},
    )
    const step =
      (step_key === null ? undefined : stepByKey(pipeline.steps, step_key)) ?? stored?.step
    const queueKey = given.queue ?? (step && 'queue' in step ? step.queue : undefined)
    const queueId = given.queue
      ? loading.refer('queue', [...here, 'queue'], organization.id, given.queue)?.id
      : queueKey && records.find('queueByKey', organization.id, queueKey)?.id
    const id = given.id ?? stored?.id ?? context.uuid('job')
    if (
      given.id &&
      !stored &&
      (records.find('buildByJob', given.id) || !loading.once('job', given.id, [...here, 'id']))
    ) {
      issues.issue([...here, 'id'], 'belongs to another job')
    }
    const stepId =
      stored?.stepId ??
      (step_key === null ? undefined : stepIds.get(step_key)) ??
      context.uuid('step')
    if (step_key !== null) stepIds.set(step_key, stepId)
    const script = type === 'script'
    const command = () => (step && 'command' in step ? step.command : '')
    const own = loading.merge(jobOwn, given, stored, {
      state: () => (type === 'manual' ? 'unblocked' : 'passed'),
      name: () =>
        stepName(step) ??
        (type === 'waiter'
          ? null
          : (step_key ?? ((given.command ?? stored?.command ?? command()) || null))),
      command,
      agent_query_rules: () => (queueKey ? [`queue=${queueKey}`] : []),
    })
    const exited = { exit_status: () => (script ? exitStatuses[own.state] : null) ?? null }
    const agentName =
      given.agent ??
      (script && !stored?.agent && reachedAgent.has(own.state) ? 'agent-1' : undefined)
    return {
      ...blankJob,
      ...stored,
      ...own,
      ...loading.merge(
        { exit_status: jobTable.exit_status },
        given,
        given.state ? undefined : stored,
        exited,
      ),
      id,
      ...(given.group_key && { group_key: given.group_key }),
      stepId,
      queueId: queueId ?? stored?.queueId ?? null,
      agent: agentName ? agentNamed(loading, organization, agentName) : (stored?.agent ?? null),
      ...(given.promised_exit_status && {
        promised_exit_status: given.promised_exit_status,
        promised_exit_status_at: loading.time(given.promised_exit_status_at ?? '-0s'),
      }),
      ...timesOf(given, stored, own),
      ...kindFields(given, stored, type, here),
      ...(step && { step }),
    }
  }

  const listed = build.jobs ?? []
  const linked = linkRetries(loading, listed, listed.map(load), at)
  const changed = new Map(linked.map((job) => [job.id, job]))
  const kept = before?.jobs.map((job) => changed.get(job.id) ?? job) ?? []
  return [...kept, ...linked.filter(({ id }) => !kept.some((job) => job.id === id))]
}

/**
 * Joins each job with `retried: true` to the one right after it, which must be of the same step.
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
