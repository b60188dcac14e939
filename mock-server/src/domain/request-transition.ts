import type { BuildRecord, JobRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'
import { JobList } from './job-list.js'
import { type JobEvent, type JobEventType, jobMoves } from './job-moves.js'
import { triggerBuild } from './perform.js'
import { applyEvent } from './transition.js'
import type { Turn } from './turn.js'

export interface TransitionRequest {
  readonly state: string
  readonly exit_status?: number | undefined
  readonly signal?: string | undefined
  readonly signal_reason?: string | undefined
}

/**
 * Events of barriers happen only when barriers are settled; a promise does not change the state.
 */
const notRequestable = ['release', 'pass', 'reach', 'failBarrier', 'restore', 'promise'] as const

type RequestableEvent = Exclude<JobEventType, (typeof notRequestable)[number]>

function isRequestable(event: JobEventType): event is RequestableEvent {
  return !notRequestable.some((other) => other === event)
}

/** Events that may follow an event, so that one request can pass several states. */
const following: Readonly<Partial<Record<RequestableEvent, readonly RequestableEvent[]>>> = {
  assign: ['accept', 'start'],
  accept: ['start'],
  timeOut: ['stopTimedOut'],
}

function waysOf(job: JobRecord): ReadonlyMap<string, readonly RequestableEvent[]> {
  const ways = new Map<string, readonly RequestableEvent[]>()
  // A waiter ends only with its build: if it were gone, the jobs behind it would wait for ever.
  if (job.retried || job.type === 'waiter') return ways
  for (const { event, types, from, to } of jobMoves) {
    if (
      !isRequestable(event) ||
      !types.includes(job.type) ||
      !from.some((state) => state === job.state)
    )
      continue
    for (const state of to)
      if (isPossible(job, event, state)) ways.set(state, ways.get(state) ?? [event])
    const onward = following[event] ?? []
    onward.forEach((last, index) => {
      const reached = jobMoves.filter((move) => move.event === last).flatMap((move) => move.to)
      for (const state of reached) ways.set(state, [event, ...onward.slice(0, index + 1)])
    })
  }
  return ways
}

function isPossible(job: JobRecord, event: RequestableEvent, state: string): boolean {
  if (event === 'trigger') return (state === 'passed') === (job.async === true)
  // Only a job on an agent can be `canceling`. Trigger jobs have no agent.
  return state !== 'canceling' || job.agent !== null
}

export function legalStates(job: JobRecord): readonly string[] {
  return [...waysOf(job).keys()]
}

/** Brings a job to a state by legal moves and updates its build; a refusal lists legal states. */
export function requestTransition(
  turn: Turn,
  build: BuildRecord,
  jobId: string,
  request: TransitionRequest,
): Decision<BuildRecord> {
  const job = JobList.of(build.jobs).job(jobId)
  if (job === undefined) return refuse('not_found', 'No job found')
  const events = waysOf(job).get(request.state)
  if (events === undefined) {
    const legal = legalStates(job)
    const ways =
      legal.length > 0 ? `from there it may become ${legal.join(', ')}` : 'it moves no more'
    return refuse(
      'unprocessable',
      `A ${job.type} job that is ${job.state} can't become ${request.state}: ${ways}`,
    )
  }
  const { state, exit_status } = request
  if (exit_status !== undefined && (exit_status === 0) !== (state === 'passed')) {
    return refuse('unprocessable', `A job that exits with ${exit_status} can't become ${state}`)
  }
  return events.reduce<Decision<BuildRecord>>(
    (reached, event) => (reached.ok ? takeStep(turn, reached.value, job, event, request) : reached),
    accept(build),
  )
}

function takeStep(
  turn: Turn,
  build: BuildRecord,
  job: JobRecord,
  type: RequestableEvent,
  { state, exit_status, signal, signal_reason }: TransitionRequest,
): Decision<BuildRecord> {
  if (type === 'trigger') return triggerBuild(turn, build, job.id)
  const brought = {
    ...(type === 'assign' && { agent: turn.agentId(build.organizationId, job) }),
    exit_status: exit_status ?? (state === 'passed' ? 0 : 1),
    signal: signal ?? null,
    signal_reason: signal_reason ?? null,
    log: job.log,
    state,
    user: null,
    graceful: state === 'canceling',
  }
  return applyEvent(turn, build, job.id, { ...brought, type } as unknown as JobEvent)
}
