import { RETRY_STATES } from '@buildwire/sdk/contract'
import { cancelBuild } from '../domain/cancel.js'
import { createBuild, rebuildBuild } from '../domain/create-build.js'
import { commandOf } from '../domain/job.js'
import { retryFailedJobs } from '../domain/retry.js'
import { applyEvent } from '../domain/transition.js'
import type { Turn } from '../domain/turn.js'
import type { Path } from '../fields/field.js'
import { withoutNulls } from '../fields/merge.js'
import type { BuildRecord, JobRecord, UserRecord } from '../records/records.js'
import { commitOf, requestOf, testRunsOf } from './build-request.js'
import type { PlayedBuild } from './build-tables.js'
import { putAnnotation, putArtifact } from './load-attachments.js'
import { stepByKey } from './load-job.js'
import type { PipelineLocation } from './load-organization.js'
import type { Loading } from './loading.js'
import type { Play } from './play-tables.js'
import { simulate, surroundingsOf, type TimedAct } from './simulate.js'
import type { SeedOrganization } from './tables.js'

/** A build to make at a given time, and how its jobs differ from the steps of its pipeline. */
export interface BuildPlan {
  readonly location: PipelineLocation
  /** Epoch ms. */
  readonly at: number
  readonly given: Omit<PlayedBuild, 'created_at' | 'play'>
  readonly play: Play
  /** Changes each job, instead of `play.steps`. */
  readonly changeJob?: (job: JobRecord) => JobRecord
  readonly path: Path
}

type PlayedStep = NonNullable<Play['steps']>[number]
type Act = NonNullable<Play['acts']>[number]

/** The job with another behaviour of its step; keys that are null change nothing. */
export function withBehaviour(job: JobRecord, behaviour: object): JobRecord {
  const step = commandOf(job)
  return step === undefined ? job : { ...job, step: { ...step, ...withoutNulls(behaviour) } }
}

function matchesJob({ key, index, matrix }: PlayedStep, job: JobRecord): boolean {
  return (
    key === job.step_key &&
    (index ?? job.parallel_group_index) === job.parallel_group_index &&
    Object.entries(matrix ?? {}).every(([name, value]) => job.matrix?.[name] === value)
  )
}

function jobChangesOf(steps: readonly PlayedStep[]) {
  return (job: JobRecord): JobRecord =>
    steps
      .filter((step) => matchesJob(step, job))
      .reduce(
        (changed, { key: _key, index: _index, matrix: _matrix, ...behaviour }) =>
          withBehaviour(changed, behaviour),
        job,
      )
}

function unblock(turn: Turn, build: BuildRecord, user: string | null): void {
  const job = build.jobs.find(
    (candidate) => candidate.state === 'blocked' && candidate.type === 'manual',
  )
  if (job !== undefined) applyEvent(turn, build, job.id, { type: 'unblock', user })
}

/** Does an act to a build; returns the id of the build that later acts are for. */
function doAct(
  turn: Turn,
  { location: { pipeline } }: BuildPlan,
  build: BuildRecord,
  act: Act,
  by: UserRecord | undefined,
): string {
  switch (act.do) {
    case 'cancel':
      cancelBuild(turn, build, act.reason ?? null)
      return build.id
    case 'retry':
      retryFailedJobs(turn, build, RETRY_STATES)
      return build.id
    case 'unblock': {
      const user = by?.id ?? null
      unblock(turn, build, user)
      for (const { triggeredBuildId } of build.jobs) {
        const triggered = turn.build(triggeredBuildId ?? '')
        if (triggered?.blocked === true) unblock(turn, triggered, user)
      }
      return build.id
    }
    case 'rebuild': {
      const rebuilt = by && rebuildBuild(turn, pipeline, build, by)
      if (!rebuilt?.ok) return build.id
      const jobs = rebuilt.value.jobs.map((job) => withBehaviour(job, { outcome: 'pass' }))
      turn.put({ ...rebuilt.value, jobs })
      return rebuilt.value.id
    }
    default:
      return build.id
  }
}

/** The build in the state `waiting`, for another build to end. No step leads to this state. */
function asWaiting(build: BuildRecord): BuildRecord {
  return {
    ...build,
    state: 'waiting',
    jobs: build.jobs.map((job) => ({ ...job, state: 'waiting', runnable_at: null })),
  }
}

/** The acts of a plan, by time: the build is made first. */
function actsOf(loading: Loading, plan: BuildPlan): readonly TimedAct[] {
  const { location, at, given, play, path } = plan
  const { context, issues } = loading
  const { pipeline } = location
  const steps = play.steps ?? []
  for (const [n, { key }] of steps.entries()) {
    if (!stepByKey(pipeline.steps, key))
      issues.issue([...path, 'play', 'steps', n, 'key'], `there is no step ${JSON.stringify(key)}`)
  }
  const creator = given.creator
    ? loading.refer('user', [...path, 'creator'], given.creator)
    : undefined
  const testRuns = testRunsOf(loading, location, given.testRuns, path)

  const make = (turn: Turn): BuildRecord | undefined => {
    const commit = given.commit ?? commitOf(context.uuid('commit'))
    const request = requestOf(context, given, location, creator, commit)
    const origin = { source: given.source ?? 'webhook', creatorId: creator?.id ?? null }
    const created = createBuild(turn, pipeline, request, origin)
    if (!created.ok) return undefined
    const jobs = created.value.jobs.map(plan.changeJob ?? jobChangesOf(steps))
    const build = { ...created.value, jobs }
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
      if (given.state === 'waiting') turn.put(asWaiting(build))
      else if (testRuns.length > 0) turn.put({ ...build, testRuns })
    },
  }

  const later = (play.acts ?? []).map((act, n): TimedAct => {
    const here = [...path, 'play', 'acts', n, 'user']
    const by = act.user ? loading.refer('user', here, act.user) : creator
    if (act.do === 'rebuild' && !by) issues.issue(here, 'is required: the build has no creator')
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

/** Plays the planned builds of an organization until now, by the lifecycle of the server. */
export function playBuilds(
  loading: Loading,
  organization: PipelineLocation['organization'],
  given: SeedOrganization,
  plans: readonly BuildPlan[],
): void {
  const { context, issues } = loading
  const acts = [...plans]
    .sort((one, other) => one.at - other.at)
    .flatMap((plan) => actsOf(loading, plan))
  if (acts.length === 0 || issues.count > 0) return
  const pastActs = acts.filter(({ at }) => at <= context.now)
  const surroundings = surroundingsOf(loading, organization, given)
  for (const build of simulate(loading, surroundings, pastActs)) {
    loading.once(`build of ${build.pipelineId}`, String(build.number), [])
    loading.put('builds', build, undefined)
    for (const job of build.jobs) putFailureAttachments(loading, build, job)
  }
}

/** Puts the annotation and the artifacts that the step of a failed job has under `onFailure`. */
function putFailureAttachments(
  loading: Loading,
  { id: buildId }: BuildRecord,
  job: JobRecord,
): void {
  if (job.state !== 'failed' || job.retried) return
  const { annotation, artifacts } = commandOf(job)?.onFailure ?? {}
  const now = Date.parse(job.finished_at ?? job.created_at)
  const context = job.step_key ?? 'default'
  if (annotation)
    putAnnotation(loading, buildId, { body: annotation, style: 'error', context }, now)
  for (const artifact of artifacts ?? []) putArtifact(loading, { buildId, jobId: job.id }, artifact)
}
