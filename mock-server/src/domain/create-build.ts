import type { BuildRecord, JobRecord, PipelineRecord } from '../records/records.js'
import { allowsBranch } from './branch-pattern.js'
import { recomputeBuild } from './build.js'
import { accept, type Decision, refuse } from './decision.js'
import { planJobs } from './plan-jobs.js'
import { supersede } from './supersede.js'
import { timestamp } from './timestamp.js'
import type { Turn } from './turn.js'

export interface BuildRequest
  extends Pick<
    BuildRecord,
    'commit' | 'branch' | 'message' | 'author' | 'env' | 'meta_data' | 'pull_request' | 'clean_checkout'
  > {
  readonly ignore_pipeline_branch_filters: boolean
}

export type BuildOrigin = Pick<BuildRecord, 'source' | 'creatorId'> &
  Partial<Pick<BuildRecord, 'rebuiltFrom' | 'triggeredFrom' | 'triggerDepth'>>

/**
 * Makes the next build of a pipeline and supersedes older ones of its branch in the same turn.
 * Refused when the pipeline's branch filter excludes the branch.
 */
export function createBuild(
  turn: Turn,
  pipeline: PipelineRecord,
  request: BuildRequest,
  origin: BuildOrigin,
  plan: (turn: Turn, pipeline: PipelineRecord, branch: string) => readonly JobRecord[] = planned,
): Decision<BuildRecord> {
  if (!request.ignore_pipeline_branch_filters && !allowsBranch(pipeline.branch_configuration, request.branch)) {
    return refuse('unprocessable', `Branch ${request.branch} is not built by this pipeline`)
  }
  const at = timestamp(turn.now)
  const { ignore_pipeline_branch_filters: _, ...asked } = request
  const build = recomputeBuild(
    {
      ...asked,
      id: turn.uuid('build'),
      organizationId: pipeline.organizationId,
      pipelineId: pipeline.id,
      number: turn.nextNumber(pipeline.id),
      state: 'scheduled',
      blocked: false,
      cancel_reason: null,
      jobs: plan(turn, pipeline, request.branch),
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

const planned = (turn: Turn, pipeline: PipelineRecord, branch: string): readonly JobRecord[] =>
  planJobs({
    steps: pipeline.steps,
    branch,
    at: timestamp(turn.now),
    uuid: turn.uuid,
    queueId: (key) => turn.queueId(pipeline.organizationId, key),
  })
