import type { BuildRecord, JobRecord, PipelineRecord, UserRecord } from '../records/records.js'
import { recomputeBuild } from './build.js'
import { cancelBuild } from './cancel.js'
import { accept, type Decision, refuse } from './decision.js'
import { allowsBranch } from './glob.js'
import { movedIfLegal } from './job-moves.js'
import { planJobs, replanJobs } from './plan-jobs.js'
import { timestamp } from './timestamp.js'
import { conclude } from './transition.js'
import type { Turn } from './turn.js'

export interface BuildRequest
  extends Pick<
    BuildRecord,
    | 'commit'
    | 'branch'
    | 'message'
    | 'author'
    | 'env'
    | 'meta_data'
    | 'pull_request'
    | 'clean_checkout'
  > {
  readonly ignore_pipeline_branch_filters: boolean
}

export type BuildOrigin = Pick<BuildRecord, 'source' | 'creatorId'> &
  Partial<Pick<BuildRecord, 'rebuiltFrom' | 'triggeredFrom' | 'triggerDepth'>>

/**
 * Makes the next build of a pipeline, with the given jobs or from its steps. Older builds are
 * superseded in the same turn.
 */
export function createBuild(
  turn: Turn,
  pipeline: PipelineRecord,
  { ignore_pipeline_branch_filters, ...requested }: BuildRequest,
  origin: BuildOrigin,
  jobs?: readonly JobRecord[],
): Decision<BuildRecord> {
  const { branch } = requested
  if (!ignore_pipeline_branch_filters && !allowsBranch(pipeline.branch_configuration, branch)) {
    return refuse('unprocessable', `Branch ${branch} is not built by this pipeline`)
  }
  const at = timestamp(turn.now)
  const queueId = (key: string) => turn.queueId(pipeline.organizationId, key)
  const build = recomputeBuild(
    {
      ...requested,
      id: turn.uuid('build'),
      organizationId: pipeline.organizationId,
      pipelineId: pipeline.id,
      number: turn.nextNumber(pipeline.id),
      state: 'scheduled',
      blocked: false,
      cancel_reason: null,
      jobs: jobs ?? planJobs({ steps: pipeline.steps, branch, at, uuid: turn.uuid, queueId }),
      created_at: at,
      scheduled_at: at,
      started_at: null,
      failing_at: null,
      finished_at: null,
      rebuiltFrom: null,
      triggeredFrom: null,
      triggerDepth: 0,
      lifecycle: null,
      testRuns: [],
      ...origin,
    },
    turn.now,
  )
  turn.put(build)
  supersede(turn, pipeline, build)
  return accept(build)
}

/** Builds the same commit again. The new build has no meta-data; its creator is the caller. */
export function rebuildBuild(
  turn: Turn,
  pipeline: PipelineRecord,
  build: BuildRecord,
  { id: creatorId, name, email }: Pick<UserRecord, 'id' | 'name' | 'email'>,
): Decision<BuildRecord> {
  if (!pipeline.allowRebuilds)
    return refuse('unprocessable', 'Rebuilds are disabled for this pipeline')
  const { commit, branch, message, env, pull_request, clean_checkout } = build
  const captured = { commit, branch, message, env, pull_request, clean_checkout }
  const own = { meta_data: {}, author: { name, email }, ignore_pipeline_branch_filters: true }
  const rebuiltFrom = { id: build.id, number: build.number, pipelineId: pipeline.id }
  const jobs = replanJobs(build.jobs, { branch, at: timestamp(turn.now), uuid: turn.uuid })
  return createBuild(
    turn,
    pipeline,
    { ...captured, ...own },
    { source: 'api', creatorId, rebuiltFrom },
    jobs,
  )
}

/** Skips queued and cancels running older builds of the branch, if the pipeline is set so. */
function supersede(turn: Turn, pipeline: PipelineRecord, by: BuildRecord): void {
  const skips =
    pipeline.skip_queued_branch_builds &&
    allowsBranch(pipeline.skip_queued_branch_builds_filter, by.branch)
  const cancels =
    pipeline.cancel_running_branch_builds &&
    allowsBranch(pipeline.cancel_running_branch_builds_filter, by.branch)
  if (!skips && !cancels) return
  for (const older of [...turn.openBuilds(pipeline.id, by.branch)]) {
    if (older.number >= by.number) continue
    if (skips && older.state === 'scheduled') conclude(turn, skipBuild(older, turn.now))
    if (cancels && (older.state === 'running' || older.state === 'failing')) {
      cancelBuild(turn, older, `Superseded by build #${by.number}`)
    }
  }
}

function skipBuild(build: BuildRecord, now: number): BuildRecord {
  const at = timestamp(now)
  const jobs = build.jobs.map((job) => movedIfLegal(job, { type: 'supersede' }, at))
  return { ...build, state: 'skipped', blocked: false, jobs, finished_at: at }
}
