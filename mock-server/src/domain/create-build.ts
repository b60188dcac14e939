import type { BuildRecord, JobRecord, PipelineRecord } from '../records/records.js'
import { allowsBranch } from './branch-pattern.js'
import { recomputeBuild } from './build.js'
import { accept, type Decision, refuse } from './decision.js'
import { planJobs } from './plan-jobs.js'
import { supersede } from './supersede.js'
import { timestamp } from './timestamp.js'
import type { Turn } from './turn.js'

/** What a caller of create asks for, read and coerced. */
export interface BuildRequest {
  readonly commit: string
  readonly branch: string
  readonly message: string | null
  readonly author: BuildRecord['author']
  readonly env: BuildRecord['env']
  readonly meta_data: BuildRecord['meta_data']
  readonly pull_request: BuildRecord['pull_request']
  readonly clean_checkout: boolean
  readonly ignore_pipeline_branch_filters: boolean
}

/** Why the build is made, and by whom. */
export interface BuildOrigin {
  readonly source: string
  readonly creatorId: string | null
  readonly rebuiltFrom?: BuildRecord['rebuiltFrom']
  readonly triggeredFrom?: BuildRecord['triggeredFrom']
  readonly triggerDepth?: number
}

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
      source: origin.source,
      creatorId: origin.creatorId,
      jobs: plan(turn, pipeline, request.branch),
      created_at: at,
      scheduled_at: at,
      started_at: null,
      failing_at: null,
      finished_at: null,
      rebuiltFrom: origin.rebuiltFrom ?? null,
      triggeredFrom: origin.triggeredFrom ?? null,
      triggerDepth: origin.triggerDepth ?? 0,
      lifecycle: null,
      testRuns: [],
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
