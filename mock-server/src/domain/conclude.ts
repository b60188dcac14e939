import type { BuildRecord } from '../records/records.js'
import { hasEnded } from './build.js'
import type { JobEvent } from './job-moves.js'
import { transition } from './transition.js'
import type { Turn } from './turn.js'

const mirrored: Readonly<Record<string, Extract<JobEvent, { type: 'mirror' }>['state']>> = {
  passed: 'passed',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
  not_run: 'skipped',
}

/** Writes a build, and lets the trigger job that waits for its end move in the same turn, up the whole chain. */
export function conclude(turn: Turn, build: BuildRecord): void {
  turn.put(build)
  const from = build.triggeredFrom
  const state = mirrored[build.state]
  if (from === null || state === undefined || !hasEnded(build)) return
  const parent = turn.build(from.buildId)
  if (parent === undefined) return
  const decision = transition(parent, from.jobId, { type: 'mirror', state }, turn)
  if (decision.ok) conclude(turn, decision.value)
}
