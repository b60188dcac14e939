import { blankJob, isFinished } from '../domain/job.js'
import { timestamp } from '../domain/timestamp.js'
import type { Path } from '../fields/field.js'
import type { JobRecord, OrganizationRecord, PipelineRecord, Step } from '../store/records.js'
import type { SeedJob } from './build-tables.js'
import { userOf } from './load-organization.js'
import { choose, type Loading } from './loading.js'

/** What a job takes from its build where it says nothing itself. */
export interface JobFrame {
  readonly organization: OrganizationRecord
  readonly pipeline: PipelineRecord
  /** Epoch ms between which default times of the job lie. */
  readonly createdAt: number
  readonly latest: number
  /** One id per step key: retries and parallel members share it. */
  readonly stepIds: Map<string, string>
}

const reachedAgent = new Set(['assigned', 'accepted', 'running', 'passed', 'failed', 'timed_out', 'timing_out'])
const reachedStart = new Set(['running', 'passed', 'failed', 'timed_out', 'timing_out'])
const neverRunnable = new Set(['pending', 'waiting', 'waiting_failed', 'blocked', 'blocked_failed', 'broken'])

const startDelayMs = 2000
const defaultRunMs = 30_000

const stepByKey = (steps: readonly Step[], key: string): Step | undefined =>
  steps.reduce<Step | undefined>(
    (found, step) =>
      found ?? ('key' in step && step.key === key ? step : 'group' in step ? stepByKey(step.steps, key) : undefined),
    undefined,
  )

/** The agent of this name, made when the organization has none yet. */
export const agentNamed = ({ state, context, tx }: Loading, organization: OrganizationRecord, name: string): string => {
  for (const agent of state.values('agents')) {
    if (agent.organizationId === organization.id && agent.name === name) return agent.id
  }
  const id = context.uuid('agent')
  tx.put('agents', {
    id,
    organizationId: organization.id,
    name,
    hostname: `${name}.${organization.slug}.example`,
    connection_state: 'connected',
    ip_address: null,
    user_agent: 'agent/3.80.0',
    creatorId: null,
    created_at: timestamp(context.now - 30 * 86_400_000),
  })
  return id
}

const defaultExitStatus = (state: string): number | null => {
  if (state === 'passed') return 0
  if (state === 'failed') return 1
  return state === 'timed_out' ? -1 : null
}

const stepName = (step: Step | undefined): string | null => {
  if (!step) return null
  if ('block' in step) return step.block
  if ('group' in step) return step.group
  if ('wait' in step) return null
  return step.label ?? ('command' in step ? step.command : step.trigger)
}

const times = (loading: Loading, given: SeedJob, stored: JobRecord | undefined, frame: JobFrame, state: string) => {
  const script = (given.type ?? stored?.type ?? 'script') === 'script'
  const within = (ms: number) => timestamp(Math.max(frame.createdAt, Math.min(ms, frame.latest)))
  const read = (
    name: 'created_at' | 'scheduled_at' | 'runnable_at' | 'started_at' | 'finished_at',
    fallback: () => string | null,
  ) =>
    choose<string | null>(given[name] && loading.time(given[name]), given.state ? undefined : stored?.[name], fallback)
  const created_at =
    read('created_at', () => stored?.created_at ?? timestamp(frame.createdAt)) ?? timestamp(frame.createdAt)
  const started_at = read('started_at', () =>
    script && reachedStart.has(state) ? (stored?.started_at ?? within(Date.parse(created_at) + startDelayMs)) : null,
  )
  const ended = isFinished({ state } as JobRecord)
  return {
    created_at,
    scheduled_at: read('scheduled_at', () => stored?.scheduled_at ?? created_at) ?? created_at,
    runnable_at: read('runnable_at', () =>
      script && !neverRunnable.has(state) ? (stored?.runnable_at ?? created_at) : null,
    ),
    started_at,
    finished_at: read('finished_at', () =>
      ended ? within(Date.parse(started_at ?? created_at) + (script ? defaultRunMs : 0)) : null,
    ),
  }
}

const kindFields = (
  loading: Loading,
  given: SeedJob,
  stored: JobRecord | undefined,
  type: string,
  at: Path,
): Partial<JobRecord> => {
  if (type === 'trigger') {
    return {
      async: choose(given.async, stored?.async, () => false),
      triggeredBuildId: stored?.triggeredBuildId ?? null,
    }
  }
  if (type !== 'manual') return {}
  const user = given.unblocked_by ? userOf(loading, given.unblocked_by, [...at, 'unblocked_by']) : undefined
  return {
    unblockedBy: user?.id ?? stored?.unblockedBy ?? null,
    unblocked_at: choose<string | null>(
      given.unblocked_at && loading.time(given.unblocked_at),
      stored?.unblocked_at,
      () => null,
    ),
  }
}

