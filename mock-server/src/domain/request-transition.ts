import type { BuildRecord, JobRecord } from '../store/records.js'
import { type Decision, refuse } from './decision.js'
import { type JobEvent, type JobEventType, jobMoves } from './job-moves.js'
import { applyEvent } from './perform.js'
import type { Turn } from './turn.js'

/** What a test asks of a job, by the state that it wants to see. */
export interface TransitionRequest {
  readonly state: string
  readonly exit_status?: number | undefined
  readonly signal?: string | undefined
  readonly signal_reason?: string | undefined
}

/** Barriers make these themselves when the build is settled, and a promise keeps the state. */
const notAsked: ReadonlySet<JobEventType> = new Set([
  'release',
  'pass',
  'reach',
  'failBarrier',
  'restore',
  'promise',
  'trigger',
])

const movesOf = (job: JobRecord) =>
  jobMoves.filter(
    ({ event, types, from }) =>
      !notAsked.has(event) && types.includes(job.type) && from.some((state) => state === job.state),
  )

/** The states that one legal move leads to. */
export const legalStates = (job: JobRecord): readonly string[] => [...new Set(movesOf(job).flatMap(({ to }) => to))]

const eventOf = (
  turn: Turn,
  build: BuildRecord,
  job: JobRecord,
  type: JobEventType,
  request: TransitionRequest,
): JobEvent | null => {
  const { state, exit_status, signal, signal_reason } = request
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

/** One legal move of a job to the state asked for, with all that follows in its build. */
export function requestTransition(
  turn: Turn,
  build: BuildRecord,
  jobId: string,
  request: TransitionRequest,
): Decision<BuildRecord> {
  const job = build.jobs.find(({ id }) => id === jobId)
  if (job === undefined) return refuse('not_found', 'No job found')
  const move = movesOf(job).find(({ to }) => to.some((state) => state === request.state))
  const event = move && eventOf(turn, build, job, move.event, request)
  if (!event) {
    const legal = legalStates(job)
    const ways = legal.length > 0 ? `from there it may become ${legal.join(', ')}` : 'it moves no more'
    return refuse('unprocessable', `A ${job.type} job that is ${job.state} can't become ${request.state}: ${ways}`)
  }
  if (event.type === 'exit' && (event.exit_status === 0) !== (request.state === 'passed')) {
    return refuse('unprocessable', `A job that exits with ${event.exit_status} can't become ${request.state}`)
  }
  return applyEvent(turn, build, jobId, event)
}
