import { type DueFacts, type DueMove, type KnownMoves, nextMove } from '../domain/due.js'
import { perform } from '../domain/perform.js'
import type { Turn } from '../domain/turn.js'
import type { BuildRecord, JobRecord, OrganizationRecord, QueueRecord } from '../records/records.js'
import { turnOf } from '../store/turn.js'
import { agentNamed } from './load-organization.js'
import type { Loading } from './loading.js'
import type { SeedOrganization } from './tables.js'

/** Something that a user or a webhook does at a planned time. */
export interface TimedAct {
  /** Epoch ms. */
  readonly at: number
  do(turn: Turn): void
}

/** The agents that take the jobs of an organization, and the times when its queues were paused. */
export type Surroundings = ReturnType<typeof surroundingsOf>

export function surroundingsOf(
  loading: Loading,
  organization: OrganizationRecord,
  given: SeedOrganization,
) {
  const { state, context, time } = loading
  const ofOrganization = <R extends { readonly organizationId: string }>(
    records: Iterable<R>,
  ): readonly R[] => [...records].filter(({ organizationId }) => organizationId === organization.id)

  const queues = ofOrganization(state.values('queues'))
  const agents = ofOrganization(state.values('agents'))
  const queueOfAgent = new Map(
    (given.agents ?? []).map(({ name, queue }) => [name, queue ?? undefined]),
  )
  const pausedInSeed = new Map((given.queues ?? []).map(({ key, paused }) => [key, paused]))
  const pausedSince = (queue: QueueRecord): number => {
    const since = pausedInSeed.get(queue.key)
    return typeof since === 'string' ? Date.parse(time(since)) : context.now
  }
  const paused = new Map(
    queues.filter((queue) => queue.paused).map((queue) => [queue.id, pausedSince(queue)]),
  )

  return {
    queues,
    wasPaused: (queueId: string, at: number) =>
      at >= (paused.get(queueId) ?? Number.POSITIVE_INFINITY),
    agentId(job: JobRecord): string {
      const queue = queues.find(({ id }) => id === job.queueId)?.key ?? 'default'
      const able = agents.filter(({ name }) => (queueOfAgent.get(name) ?? queue) === queue)
      const drawn = able[Math.floor(context.dice(`agent:${job.id}`, 0) * able.length)]
      return drawn?.id ?? agentNamed(loading, organization, 'agent-1')
    },
  }
}

/**
 * Plays acts and what follows from them until now, by the same rules as the running server. So the
 * history of a seed is one that could have happened.
 */
export function simulate(
  { tx, context }: Loading,
  surroundings: Surroundings,
  acts: readonly TimedAct[],
): readonly BuildRecord[] {
  const builds = new Map<string, BuildRecord>()
  const due = new Map<string, DueMove>()
  let now = 0
  const dueFacts: DueFacts = {
    lifecycle: { policy: 'timed' },
    jobExpiryMs: 30 * 86_400_000,
    isPaused: (queueId) => surroundings.wasPaused(queueId, now),
    dice: (jobId) => context.dice(`duration:${jobId}`, 0),
  }
  let pausedQueues = 0
  let knownMoves: KnownMoves = new WeakMap()

  const planNextMove = (build: BuildRecord) => {
    const pausedNow = surroundings.queues.filter(({ id }) => surroundings.wasPaused(id, now)).length
    if (pausedNow !== pausedQueues) knownMoves = new WeakMap()
    pausedQueues = pausedNow
    const move = nextMove(build, dueFacts, knownMoves)
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
        planNextMove(build)
      },
      agentId: (_, job) => surroundings.agentId(job),
      openBuilds: (pipelineId, branch) =>
        [...due.keys()].flatMap((id) => {
          const build = builds.get(id)
          return build?.pipelineId === pipelineId && build.branch === branch ? [build] : []
        }),
    }
  }

  const earliestMove = (): readonly [buildId: string, move: DueMove] | undefined => {
    let earliest: readonly [string, DueMove] | undefined
    for (const entry of due)
      if (earliest === undefined || entry[1].at < earliest[1].at) earliest = entry
    return earliest
  }

  // The last act is the next one.
  const waiting = [...acts].sort((one, other) => other.at - one.at)
  for (;;) {
    const nextAct = waiting.at(-1)
    const [buildId = '', move] = earliestMove() ?? []
    const until = Math.min(nextAct?.at ?? context.now, context.now)
    if (move !== undefined && move.at <= until) {
      const build = builds.get(buildId)
      due.delete(buildId)
      if (build !== undefined) perform(turnAt(Math.max(move.at, now)), build, move)
    } else if (nextAct !== undefined) {
      waiting.pop()
      nextAct.do(turnAt(nextAct.at))
    } else return [...builds.values()]
  }
}
