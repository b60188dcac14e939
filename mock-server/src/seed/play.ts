import { RETRY_STATES } from '@buildwire/sdk/contract'
import { cancelBuild } from '../domain/cancel.js'
import { createBuild, rebuildBuild } from '../domain/create-build.js'
import { type DueFacts, type DueMove, type KnownMoves, nextMove } from '../domain/due.js'
import { commandOf } from '../domain/job.js'
import { perform } from '../domain/perform.js'
import { retryFailedJobs } from '../domain/retry.js'
import { applyEvent } from '../domain/transition.js'
import type { Turn } from '../domain/turn.js'
import type { Path } from '../fields/field.js'
import { withoutNulls } from '../fields/merge.js'
import type { BuildRecord, JobRecord, QueueRecord, UserRecord } from '../records/records.js'
import { turnOf } from '../store/turn.js'
import type { Play, PlayedBuild } from './build-tables.js'
import { commitOf, putAnnotation, putArtifact, requestOf, testRunsOf } from './load-build.js'
import { stepByKey } from './load-job.js'
import { agentNamed, type PipelinePlace } from './load-organization.js'
import type { Loading } from './loading.js'
import type { SeedOrganization } from './tables.js'

/**
 * A build that is to be made at a time, and how it differs from what the steps of its pipeline say.
 */
export interface Plan {
  readonly place: PipelinePlace
  /** Epoch ms. */
  readonly at: number
  readonly given: Omit<PlayedBuild, 'created_at' | 'play'>
  readonly play: Play
  /** In place of `play.steps`. */
  readonly shape?: (job: JobRecord) => JobRecord
  readonly path: Path
}

type PlayedStep = NonNullable<Play['steps']>[number]
type Act = NonNullable<Play['acts']>[number]

/** A job whose step behaves otherwise; keys that are null change nothing. */
export function behaving(job: JobRecord, behaviour: object): JobRecord {
  const step = commandOf(job)
  return step === undefined ? job : { ...job, step: { ...step, ...withoutNulls(behaviour) } }
}

function means({ key, index, matrix }: PlayedStep, job: JobRecord): boolean {
  return (
    key === job.step_key &&
    (index ?? job.parallel_group_index) === job.parallel_group_index &&
    Object.entries(matrix ?? {}).every(([name, value]) => job.matrix?.[name] === value)
  )
}

function shapeOf(steps: readonly PlayedStep[]) {
  return (job: JobRecord): JobRecord =>
    steps
      .filter((step) => means(step, job))
      .reduce(
        (shaped, { key: _key, index: _index, matrix: _matrix, ...behaviour }) =>
          behaving(shaped, behaviour),
        job,
      )
}

function unblock(turn: Turn, build: BuildRecord, user: string | null): void {
  const job = build.jobs.find(
    (candidate) => candidate.state === 'blocked' && candidate.type === 'manual',
  )
  if (job !== undefined) applyEvent(turn, build, job.id, { type: 'unblock', user })
}

function doAct(
  turn: Turn,
  { place }: Plan,
  build: BuildRecord,
  what: Act,
  by: UserRecord | undefined,
) {
  if (what.do === 'cancel') {
    cancelBuild(turn, build, what.reason ?? null)
  } else if (what.do === 'retry') {
    retryFailedJobs(turn, build, RETRY_STATES)
  } else if (what.do === 'unblock') {
    unblock(turn, build, by?.id ?? null)
    for (const { triggeredBuildId } of build.jobs) {
      const triggered = turn.build(triggeredBuildId ?? '')
      if (triggered?.blocked === true) unblock(turn, triggered, by?.id ?? null)
    }
  } else if (what.do === 'rebuild' && by !== undefined) {
    const made = rebuildBuild(turn, place.pipeline, build, by)
    if (!made.ok) return build.id
    turn.put({
      ...made.value,
      jobs: made.value.jobs.map((job) => behaving(job, { outcome: 'pass' })),
    })
    return made.value.id
  }
  return build.id
}

/** A build that waits for another to end: a state that no step leads to. */
function heldBack(build: BuildRecord): BuildRecord {
  return {
    ...build,
    state: 'waiting',
    jobs: build.jobs.map((job) => ({ ...job, state: 'waiting', runnable_at: null })),
  }
}

