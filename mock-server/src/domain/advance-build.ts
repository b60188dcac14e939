import type { BuildRecord, JobRecord } from '../records/records.js'
import { hasEnded } from './build.js'
import { accept, type Decision, refuse } from './decision.js'
import { commandOf } from './job.js'
import { JobList } from './job-list.js'
import type { JobEvent } from './job-moves.js'
import { triggerBuild } from './perform.js'
import { applyEvent } from './transition.js'
import type { Turn } from './turn.js'

export const advanceGoals = ['started', 'failing', 'blocked', 'finished'] as const
export type AdvanceGoal = (typeof advanceGoals)[number]

/** The limit of moves; a build of 5 000 jobs with retries needs fewer. */
const maxMoves = 100_000

const reached: Readonly<Record<AdvanceGoal, (build: BuildRecord) => boolean>> = {
  started: ({ started_at }) => started_at !== null,
  failing: ({ state }) => state === 'failing',
  blocked: ({ blocked }) => blocked,
  // A retried job may still run although its build has ended.
  finished: (build) => hasEnded(build) && JobList.of(build.jobs).facts.active === 0,
}

function hardStatus(job: JobRecord): number {
  const { softFail } = commandOf(job) ?? {}
  const forgiven = Array.isArray(softFail) ? softFail : []
  return [1, 2, 3].find((status) => !forgiven.includes(status)) ?? 255
}

interface AdvancePlan {
  /** A job should fail, and none has failed yet. */
  readonly fail: boolean
  readonly unblock: boolean
}

/** The only event for a job in one of these states. */
const onlyEvent: Readonly<Record<string, JobEvent>> = {
  limited: { type: 'unlimit' },
  assigned: { type: 'accept' },
  accepted: { type: 'start' },
  timing_out: { type: 'stopTimedOut' },
  canceling: { type: 'stopCanceled' },
}

function nextStep(
  turn: Turn,
  build: BuildRecord,
  job: JobRecord,
  plan: AdvancePlan,
): Decision<BuildRecord> | null {
  const event = (next: JobEvent) => applyEvent(turn, build, job.id, next)
  const only = onlyEvent[job.state]
  if (only !== undefined) return event(only)
  if (job.state === 'scheduled') {
    if (job.type === 'trigger') return triggerBuild(turn, build, job.id)
    return event({ type: 'assign', agent: turn.agentId(build.organizationId, job) })
  }
  if (job.state === 'running') {
    const fails = plan.fail && commandOf(job)?.softFail !== true
    if (job.type === 'trigger') return endTriggered(turn, build, job, fails)
    return event({ type: 'exit', exit_status: fails ? hardStatus(job) : 0 })
  }
  const waits = job.state === 'blocked' && job.type === 'manual'
  return waits && plan.unblock ? event({ type: 'unblock', user: null }) : null
}

function endTriggered(
  turn: Turn,
  build: BuildRecord,
  job: JobRecord,
  fails: boolean,
): Decision<BuildRecord> {
  const triggered = turn.build(job.triggeredBuildId ?? '')
  const outcome = fails ? 'failed' : 'passed'
  if (triggered === undefined || hasEnded(triggered)) {
    return applyEvent(turn, build, job.id, { type: 'mirror', state: outcome })
  }
  const ended = advanceBuild(turn, triggered, 'finished', outcome)
  return ended.ok ? accept(build) : ended
}

/** Moves the first job that can move: of the jobs under way, or of the scheduled jobs. */
function firstStep(
  turn: Turn,
  build: BuildRecord,
  plan: AdvancePlan,
  kind: 'underWay' | 'scheduled',
) {
  for (const { facts, jobs } of JobList.of(build.jobs).parts) {
    if (facts[kind] === 0) continue
    for (const job of jobs) {
      if ((job.state === 'scheduled') !== (kind === 'scheduled')) continue
      const step = nextStep(turn, build, job, plan)
      if (step !== null) return step
    }
  }
  return null
}

function hasHardFailure(build: BuildRecord): boolean {
  return JobList.of(build.jobs).facts.hardFailures > 0
}

function stuck(build: BuildRecord, goal: AdvanceGoal | 'passed' | 'failed') {
  return refuse(
    'unprocessable',
    `Build can't become ${goal}: it is ${build.blocked ? 'blocked' : build.state} and no move leads there`,
  )
}

/**
 * Brings a build to a goal by legal moves, all at the time of the turn. With the outcome `failed`,
 * the first job that can fail does; all other jobs pass.
 */
export function advanceBuild(
  turn: Turn,
  from: BuildRecord,
  goal: AdvanceGoal,
  outcome: 'passed' | 'failed' = goal === 'failing' ? 'failed' : 'passed',
): Decision<BuildRecord> {
  let build = from
  if (goal === 'finished' && outcome === 'passed' && hasHardFailure(build)) {
    return refuse(
      'unprocessable',
      "Build can't finish passed: a job of it has failed, and only a retry clears that",
    )
  }
  for (let moves = 0; moves < maxMoves; moves++) {
    if (reached[goal](build))
      return goal === 'finished' && build.state !== outcome ? stuck(build, outcome) : accept(build)
    const plan: AdvancePlan = {
      fail: outcome === 'failed' && !hasHardFailure(build),
      unblock: goal === 'finished',
    }
    // One job ends before the next begins.
    const moved =
      firstStep(turn, build, plan, 'underWay') ?? firstStep(turn, build, plan, 'scheduled')
    if (moved === null) return stuck(build, goal)
    if (!moved.ok) return moved
    build = turn.build(moved.value.id) ?? moved.value
  }
  return stuck(build, goal)
}
