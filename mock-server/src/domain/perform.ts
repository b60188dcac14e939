import type { BuildRecord } from '../records/records.js'
import { recomputeBuild } from './build.js'
import { conclude } from './conclude.js'
import { accept, type Decision, refuse } from './decision.js'
import type { DueMove } from './due.js'
import { JobList } from './job-list.js'
import { type JobEvent, movedIfLegal } from './job-moves.js'
import { timestamp } from './timestamp.js'
import { transition } from './transition.js'
import { triggerBuild } from './trigger.js'
import type { Turn } from './turn.js'

/** One event of a job with all that follows, in this build and in those that wait for it. */
export function applyEvent(turn: Turn, build: BuildRecord, jobId: string, event: JobEvent): Decision<BuildRecord> {
  const decision = transition(build, jobId, event, turn)
  if (decision.ok) conclude(turn, decision.value)
  return decision
}

export function perform(turn: Turn, build: BuildRecord, move: DueMove): Decision<BuildRecord> {
  switch (move.kind) {
    case 'trigger':
      return triggerBuild(turn, build, move.jobId)
    case 'assign': {
      const job = JobList.of(build.jobs).job(move.jobId)
      if (job === undefined) return refuse('not_found', 'No job found')
      return applyEvent(turn, build, job.id, { type: 'assign', agent: turn.agentId(build.organizationId, job) })
    }
    case 'job':
      return applyEvent(turn, build, move.jobId, move.event)
    case 'stopCanceled': {
      // The grace is over: every job that was being canceled is.
      const jobs = build.jobs.map((job) => movedIfLegal(job, { type: 'stopCanceled' }, timestamp(turn.now)))
      const stopped = recomputeBuild(build, turn.now, jobs)
      conclude(turn, stopped)
      return accept(stopped)
    }
  }
}
