import type { BuildRecord, JobRecord, PipelineRecord, TriggerStep } from '../records/records.js'
import { conclude } from './conclude.js'
import { type BuildRequest, createBuild } from './create-build.js'
import { accept, type Decision, refuse } from './decision.js'
import { JobList } from './job-list.js'
import { transition } from './transition.js'
import type { Turn } from './turn.js'

const maxTriggerDepth = 8

/** A trigger job makes its build and moves, in one turn; when no build can be made it fails with a line that says why. */
export function triggerBuild(turn: Turn, build: BuildRecord, jobId: string): Decision<BuildRecord> {
  const job = JobList.of(build.jobs).job(jobId)
  if (job?.type !== 'trigger' || job.state !== 'scheduled') {
    return refuse('unprocessable', 'Only a scheduled trigger job triggers a build')
  }
  const made = makeTriggered(turn, build, job)
  if (!made.ok) return applied(turn, build.id, jobId, { type: 'failTrigger', log: made.failure.message })
  const parent = applied(turn, build.id, jobId, { type: 'trigger', buildId: made.value.id })
  const child = turn.build(made.value.id)
  if (child !== undefined) conclude(turn, child)
  return parent.ok ? accept(turn.build(build.id) ?? parent.value) : parent
}

/** Reads the parent afresh: making the new build may have superseded it. */
function applied(
  turn: Turn,
  buildId: string,
  jobId: string,
  event: Parameters<typeof transition>[2],
): Decision<BuildRecord> {
  const parent = turn.build(buildId)
  if (parent === undefined) return refuse('not_found', 'No build found')
  const decision = transition(parent, jobId, event, turn)
  if (!decision.ok) return accept(parent)
  conclude(turn, decision.value)
  return decision
}

function makeTriggered(turn: Turn, build: BuildRecord, job: JobRecord): Decision<BuildRecord> {
  const step = job.step !== undefined && 'trigger' in job.step ? job.step : undefined
  const slug = step?.trigger ?? ''
  const pipeline = turn.pipelineBySlug(build.organizationId, slug)
  if (pipeline === undefined) return refuse('unprocessable', `No pipeline ${slug} to trigger`)
  if (build.triggerDepth >= maxTriggerDepth) {
    return refuse('unprocessable', `Builds may trigger one another ${maxTriggerDepth} deep, and this would be deeper`)
  }
  return createBuild(turn, pipeline, requestOf(step?.build ?? {}, build, pipeline), {
    source: 'trigger_job',
    creatorId: build.creatorId,
    triggeredFrom: { buildId: build.id, number: build.number, pipelineId: build.pipelineId, jobId: job.id },
    triggerDepth: build.triggerDepth + 1,
  })
}

const requestOf = (
  { commit, branch, message, env, meta_data }: NonNullable<TriggerStep['build']>,
  build: BuildRecord,
  pipeline: PipelineRecord,
): BuildRequest => ({
  commit: commit ?? 'HEAD',
  branch: branch ?? pipeline.default_branch,
  message: message ?? build.message,
  author: build.author,
  env: env ?? {},
  meta_data: meta_data ?? {},
  pull_request: null,
  clean_checkout: false,
  ignore_pipeline_branch_filters: false,
})
