import type { JobRecord, List } from '../records/records.js'
import { isBarrier, isFinished, isHardFailure, isLatest } from './job.js'
import { JobList, JobPart } from './job-list.js'
import { type JobEvent, movedIfLegal } from './job-moves.js'

/**
 * Moves barriers, and the jobs that wait for them, as the jobs before them require. One pass is
 * enough, because a job waits only for the nearest barrier above it.
 */
export function settleBarriers(jobs: List<JobRecord>, at: string): JobList {
  const list = JobList.of(jobs)
  const before: JobsBefore = { barrier: undefined, allFinished: true, hardFailure: false }
  let parts: JobPart[] | undefined
  for (let n = 0; n < list.parts.length; n++) {
    const part = list.parts[n] as JobPart
    const settled = settlePart(part, before, at)
    if (settled !== part) {
      parts ??= [...list.parts]
      parts[n] = settled
    }
    before.barrier = settled.lastBarrier ?? before.barrier
    before.allFinished &&= settled.facts.open === 0
    before.hardFailure ||= settled.facts.hardFailures > 0
  }
  return parts === undefined ? list : list.withParts(parts)
}

function settlePart(part: JobPart, front: JobsBefore, at: string): JobPart {
  const behind =
    stances.indexOf(stanceOf(front.barrier)) +
    (front.allFinished ? 4 : 0) +
    (front.hardFailure ? 8 : 0)
  if (part.restsBehind === behind) return part
  const before = { ...front }
  const settled = part.jobs.map((job) => {
    const event = isLatest(job) ? barrierEvent(job, before) : undefined
    const next = event === undefined ? job : movedIfLegal(job, event, at)
    if (isBarrier(next)) before.barrier = next
    if (!isFinished(next)) before.allFinished = false
    if (isHardFailure(next)) before.hardFailure = true
    return next
  })
  if (settled.some((job, n) => job !== part.jobs[n])) return new JobPart(settled)
  part.restsBehind = behind
  return part
}

interface JobsBefore {
  barrier: JobRecord | undefined
  /** All jobs above have finished. */
  allFinished: boolean
  hardFailure: boolean
}

function barrierEvent(job: JobRecord, before: JobsBefore): JobEvent | undefined {
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

/** A block step is reached only once, even if jobs above it are retried. */
function reached(job: JobRecord): JobEvent {
  return job.state === 'blocked_failed' ? { type: 'restore' } : { type: 'reach' }
}

const stances = ['open', 'closed', 'failed'] as const
type Stance = (typeof stances)[number]

function ownStance(job: JobRecord, { allFinished, hardFailure }: JobsBefore): Stance {
  const continues =
    job.step !== undefined && 'wait' in job.step && job.step.continueOnFailure === true
  if (hardFailure && !continues) return 'failed'
  return allFinished ? 'open' : 'closed'
}

function stanceOf(barrier: JobRecord | undefined): Stance {
  if (barrier === undefined) return 'open'
  if (barrier.state === 'passed' || barrier.state === 'unblocked' || barrier.state === 'skipped')
    return 'open'
  if (barrier.state === 'canceled' || barrier.state.endsWith('_failed')) return 'failed'
  return 'closed'
}