function movesOf(loading: Loading, plan: Plan): readonly TimedAct[] {
  const { place, at, given, play, path } = plan
  const { context, issues } = loading
  const { pipeline } = place
  const steps = play.steps ?? []
  for (const [n, { key }] of steps.entries()) {
    if (!stepByKey(pipeline.steps, key))
      issues.issue([...path, 'play', 'steps', n, 'key'], `there is no step ${JSON.stringify(key)}`)
  }
  const creator = given.creator
    ? loading.refer('user', [...path, 'creator'], given.creator)
    : undefined
  const testRuns = testRunsOf(loading, place, given.testRuns, path)
  const make = (turn: Turn): BuildRecord | undefined => {
    const commit = given.commit ?? commitOf(context.uuid('commit'))
    const request = requestOf(context, given, place, creator, commit)
    const origin = { source: given.source ?? 'webhook', creatorId: creator?.id ?? null }
    const made = createBuild(turn, pipeline, request, origin)
    if (!made.ok) return undefined
    const build = { ...made.value, jobs: made.value.jobs.map(plan.shape ?? shapeOf(steps)) }
    turn.put(build)
    return build
  }
  let id = ''
  const first: TimedAct = {
    at,
    do: (turn) => {
      const build = make(turn)
      if (!build) return
      id = build.id
      if (given.state === 'waiting') turn.put(heldBack(build))
      else if (testRuns.length > 0) turn.put({ ...build, testRuns })
    },
  }
  const later = (play.acts ?? []).map((act, n): TimedAct => {
    const here = [...path, 'play', 'acts', n, 'user']
    const by = act.user ? loading.refer('user', here, act.user) : creator
    if (act.do === 'rebuild' && !by) issues.issue(here, 'is required: nobody made the build')
    return {
      at: at + act.afterMs,
      do: (turn) => {
        const build = turn.build(id)
        if (act.do === 'push') make(turn)
        else if (build) id = doAct(turn, plan, build, act, by)
      },
    }
  })
  return [first, ...later]
}

interface TimedAct {
  /** Epoch ms. */
  readonly at: number
  do(turn: Turn): void
}

/**
 * Plays the lifecycle until now by the very table that the server moves builds with: such a history
 * could have happened.
 */
function simulate(
  { tx, context }: Loading,
  facts: ReturnType<typeof surroundings>,
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

/** Who took the jobs of an organization, and which of its queues stood still when. */
function surroundings(
  loading: Loading,
  organization: PipelinePlace['organization'],
  given: SeedOrganization,
) {
  const { state, context, time } = loading
  const ofOrganization = <R extends { readonly organizationId: string }>(
    records: Iterable<R>,
  ): readonly R[] => [...records].filter(({ organizationId }) => organizationId === organization.id)
  const queues = ofOrganization(state.values('queues'))
  const agents = ofOrganization(state.values('agents'))
  const bound = new Map((given.agents ?? []).map(({ name, queue }) => [name, queue ?? undefined]))
  const said = new Map((given.queues ?? []).map(({ key, paused }) => [key, paused]))
  const pausedSince = (queue: QueueRecord): number => {
    const since = said.get(queue.key)
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
      const able = agents.filter(({ name }) => (bound.get(name) ?? queue) === queue)
      const drawn = able[Math.floor(context.dice(`agent:${job.id}`, 0) * able.length)]
      return drawn?.id ?? agentNamed(loading, organization, 'agent-1')
    },
  }
}

/**
 * Plays the planned builds of an organization from the first one until now, by the server's own
 * lifecycle.
 */
export function playBuilds(
  loading: Loading,
  organization: PipelinePlace['organization'],
  given: SeedOrganization,
  plans: readonly Plan[],
): void {
  const { context, issues } = loading
  const moves = [...plans]
    .sort((one, other) => one.at - other.at)
    .flatMap((plan) => movesOf(loading, plan))
  if (moves.length === 0 || issues.count > 0) return
  const begun = moves.filter(({ at }) => at <= context.now)
  for (const build of simulate(loading, surroundings(loading, organization, given), begun)) {
    loading.once(`build of ${build.pipelineId}`, String(build.number), [])
    loading.put('builds', build, undefined)
    for (const job of build.jobs) leaveBehind(loading, build, job)
  }
}

function leaveBehind(loading: Loading, { id: buildId }: BuildRecord, job: JobRecord): void {
  if (job.state !== 'failed' || job.retried) return
  const { annotation, artifacts } = commandOf(job)?.onFailure ?? {}
  const now = Date.parse(job.finished_at ?? job.created_at)
  const context = job.step_key ?? 'default'
  if (annotation)
    putAnnotation(loading, buildId, { body: annotation, style: 'error', context }, now)
  for (const artifact of artifacts ?? []) putArtifact(loading, { buildId, jobId: job.id }, artifact)
}
