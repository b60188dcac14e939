import type { BuildRecord, PipelineRecord } from '../records/records.js'
import { allowsBranch } from './branch-pattern.js'
import { cancelBuild } from './cancel.js'
import { conclude } from './conclude.js'
import { movedIfLegal } from './job-moves.js'
import { timestamp } from './timestamp.js'
import type { Turn } from './turn.js'

/** Skips queued and cancels running builds of the same branch that a new one replaces, as its pipeline says. */
export function supersede(turn: Turn, pipeline: PipelineRecord, by: BuildRecord): void {
  const skips = pipeline.skip_queued_branch_builds && allowsBranch(pipeline.skip_queued_branch_builds_filter, by.branch)
  const cancels =
    pipeline.cancel_running_branch_builds && allowsBranch(pipeline.cancel_running_branch_builds_filter, by.branch)
  if (!skips && !cancels) return
  for (const older of [...turn.openBuilds(pipeline.id, by.branch)]) {
    if (older.number >= by.number) continue
    if (skips && older.state === 'scheduled') conclude(turn, skipBuild(older, turn.now))
    if (cancels && (older.state === 'running' || older.state === 'failing')) {
      const decision = cancelBuild(older, `Superseded by build #${by.number}`, turn)
      if (decision.ok) conclude(turn, decision.value)
    }
  }
}

function skipBuild(build: BuildRecord, now: number): BuildRecord {
  const at = timestamp(now)
  const jobs = build.jobs.map((job) => movedIfLegal(job, { type: 'supersede' }, at))
  return { ...build, state: 'skipped', blocked: false, jobs, finished_at: at }
}
