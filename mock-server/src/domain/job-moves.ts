import type { JobRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'
import { commandOf, type JobState, type JobType } from './job.js'

interface EventData {
  readonly assign: { readonly agent: string }
  readonly promise: { readonly exit_status: number }
  readonly exit: {
    readonly exit_status: number
    readonly signal?: string | null
    readonly signal_reason?: string | null
  }
  readonly trigger: { readonly buildId: string }
  readonly failTrigger: { readonly log: string | null }
  readonly mirror: { readonly state: 'passed' | 'failed' | 'canceled' | 'skipped' }
  readonly unblock: { readonly user: string | null }
  readonly cancel: { readonly graceful: boolean }
}

interface JobMove<Brought> {
  readonly types: readonly JobType[]
  readonly from: readonly JobState[]
  readonly to: readonly JobState[]
  /** Completes the refusal: "A … job can't …". */
  readonly words: string
  /** The changed fields. The new state is the first of `to`, unless it is among them. */
  readonly changes: (at: string, job: JobRecord, brought: Brought) => Partial<JobRecord>
}

function move<Brought = unknown>(
  types: readonly JobType[],
  from: readonly JobState[],
  to: readonly JobState[],
  words: string,
  changes: JobMove<Brought>['changes'] = () => ({}),
): JobMove<Brought> {
  return { types, from, to, words, changes }
}

function ends(at: string): Partial<JobRecord> {
  return { finished_at: at }
}

function becomesRunnable(at: string): Partial<JobRecord> {
  return { runnable_at: at }
}

const killed = { exit_status: -1, signal: 'SIGTERM', signal_reason: 'cancel' } as const

const script: readonly JobType[] = ['script']
const trigger: readonly JobType[] = ['trigger']
const manual: readonly JobType[] = ['manual']
const any: readonly JobType[] = ['script', 'waiter', 'manual', 'trigger']
const unstarted: readonly JobState[] = [
  'waiting',
  'blocked',
  'scheduled',
  'limited',
  'assigned',
  'accepted',
]
const held: readonly JobState[] = ['waiting', 'blocked']
const heldFailed: readonly JobState[] = ['waiting_failed', 'blocked_failed']
const reachable: readonly JobState[] = ['waiting', 'waiting_failed']

/**
 * All moves of jobs. A retry is not a move, because it makes a new job. The last five moves happen
 * only when barriers are settled.
 */
const moves = {
  assign: move(
    script,
    ['scheduled'],
    ['assigned'],
    'be assigned',
    (_at, _job, { agent }: EventData['assign']) => ({
      agent,
    }),
  ),
  accept: move(script, ['assigned'], ['accepted'], 'be accepted'),
  start: move(script, ['accepted'], ['running'], 'start', (at) => ({ started_at: at })),
  promise: move(
    script,
    ['running'],
    ['running'],
    'promise its failure',
    (at, _job, brought: EventData['promise']) => ({
      promised_exit_status: brought.exit_status,
      promised_exit_status_at: at,
    }),
  ),
  exit: move(
    script,
    ['running'],
    ['passed', 'failed'],
    'exit',
    (at, job, brought: EventData['exit']) => ({
      state: brought.exit_status === 0 ? 'passed' : 'failed',
      exit_status: brought.exit_status,
      signal: brought.signal ?? null,
      signal_reason: brought.signal_reason ?? null,
      soft_failed: brought.exit_status !== 0 && isSoft(job, brought.exit_status),
      finished_at: at,
    }),
  ),
  timeOut: move(script, ['running'], ['timing_out'], 'time out'),
  stopTimedOut: move(script, ['timing_out'], ['timed_out'], 'end its time-out', (at) => ({
    ...killed,
    ...ends(at),
  })),
  limit: move(script, ['scheduled'], ['limited'], 'be limited'),
  unlimit: move(script, ['limited'], ['scheduled'], 'be scheduled', (at, job) => ({
    runnable_at: job.runnable_at ?? at,
  })),
  expire: move(script, ['scheduled', 'limited'], ['expired'], 'expire', ends),
  trigger: move(
    trigger,
    ['scheduled'],
    ['running', 'passed'],
    'trigger a build',
    (at, job, { buildId: triggeredBuildId }: EventData['trigger']) => ({
      ...(job.async === true ? { state: 'passed', finished_at: at } : { finished_at: null }),
      triggeredBuildId,
      started_at: at,
    }),
  ),
  failTrigger: move(
    trigger,
    ['scheduled'],
    ['failed'],
    'fail to trigger a build',
    (at, _job, { log }: EventData['failTrigger']) => ({ ...ends(at), log }),
  ),
  mirror: move(
    trigger,
    ['running'],
    ['passed', 'failed', 'canceled', 'skipped'],
    "follow its triggered build's end",
    (at, _job, { state }: EventData['mirror']) => ({ ...ends(at), state }),
  ),
  unblock: move(
    manual,
    ['blocked'],
    ['unblocked'],
    'be unblocked',
    (at, _job, { user }: EventData['unblock']) => ({
      unblockedBy: user,
      unblocked_at: at,
      finished_at: at,
    }),
  ),
  refuseUnblock: move(manual, ['blocked'], ['unblocked_failed'], 'fail to be unblocked', ends),
  // A job on an agent is stopped by a signal, at once or after the grace period.
  cancel: move(
    any,
    [...unstarted, 'running', 'timing_out'],
    ['canceled', 'canceling'],
    'be canceled',
    (at, { agent }, { graceful }: EventData['cancel']) =>
      agent !== null && graceful
        ? { state: 'canceling' }
        : { ...ends(at), ...(agent !== null && killed) },
  ),
  stopCanceled: move(script, ['canceling'], ['canceled'], 'end its cancellation', (at) => ({
    ...killed,
    ...ends(at),
  })),
  supersede: move(any, unstarted, ['skipped'], 'be skipped', ends),
  release: move(
    ['script', 'trigger'],
    [...held, ...heldFailed],
    ['scheduled'],
    'be scheduled',
    becomesRunnable,
  ),
  pass: move(['waiter'], reachable, ['passed'], 'be passed', ends),
  reach: move(manual, reachable, ['blocked'], 'be blocked', becomesRunnable),
  failBarrier: move(any, held, heldFailed, 'fail with its barrier', (_, { state }) => ({
    state: `${state}_failed`,
  })),
  restore: move(any, heldFailed, held, 'wait again', (_, { state }) => ({
    state: state.replace('_failed', ''),
  })),
}

export type JobEventType = keyof typeof moves
export type JobEvent = {
  readonly [T in JobEventType]: { readonly type: T } & (T extends keyof EventData
    ? EventData[T]
    : unknown)
}[JobEventType]

export const jobMoves = (Object.keys(moves) as JobEventType[]).map((event) => {
  const { types, from, to } = moves[event]
  return { event, types, from, to }
})

/** Moves that do not change the state of the build. */
const movesOfJobOnly: ReadonlySet<JobEventType> = new Set([
  'assign',
  'accept',
  'promise',
  'timeOut',
  'limit',
  'unlimit',
])

export function movesBuild(event: JobEvent): boolean {
  return !movesOfJobOnly.has(event.type)
}

export function moveJob(job: JobRecord, event: JobEvent, at: string): Decision<JobRecord> {
  const { types, from, to, words, changes } = moves[event.type] as JobMove<JobEvent>
  if (!types.includes(job.type) || !from.some((state) => state === job.state)) {
    return refuse('unprocessable', `A ${job.type} job that is ${job.state} can't ${words}`)
  }
  if (
    event.type === 'promise' &&
    (event.exit_status === 0 || !Number.isInteger(event.exit_status))
  ) {
    return refuse('unprocessable', 'A promised exit_status must be an integer other than 0')
  }
  if (event.type === 'promise' && job.promised_exit_status !== undefined) {
    return refuse('unprocessable', 'The job has already promised its failure')
  }
  return accept({ ...job, state: to[0] ?? job.state, ...changes(at, job, event) })
}

export function movedIfLegal(job: JobRecord, event: JobEvent, at: string): JobRecord {
  const decision = moveJob(job, event, at)
  return decision.ok ? decision.value : job
}

function isSoft(job: JobRecord, exit_status: number): boolean {
  const rule = commandOf(job)?.softFail
  return rule === true || (Array.isArray(rule) && rule.includes(exit_status))
}
