import type { BuildRecord, JobRecord } from '../store/records.js'
import { hasEnded } from './build.js'
import { transitionJob } from './control-moves.js'
import { accept, type Decision, refuse } from './decision.js'
import { isActive, isHardFailure, isLatest, isOnAgent } from './job.js'
import { applyEvent } from './perform.js'
import type { Turn } from './turn.js'

export type AdvanceTarget = 'started' | 'failing' | 'blocked' | 'finished'
export type AdvanceOutcome = 'passed' | 'failed'

/** More moves than the largest build can need; a build that goes in circles ends here. */
const mostMoves = 10_000

const reached: Readonly<Record<AdvanceTarget, (build: BuildRecord) => boolean>> = {
  started: (build) => build.started_at !== null,
  failing: (build) => build.state === 'failing',
  blocked: (build) => build.blocked,
  finished: hasEnded,
}

/**
 * Leads a build to a point by legal moves alone. On the way jobs pass, except that for `failing`, and for an outcome of
 * `failed`, the first script job that can fail the build does. Only `finished` unblocks block steps, as nobody.
 */
export function advanceBuild(
  turn: Turn,
  build: BuildRecord,
  to: AdvanceTarget,
  outcome: AdvanceOutcome = 'passed',
): Decision<BuildRecord> {
  const fails = to === 'failing' || outcome === 'failed'
  let current = build
  for (let moves = 0; moves < mostMoves; moves += 1) {
    if (reached[to](current)) return verdict(current, to, outcome)
    if (hasEnded(current)) break
    const moved = moveOn(turn, current, to, fails && !current.jobs.some(isHardFailure))
    if (!moved.ok) return moved
    if (moved.value === current) break
    current = moved.value
  }
  return refuse(
    'unprocessable',
    `The build can't be advanced to ${to}: it is ${current.blocked ? 'blocked' : current.state}`,
  )
}

const verdict = (build: BuildRecord, to: AdvanceTarget, outcome: AdvanceOutcome): Decision<BuildRecord> =>
  to === 'finished' && build.state !== outcome
    ? refuse('unprocessable', `The build can't end ${outcome}: it is ${build.state}`)
    : accept(build)

/** One move of the first job that can make one; the same build when none can. */
function moveOn(turn: Turn, build: BuildRecord, to: AdvanceTarget, fail: boolean): Decision<BuildRecord> {
  const latest = build.jobs.filter(isLatest)
  const active = latest.filter(isActive)
  const job = fail
    ? (active.find(canFail) ?? active[0])
    : (active.find((candidate) => !blocks(turn, candidate)) ?? active[0])
  if (job !== undefined) return moveActive(turn, build, job, fail && canFail(job))
  const step = latest.find((candidate) => candidate.type === 'manual' && candidate.state === 'blocked')
  if (to !== 'finished' || step === undefined) return accept(build)
  return applyEvent(turn, build, step.id, { type: 'unblock', user: null })
}

const canFail = (job: JobRecord): boolean =>
  job.type === 'script' && !(job.step !== undefined && 'command' in job.step && job.step.softFail !== undefined)

/** A trigger job that waits for its build. */
const blocks = (turn: Turn, job: JobRecord): boolean =>
  job.type === 'trigger' && job.state === 'running' && turn.build(job.triggeredBuildId ?? '')?.blocked === true

function moveActive(turn: Turn, build: BuildRecord, job: JobRecord, fail: boolean): Decision<BuildRecord> {
  if (job.type === 'trigger' && job.state === 'running') return followTriggered(turn, build, job)
  if (job.type === 'trigger') return transitionJob(turn, build, job.id, job.async === true ? 'passed' : 'running')
  if (job.state === 'limited') return transitionJob(turn, build, job.id, 'scheduled')
  if (job.state === 'scheduled' || (isOnAgent(job) && job.started_at === null)) {
    return transitionJob(turn, build, job.id, 'running')
  }
  if (job.state === 'timing_out') return transitionJob(turn, build, job.id, 'timed_out')
  if (job.state === 'canceling') return transitionJob(turn, build, job.id, 'canceled')
  return transitionJob(turn, build, job.id, fail ? 'failed' : 'passed')
}

/** Brings the triggered build to its end, which moves the job that waits for it. */
function followTriggered(turn: Turn, build: BuildRecord, job: JobRecord): Decision<BuildRecord> {
  const triggered = turn.build(job.triggeredBuildId ?? '')
  if (triggered === undefined || hasEnded(triggered)) {
    return transitionJob(turn, build, job.id, triggered?.state === 'failed' ? 'failed' : 'passed')
  }
  const ended = advanceBuild(turn, triggered, 'finished')
  if (!ended.ok) return ended
  return accept(turn.build(build.id) ?? build)
}
