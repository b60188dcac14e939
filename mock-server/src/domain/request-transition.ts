import type { BuildRecord, JobRecord } from '../store/records.js'
import { accept, type Decision, refuse } from './decision.js'
import { type JobEvent, type JobEventType, jobMoves } from './job-moves.js'
import { applyEvent } from './perform.js'
import { triggerBuild } from './trigger.js'
import type { Turn } from './turn.js'

/** What a test asks of a job, by the state that it wants to see. */
export interface TransitionRequest {
  readonly state: string
  readonly exit_status?: number | undefined
  readonly signal?: string | undefined
  readonly signal_reason?: string | undefined
}

/** Barriers make these themselves when the build is settled, and a promise keeps the state. */
const notAsked: ReadonlySet<JobEventType> = new Set(['release', 'pass', 'reach', 'failBarrier', 'restore', 'promise'])

/** Moves that follow one another: a request may go through the states between. */
const chains: readonly (readonly JobEventType[])[] = [
  ['assign', 'accept', 'start'],
  ['timeOut', 'stopTimedOut'],
]

const moveOf = (event: JobEventType) => jobMoves.find((move) => move.event === event)

/** The states that a job can be sent to, each with the events that lead there. */
function waysOf(job: JobRecord): ReadonlyMap<string, readonly JobEventType[]> {
  const ways = new Map<string, readonly JobEventType[]>()
  // A waiter ends with its build alone: without it nothing would let the jobs behind it go.
  if (job.retried || job.type === 'waiter') return ways
  const open = jobMoves.filter(
    ({ event, types, from }) =>
      !notAsked.has(event) && types.includes(job.type) && from.some((state) => state === job.state),
  )
  for (const { event, to } of open) {
    const chain = chains.find((events) => events.includes(event)) ?? []
    const onward = chain.slice(chain.indexOf(event) + 1)
    for (const state of to) if (isPossible(job, event, state)) ways.set(state, ways.get(state) ?? [event])
    onward.forEach((last, index) => {
      for (const state of moveOf(last)?.to ?? []) ways.set(state, [event, ...onward.slice(0, index + 1)])
    })
  }
  return ways
}

/** Where an event leads to one of two states by what the job is. */
function isPossible(job: JobRecord, event: JobEventType, state: string): boolean {
  if (event === 'trigger') return (state === 'passed') === (job.async === true)
  // Only a job on an agent is stopped by and by; a trigger job runs on none.
  return state !== 'canceling' || job.agent !== null
}

/** The states that legal moves lead to. */
export const legalStates = (job: JobRecord): readonly string[] => [...waysOf(job).keys()]

/** Sends a job to a state by legal moves, with all that follows in its build; a refusal names the legal states. */
export function requestTransition(
  turn: Turn,
  build: BuildRecord,
  jobId: string,
  request: TransitionRequest,
): Decision<BuildRecord> {
  const job = build.jobs.find(({ id }) => id === jobId)
  if (job === undefined) return refuse('not_found', 'No job found')
  const events = waysOf(job).get(request.state)
  if (events === undefined) {
    const legal = legalStates(job)
    const ways = legal.length > 0 ? `from there it may become ${legal.join(', ')}` : 'it moves no more'
    return refuse('unprocessable', `A ${job.type} job that is ${job.state} can't become ${request.state}: ${ways}`)
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
  type: JobEventType,
  request: TransitionRequest,
): Decision<BuildRecord> {
  if (type === 'trigger') return triggerBuild(turn, build, job.id)
  const event = eventOf(turn, build, job, type, request)
  return event === null ? accept(build) : applyEvent(turn, build, job.id, event)
}

function eventOf(
  turn: Turn,
  build: BuildRecord,
  job: JobRecord,
  type: JobEventType,
  { state, exit_status, signal, signal_reason }: TransitionRequest,
): JobEvent | null {
  switch (type) {
    case 'assign':
      return { type, agent: turn.agentId(build.organizationId, job) }
    case 'exit':
      return {
        type,
        exit_status: exit_status ?? (state === 'passed' ? 0 : 1),
        signal: signal ?? null,
        signal_reason: signal_reason ?? null,
      }
    case 'failTrigger':
      return { type, log: job.log }
    case 'mirror':
      return { type, state: state as Extract<JobEvent, { type: 'mirror' }>['state'] }
    case 'unblock':
      return { type, user: null }
    case 'cancel':
      return { type, graceful: state === 'canceling' }
    case 'promise':
    case 'trigger':
      return null
    default:
      return { type }
  }
}
