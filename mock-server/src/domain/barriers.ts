import type { JobRecord } from '../store/records.js'
import { isBarrier, isFinished, isHardFailure, isLatest } from './job.js'
import { type JobEvent, moveJob } from './job-moves.js'

/**
 * Lets every barrier and all that waits for it stand where the jobs before it put them: one pass in
 * pipeline order is enough, because a job waits for the nearest barrier above it alone.
 */
export function settleBarriers(jobs: readonly JobRecord[], at: string): readonly JobRecord[] {
  const settled: JobRecord[] = []
  let barrier: JobRecord | undefined
  let allFinished = true
  let hardFailure = false
  for (const job of jobs) {
    const event = isLatest(job) ? barrierEvent(job, { barrier, allFinished, hardFailure }) : undefined
    const next = event === undefined ? job : moved(job, event, at)
    settled.push(next)
    if (isBarrier(next)) barrier = next
    if (!isFinished(next)) allFinished = false
    if (isHardFailure(next)) hardFailure = true
  }
  return settled
}

interface Before {
  readonly barrier: JobRecord | undefined
  /** Every latest execution above has ended. */
  readonly allFinished: boolean
  readonly hardFailure: boolean
}

/** The move that a held job makes now, if any. */
function barrierEvent(job: JobRecord, before: Before): JobEvent | undefined {
  const failed = job.state === 'waiting_failed' || job.state === 'blocked_failed'
  if (!failed && job.state !== 'waiting' && job.state !== 'blocked') return undefined
  const stance = isBarrier(job) ? ownStance(job, before) : stanceOf(before.barrier)
  if (stance === 'open') {
    if (job.type === 'waiter') return { type: 'pass' }
    if (job.type === 'manual') return reached(job)
    return { type: 'release' }
  }
  if (stance === 'failed') return failed ? undefined : { type: 'failBarrier' }
  return failed ? { type: 'restore' } : undefined
}

/** A block step that was reached once stays reached, whatever is retried above it: none is reached twice. */
function reached(job: JobRecord): JobEvent {
  return job.state === 'blocked_failed' ? { type: 'restore' } : { type: 'reach' }
}

type Stance = 'open' | 'closed' | 'failed'

function ownStance(job: JobRecord, { allFinished, hardFailure }: Before): Stance {
  const goesOn = job.step !== undefined && 'wait' in job.step && job.step.continueOnFailure === true
  if (hardFailure && !goesOn) return 'failed'
  return allFinished ? 'open' : 'closed'
}

function stanceOf(barrier: JobRecord | undefined): Stance {
  if (barrier === undefined) return 'open'
  if (barrier.state === 'passed' || barrier.state === 'unblocked' || barrier.state === 'skipped') return 'open'
  if (barrier.state === 'canceled' || barrier.state.endsWith('_failed')) return 'failed'
  return 'closed'
}

function moved(job: JobRecord, event: JobEvent, at: string): JobRecord {
  const decision = moveJob(job, event, at)
  return decision.ok ? decision.value : job
}
