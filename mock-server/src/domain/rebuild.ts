import type { BuildRecord, PipelineRecord, UserRecord } from '../records/records.js'
import { createBuild } from './create-build.js'
import { type Decision, refuse } from './decision.js'
import { replanJobs } from './plan-jobs.js'
import { timestamp } from './timestamp.js'
import type { Turn } from './turn.js'

/** A new build of what the original captured; meta-data and people are the caller's own. */
export function rebuildBuild(
  turn: Turn,
  pipeline: PipelineRecord,
  build: BuildRecord,
  user: Pick<UserRecord, 'id' | 'name' | 'email'>,
): Decision<BuildRecord> {
  if (!pipeline.allowRebuilds) return refuse('unprocessable', 'Rebuilds are disabled for this pipeline')
  const { commit, branch, message, env, pull_request, clean_checkout } = build
  return createBuild(
    turn,
    pipeline,
    {
      commit,
      branch,
      message,
      env,
      pull_request,
      clean_checkout,
      meta_data: {},
      author: { name: user.name, email: user.email },
      ignore_pipeline_branch_filters: true,
    },
    { source: 'api', creatorId: user.id, rebuiltFrom: { id: build.id, number: build.number, pipelineId: pipeline.id } },
    () => replanJobs(build.jobs, { branch, at: timestamp(turn.now), uuid: turn.uuid }),
  )
}