export const loadJob = (
  loading: Loading,
  given: SeedJob,
  stored: JobRecord | undefined,
  frame: JobFrame,
  at: Path,
): JobRecord => {
  const { state: records, context } = loading
  const type = choose<JobRecord['type']>(given.type, stored?.type, () => 'script')
  const state = choose<string>(given.state, stored?.state, () => (type === 'manual' ? 'unblocked' : 'passed'))
  const step_key = choose<string | null>(given.step_key, stored?.step_key, () => null)
  const step = (step_key === null ? undefined : stepByKey(frame.pipeline.steps, step_key)) ?? stored?.step
  const queueKey = given.queue ?? (step && 'queue' in step ? step.queue : undefined)
  const queue = queueKey === undefined ? undefined : records.find('queueByKey', frame.organization.id, queueKey)
  if (given.queue && !queue) loading.dangling('queue', given.queue, [...at, 'queue'], 'queue')

  const id = given.id ?? stored?.id ?? context.uuid('job')
  if (given.id && !stored && (records.find('buildByJob', given.id) || !loading.once('job', given.id, [...at, 'id']))) {
    loading.issues.issue([...at, 'id'], 'belongs to another job')
  }
  const stepId = stored?.stepId ?? (step_key === null ? undefined : frame.stepIds.get(step_key)) ?? context.uuid('step')
  if (step_key !== null) frame.stepIds.set(step_key, stepId)
  const script = type === 'script'
  const agentName = given.agent ?? (script && !stored?.agent && reachedAgent.has(state) ? 'agent-1' : undefined)
  const command = choose(given.command, stored?.command, () => (step && 'command' in step ? step.command : ''))
  return {
    ...blankJob,
    ...stored,
    id,
    type,
    state,
    name: choose<string | null>(
      given.name,
      stored?.name,
      () => stepName(step) ?? (type === 'waiter' ? null : (step_key ?? (command || null))),
    ),
    step_key,
    ...(given.group_key && { group_key: given.group_key }),
    stepId,
    command,
    artifact_paths: choose(given.artifact_paths, stored?.artifact_paths, () => ''),
    agent_query_rules: choose(given.agent_query_rules, stored?.agent_query_rules, () =>
      queueKey ? [`queue=${queueKey}`] : [],
    ),
    priority: choose(given.priority, stored?.priority, () => 0),
    queueId: queue?.id ?? stored?.queueId ?? null,
    agent: agentName ? agentNamed(loading, frame.organization, agentName) : (stored?.agent ?? null),
    soft_failed: choose(given.soft_failed, stored?.soft_failed, () => false),
    exit_status: choose<number | null>(given.exit_status, given.state ? undefined : stored?.exit_status, () =>
      script ? defaultExitStatus(state) : null,
    ),
    signal: choose<string | null>(given.signal, stored?.signal, () => null),
    signal_reason: choose<string | null>(given.signal_reason, stored?.signal_reason, () => null),
    ...(given.promised_exit_status && {
      promised_exit_status: given.promised_exit_status,
      promised_exit_status_at: loading.time(given.promised_exit_status_at ?? '-0s'),
    }),
    ...times(loading, given, stored, frame, state),
    parallel_group_index: choose<number | null>(given.parallel_group_index, stored?.parallel_group_index, () => null),
    parallel_group_total: choose<number | null>(given.parallel_group_total, stored?.parallel_group_total, () => null),
    matrix: choose<JobRecord['matrix']>(given.matrix, stored?.matrix, () => null),
    ...kindFields(loading, given, stored, type, at),
    ...(step && { step }),
    log: choose<string | null>(given.log, stored?.log, () => null),
  }
}

/** Joins each job with `retried: true` to the one right after it, which must be of the same step. */
export const linkRetries = (
  loading: Loading,
  given: readonly SeedJob[],
  jobs: readonly JobRecord[],
  at: Path,
): readonly JobRecord[] => {
  const linked = [...jobs]
  for (const [n, job] of given.entries()) {
    const old = linked[n]
    const next = linked[n + 1]
    if (job.retried !== true || !old || old.retried_in_job_id !== null) continue
    if (!next || next.step_key !== old.step_key || next.name !== old.name) {
      loading.issues.issue([...at, n, 'retried'], 'the job right after a retried one must be of the same step')
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
