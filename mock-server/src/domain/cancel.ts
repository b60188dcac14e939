import type { BuildRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'
import { movedIfLegal } from './job-moves.js'
import { timestamp } from './timestamp.js'
import { conclude } from './transition.js'
import type { Turn } from './turn.js'

const cancelable: ReadonlySet<string> = new Set(['scheduled', 'running', 'failing'])

/**
 * Cancels a build and its jobs. With a grace period, jobs on an agent and the build are `canceling`
 * first.
 */
export function cancelBuild(
  turn: Turn,
  build: BuildRecord,
  cancel_reason: string | null,
): Decision<BuildRecord> {
  if (!cancelable.has(build.state)) {
    return refuse(
      'unprocessable',
      `Build can't be canceled because it is ${build.blocked ? 'blocked' : build.state}`,
    )
  }
  const { now, cancelGraceMs } = turn
  const at = timestamp(now)
  const jobs = build.jobs.map((job) =>
    movedIfLegal(job, { type: 'cancel', graceful: cancelGraceMs > 0 }, at),
  )
  const stopping = jobs.some((job) => job.state === 'canceling')
  const canceled = {
    ...build,
    state: stopping ? 'canceling' : 'canceled',
    blocked: false,
    cancel_reason,
    jobs,
    finished_at: stopping ? null : at,
    ...(stopping ? { cancelDueAt: now + cancelGraceMs } : {}),
  }
  conclude(turn, canceled)
  return accept(canceled)
}
