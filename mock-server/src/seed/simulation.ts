import { type DueFacts, type DueMove, type KnownMoves, nextMove } from '../domain/due.js'
import { perform } from '../domain/perform.js'
import type { Turn } from '../domain/turn.js'
import type { BuildRecord, JobRecord, QueueRecord } from '../records/records.js'
import type { Transaction } from '../store/store.js'
import { turnOf } from '../store/turn.js'
import type { SeedContext } from './context.js'

export interface TimedAct {
  /** Epoch ms. */
  readonly at: number
  do(turn: Turn): void
}

export interface SimulationFacts {
  readonly queues: readonly QueueRecord[]
  wasPaused(queueId: string, at: number): boolean
  agentId(job: JobRecord): string
}

/**
 * Plays the lifecycle from the first move to `context.now` by the very table that the server moves builds with,
 * so that a made-up history is one that could have happened.
 */
export function simulate(
  tx: Transaction,
  context: SeedContext,
  facts: SimulationFacts,
  moves: readonly TimedAct[],
): readonly BuildRecord[] {
  const builds = new Map<string, BuildRecord>()
  const due = new Map<string, DueMove>()
  let now = 0
  const dueFacts: DueFacts = {
    lifecycle: { policy: 'timed' },
    jobExpiryMs: 30 * 86_400_000,
    isPaused: (queueId) => facts.wasPaused(queueId, now),
    dice: (jobId) => context.dice(`duration:${jobId}`, 0),
  }
  let paused = 0
  let known: KnownMoves = new WeakMap()

  const replan = (build: BuildRecord) => {
    const pausedNow = facts.queues.filter(({ id }) => facts.wasPaused(id, now)).length
    if (pausedNow !== paused) known = new WeakMap()
    paused = pausedNow
    const move = nextMove(build, dueFacts, known)
    if (move === null) due.delete(build.id)
    else due.set(build.id, move)
  }
  const turnAt = (at: number): Turn => {
    now = at
    return {
      ...turnOf(tx, { ids: context, settings: { cancelGraceMs: 0 } }, at),
      build: (id) => builds.get(id),
      put: (build) => {
        builds.set(build.id, build)
        replan(build)
      },
      agentId: (_, job) => facts.agentId(job),
      openBuilds: (pipelineId, branch) =>
        [...due.keys()].flatMap((id) => {
          const build = builds.get(id)
          return build?.pipelineId === pipelineId && build.branch === branch ? [build] : []
        }),
    }
  }
  const earliest = (): readonly [string, DueMove] | undefined => {
    let first: readonly [string, DueMove] | undefined
    for (const entry of due) if (first === undefined || entry[1].at < first[1].at) first = entry
    return first
  }

  const waiting = [...moves].sort((one, other) => other.at - one.at)
  for (;;) {
    const next = waiting.at(-1)
    const move = earliest()
    if (move !== undefined && move[1].at <= Math.min(next?.at ?? context.now, context.now)) {
      const build = builds.get(move[0])
      due.delete(move[0])
      if (build !== undefined) perform(turnAt(Math.max(move[1].at, now)), build, move[1])
    } else if (next !== undefined) {
      waiting.pop()
      next.do(turnAt(next.at))
    } else return [...builds.values()]
  }
}
