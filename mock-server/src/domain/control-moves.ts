import type { BuildRecord, JobRecord } from '../store/records.js'
import { conclude } from './conclude.js'
import { accept, type Decision, refuse } from './decision.js'
import type { JobState } from './job.js'
import type { JobEvent } from './job-moves.js'
import { applyEvent } from './perform.js'
import { retryJob } from './retry.js'
import { triggerBuild } from './trigger.js'
import type { Turn } from './turn.js'

/** What a caller says about the end of a job, beside the state. */
export interface ExitFields {
  readonly exit_status?: number | undefined
  readonly signal?: string | null | undefined
  readonly signal_reason?: string | null | undefined
}

/** One event on the way to a state; an agent or a triggered build is found when it happens. */
type Stage = 'assign' | 'trigger' | JobEvent

/**
 * The states that a job can be sent to from where it is, each with the moves that lead there. A target may pass
 * through the states between (`scheduled` to `running`), never around them.
 */
function routes(job: JobRecord, fields: ExitFields): ReadonlyMap<JobState, readonly Stage[]> {
  const cancel: Stage = { type: 'cancel', graceful: false }
  const ends: [JobState, Stage[]][] = [
    ['canceled', [cancel]],
    ['skipped', [{ type: 'supersede' }]],
  ]
  if (job.retried) return new Map()
  if (job.type === 'script') return new Map(scriptRoutes(job, fields, cancel, ends))
  if (job.type === 'trigger') return new Map(triggerRoutes(job, ends))
  if (job.type === 'manual' && job.state === 'blocked') {
    return new Map([
      ['unblocked', [{ type: 'unblock', user: null }]],
      ['unblocked_failed', [{ type: 'refuseUnblock' }]],
      ...ends,
    ])
  }
  // A waiter ends with its build alone: without it nothing would let the jobs behind it go.
  return new Map(job.type === 'manual' && job.state === 'waiting' ? ends : [])
}

function scriptRoutes(
  job: JobRecord,
  fields: ExitFields,
  cancel: Stage,
  ends: [JobState, Stage[]][],
): [JobState, Stage[]][] {
  const accepted: Stage = { type: 'accept' }
  const start: Stage = { type: 'start' }
  const timeOut: Stage = { type: 'timeOut' }
  const timedOut: Stage = { type: 'stopTimedOut' }
  const cancelable: [JobState, Stage[]][] = [
    ['canceling', [{ type: 'cancel', graceful: true }]],
    ['canceled', [cancel]],
  ]
  const started: [JobState, Stage[]][] = [...cancelable, ['skipped', [{ type: 'supersede' }]]]
  switch (job.state) {
    case 'waiting':
    case 'blocked':
      return ends
    case 'scheduled':
      return [
        ['assigned', ['assign']],
        ['accepted', ['assign', accepted]],
        ['running', ['assign', accepted, start]],
        ['limited', [{ type: 'limit' }]],
        ['expired', [{ type: 'expire' }]],
        ...ends,
      ]
    case 'limited':
      return [['scheduled', [{ type: 'unlimit' }]], ['expired', [{ type: 'expire' }]], ...ends]
    case 'assigned':
      return [['accepted', [accepted]], ['running', [accepted, start]], ...started]
    case 'accepted':
      return [['running', [start]], ...started]
    case 'running':
      return [
        ['passed', [exitOf(fields, 0)]],
        ['failed', [exitOf(fields, 1)]],
        ['timing_out', [timeOut]],
        ['timed_out', [timeOut, timedOut]],
        ...cancelable,
      ]
    case 'timing_out':
      return [['timed_out', [timedOut]], ...cancelable]
    case 'canceling':
      return [['canceled', [{ type: 'stopCanceled' }]]]
    default:
      return []
  }
}

function triggerRoutes(job: JobRecord, ends: [JobState, Stage[]][]): [JobState, Stage[]][] {
  const mirror = (state: 'passed' | 'failed' | 'canceled'): [JobState, Stage[]] => [state, [{ type: 'mirror', state }]]
  if (job.state === 'scheduled') {
    return [[job.async === true ? 'passed' : 'running', ['trigger']], mirror('failed'), ...ends]
  }
  if (job.state === 'running') return [mirror('passed'), mirror('failed'), mirror('canceled')]
  return job.state === 'waiting' || job.state === 'blocked' ? ends : []
}

const exitOf = (fields: ExitFields, exit_status: number): JobEvent => ({
  type: 'exit',
  exit_status: fields.exit_status ?? exit_status,
  signal: fields.signal ?? null,
  signal_reason: fields.signal_reason ?? null,
})

/** The states that a job may be sent to now. */
export const legalStates = (job: JobRecord): readonly JobState[] => [...routes(job, {}).keys()]

/** Sends a job to a state by legal moves; a refusal names the states that it can go to. */
export function transitionJob(
  turn: Turn,
  build: BuildRecord,
  jobId: string,
  target: string,
  fields: ExitFields = {},
): Decision<BuildRecord> {
  const job = build.jobs.find((candidate) => candidate.id === jobId)
  if (job === undefined) return refuse('not_found', 'No job found')
  const stages = routes(job, fields).get(target as JobState)
  if (stages === undefined) {
    const legal = legalStates(job)
    const list = legal.length === 0 ? 'It cannot move.' : `It can become ${legal.join(', ')}.`
    return refuse('unprocessable', `A ${job.type} job that is ${job.state} can't become ${target}. ${list}`)
  }
  const { exit_status } = fields
  if (exit_status !== undefined && (target === 'passed') !== (exit_status === 0)) {
    return refuse('unprocessable', 'exit_status must be 0 for passed and another number for failed')
  }
  return stages.reduce<Decision<BuildRecord>>(
    (reached, stage) => (reached.ok ? takeStage(turn, reached.value, job, stage) : reached),
    accept(build),
  )
}

function takeStage(turn: Turn, build: BuildRecord, job: JobRecord, stage: Stage): Decision<BuildRecord> {
  if (stage === 'trigger') return triggerBuild(turn, build, job.id)
  if (stage !== 'assign') return applyEvent(turn, build, job.id, stage)
  return applyEvent(turn, build, job.id, { type: 'assign', agent: turn.agentId(build.organizationId, job) })
}

/** Unblocks a block step that was reached, as `userId` or as nobody. */
export const unblockJob = (
  turn: Turn,
  build: BuildRecord,
  jobId: string,
  userId: string | null,
): Decision<BuildRecord> => applyEvent(turn, build, jobId, { type: 'unblock', user: userId })

/** A running job declares, once, that it is going to fail. The build does not move. */
export function promiseFailure(
  turn: Turn,
  build: BuildRecord,
  jobId: string,
  exit_status: number,
): Decision<BuildRecord> {
  if (!Number.isInteger(exit_status) || exit_status === 0) {
    return refuse('unprocessable', 'exit_status must be an integer other than 0')
  }
  return applyEvent(turn, build, jobId, { type: 'promise', exit_status })
}

/** Runs one failed, timed out, canceled or expired job again. */
export function retryOneJob(turn: Turn, build: BuildRecord, jobId: string): Decision<BuildRecord> {
  const decision = retryJob(build, jobId, turn)
  if (decision.ok) conclude(turn, decision.value)
  return decision
}
