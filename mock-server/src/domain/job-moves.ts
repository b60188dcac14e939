import type { JobRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'
import { commandOf, type JobState, type JobType } from './job.js'

/** What can happen to a job. Barriers make the moves of the last three rows themselves, when the build is settled. */
export type JobEvent =
  | { readonly type: 'assign'; readonly agent: string }
  | { readonly type: 'accept' }
  | { readonly type: 'start' }
  | { readonly type: 'promise'; readonly exit_status: number }
  | {
      readonly type: 'exit'
      readonly exit_status: number
      readonly signal?: string | null
      readonly signal_reason?: string | null
    }
  | { readonly type: 'timeOut' }
  | { readonly type: 'stopTimedOut' }
  | { readonly type: 'limit' }
  | { readonly type: 'unlimit' }
  | { readonly type: 'expire' }
  | { readonly type: 'trigger'; readonly buildId: string }
  | { readonly type: 'failTrigger'; readonly log: string | null }
  | { readonly type: 'mirror'; readonly state: 'passed' | 'failed' | 'canceled' | 'skipped' }
  | { readonly type: 'unblock'; readonly user: string | null }
  | { readonly type: 'refuseUnblock' }
  | { readonly type: 'cancel'; readonly graceful: boolean }
  | { readonly type: 'stopCanceled' }
  | { readonly type: 'supersede' }
  | { readonly type: 'release' | 'pass' | 'reach' }
  | { readonly type: 'failBarrier' | 'restore' }

export type JobEventType = JobEvent['type']

interface Move {
  readonly event: JobEventType
  readonly types: readonly JobType[]
  readonly from: readonly JobState[]
  readonly to: readonly JobState[]
}

const script: readonly JobType[] = ['script']
const trigger: readonly JobType[] = ['trigger']
const manual: readonly JobType[] = ['manual']
const waiter: readonly JobType[] = ['waiter']
const work: readonly JobType[] = ['script', 'trigger']
const any: readonly JobType[] = ['script', 'waiter', 'manual', 'trigger']
const unstarted: readonly JobState[] = ['waiting', 'blocked', 'scheduled', 'limited', 'assigned', 'accepted']

/** Every move that a job can make, for API, timers, control and seeds; a retry makes a new job instead. */
export const jobMoves: readonly Move[] = [
  { event: 'assign', types: script, from: ['scheduled'], to: ['assigned'] },
  { event: 'accept', types: script, from: ['assigned'], to: ['accepted'] },
  { event: 'start', types: script, from: ['accepted'], to: ['running'] },
  { event: 'promise', types: script, from: ['running'], to: ['running'] },
  { event: 'exit', types: script, from: ['running'], to: ['passed', 'failed'] },
  { event: 'timeOut', types: script, from: ['running'], to: ['timing_out'] },
  { event: 'stopTimedOut', types: script, from: ['timing_out'], to: ['timed_out'] },
  { event: 'limit', types: script, from: ['scheduled'], to: ['limited'] },
  { event: 'unlimit', types: script, from: ['limited'], to: ['scheduled'] },
  { event: 'expire', types: script, from: ['scheduled', 'limited'], to: ['expired'] },
  { event: 'trigger', types: trigger, from: ['scheduled'], to: ['running', 'passed'] },
  { event: 'failTrigger', types: trigger, from: ['scheduled'], to: ['failed'] },
  {
    event: 'mirror',
    types: trigger,
    from: ['running'],
    to: ['passed', 'failed', 'canceled', 'skipped'],
  },
  { event: 'unblock', types: manual, from: ['blocked'], to: ['unblocked'] },
  { event: 'refuseUnblock', types: manual, from: ['blocked'], to: ['unblocked_failed'] },
  {
    event: 'cancel',
    types: any,
    from: [...unstarted, 'running', 'timing_out'],
    to: ['canceled', 'canceling'],
  },
  { event: 'stopCanceled', types: script, from: ['canceling'], to: ['canceled'] },
  { event: 'supersede', types: any, from: unstarted, to: ['skipped'] },
  {
    event: 'release',
    types: work,
    from: ['waiting', 'blocked', 'waiting_failed', 'blocked_failed'],
    to: ['scheduled'],
  },
  { event: 'pass', types: waiter, from: ['waiting', 'waiting_failed'], to: ['passed'] },
  { event: 'reach', types: manual, from: ['waiting', 'waiting_failed'], to: ['blocked'] },
  {
    event: 'failBarrier',
    types: any,
    from: ['waiting', 'blocked'],
    to: ['waiting_failed', 'blocked_failed'],
  },
  {
    event: 'restore',
    types: any,
    from: ['waiting_failed', 'blocked_failed'],
    to: ['waiting', 'blocked'],
  },
]

/** A job that comes nearer to its start or end leaves its build as it is. */
const quiet: ReadonlySet<JobEventType> = new Set(['assign', 'accept', 'promise', 'timeOut', 'limit', 'unlimit'])

/** The build is recomputed: a job started, finished, or was let through. */
export const movesBuild = (event: JobEvent): boolean => !quiet.has(event.type)

/** The job after an event at a time of the wire, or why it may not happen. */
export function moveJob(job: JobRecord, event: JobEvent, at: string): Decision<JobRecord> {
  const move = jobMoves.find((candidate) => candidate.event === event.type)
  const state = job.state as JobState
  if (!move?.types.includes(job.type) || !move.from.includes(state)) {
    return refuse('unprocessable', `A ${job.type} job that is ${job.state} can't ${words[event.type]}`)
  }
  if (event.type === 'promise' && (event.exit_status === 0 || !Number.isInteger(event.exit_status))) {
    return refuse('unprocessable', 'A promised exit_status must be an integer other than 0')
  }
  if (event.type === 'promise' && job.promised_exit_status !== undefined) {
    return refuse('unprocessable', 'The job has already promised its failure')
  }
  return accept({ ...job, ...changes(job, event, at) })
}

/** The job after an event, or as it is where the event may not happen. */
export function movedIfLegal(job: JobRecord, event: JobEvent, at: string): JobRecord {
  const decision = moveJob(job, event, at)
  return decision.ok ? decision.value : job
}

function changes(job: JobRecord, event: JobEvent, at: string): Partial<JobRecord> {
  switch (event.type) {
    case 'assign':
      return { state: 'assigned', agent: event.agent }
    case 'accept':
      return { state: 'accepted' }
    case 'start':
      return { state: 'running', started_at: at }
    case 'promise':
      return { promised_exit_status: event.exit_status, promised_exit_status_at: at }
    case 'exit':
      return {
        state: event.exit_status === 0 ? 'passed' : 'failed',
        exit_status: event.exit_status,
        signal: event.signal ?? null,
        signal_reason: event.signal_reason ?? null,
        soft_failed: event.exit_status !== 0 && isSoft(job, event.exit_status),
        finished_at: at,
      }
    case 'timeOut':
      return { state: 'timing_out' }
    case 'stopTimedOut':
      return { state: 'timed_out', exit_status: -1, signal: 'SIGTERM', signal_reason: 'cancel', finished_at: at }
    case 'limit':
      return { state: 'limited' }
    case 'unlimit':
      return { state: 'scheduled', runnable_at: job.runnable_at ?? at }
    case 'expire':
      return { state: 'expired', finished_at: at }
    case 'trigger':
      return {
        state: job.async === true ? 'passed' : 'running',
        triggeredBuildId: event.buildId,
        started_at: at,
        finished_at: job.async === true ? at : null,
      }
    case 'failTrigger':
      return { state: 'failed', finished_at: at, log: event.log }
    case 'mirror':
      return { state: event.state, finished_at: at }
    case 'unblock':
      return { state: 'unblocked', unblockedBy: event.user, unblocked_at: at, finished_at: at }
    case 'refuseUnblock':
      return { state: 'unblocked_failed', finished_at: at }
    case 'cancel':
      return canceled(job, event.graceful, at)
    case 'stopCanceled':
      return { state: 'canceled', ...killed, finished_at: at }
    case 'supersede':
      return { state: 'skipped', finished_at: at }
    case 'release':
      return { state: 'scheduled', runnable_at: at }
    case 'pass':
      return { state: 'passed', finished_at: at }
    case 'reach':
      return { state: 'blocked', runnable_at: at }
    case 'failBarrier':
      return { state: `${job.state}_failed` }
    case 'restore':
      return { state: job.state.replace('_failed', '') }
  }
}

const killed = { exit_status: -1, signal: 'SIGTERM', signal_reason: 'cancel' } as const

/** A job on an agent is stopped by a signal, at once or after the grace; any other just ends. */
function canceled(job: JobRecord, graceful: boolean, at: string): Partial<JobRecord> {
  const stopped = job.agent !== null
  if (stopped && graceful) return { state: 'canceling' }
  return { state: 'canceled', finished_at: at, ...(stopped ? killed : {}) }
}

function isSoft(job: JobRecord, exit_status: number): boolean {
  const rule = commandOf(job)?.softFail
  return rule === true || (Array.isArray(rule) && rule.includes(exit_status))
}

const words: Readonly<Record<JobEventType, string>> = {
  assign: 'be assigned',
  accept: 'be accepted',
  start: 'start',
  promise: 'promise its failure',
  exit: 'exit',
  timeOut: 'time out',
  stopTimedOut: 'end its time-out',
  limit: 'be limited',
  unlimit: 'be scheduled',
  expire: 'expire',
  trigger: 'trigger a build',
  failTrigger: 'fail to trigger a build',
  mirror: "follow its triggered build's end",
  unblock: 'be unblocked',
  refuseUnblock: 'fail to be unblocked',
  cancel: 'be canceled',
  stopCanceled: 'end its cancellation',
  supersede: 'be skipped',
  release: 'be scheduled',
  pass: 'be passed',
  reach: 'be blocked',
  failBarrier: 'fail with its barrier',
  restore: 'wait again',
}
