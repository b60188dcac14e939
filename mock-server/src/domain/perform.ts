import type { BuildRecord, JobRecord } from '../records/records.js'
import { recomputeBuild } from './build.js'
import { createBuild } from './create-build.js'
import { accept, type Decision, refuse } from './decision.js'
import type { DueMove } from './due.js'
import { JobList } from './job-list.js'
import { type JobEvent, movedIfLegal } from './job-moves.js'
import { timestamp } from './timestamp.js'
import { applyEvent, conclude } from './transition.js'
import type { Turn } from './turn.js'

export function perform(turn: Turn, build: BuildRecord, move: DueMove): Decision<BuildRecord> {
  switch (move.kind) {
    case 'trigger':
      return triggerBuild(turn, build, move.jobId)
    case 'assign': {
      const job = JobList.of(build.jobs).job(move.jobId)
      if (job === undefined) return refuse('not_found', 'No job found')
      return applyEvent(turn, build, job.id, {
        type: 'assign',
        agent: turn.agentId(build.organizationId, job),
      })
    }
    case 'job':
      return applyEvent(turn, build, move.jobId, move.event)
    case 'stopCanceled': {
      const jobs = build.jobs.map((job) =>
        movedIfLegal(job, { type: 'stopCanceled' }, timestamp(turn.now)),
      )
      const stopped = recomputeBuild(build, turn.now, jobs)
      conclude(turn, stopped)
      return accept(stopped)
    }
  }
}

const maxTriggerDepth = 8

/**
 * Lets a trigger job make its build, in one turn. If no build can be made, the job fails, and its
 * log says why.
 */
export function triggerBuild(turn: Turn, build: BuildRecord, jobId: string): Decision<BuildRecord> {
  const job = JobList.of(build.jobs).job(jobId)
  if (job?.type !== 'trigger' || job.state !== 'scheduled') {
    return refuse('unprocessable', 'Only a scheduled trigger job triggers a build')
  }
  const made = makeTriggered(turn, build, job)
  if (!made.ok)
    return applied(turn, build.id, jobId, { type: 'failTrigger', log: made.failure.message })
  const parent = applied(turn, build.id, jobId, { type: 'trigger', buildId: made.value.id })
  const child = turn.build(made.value.id)
  if (child !== undefined) conclude(turn, child)
  return parent.ok ? accept(turn.build(build.id) ?? parent.value) : parent
}

/** Reads the parent again, because the new build may have superseded it. */
function applied(
  turn: Turn,
  buildId: string,
  jobId: string,
  event: JobEvent,
): Decision<BuildRecord> {
  const parent = turn.build(buildId)
  if (parent === undefined) return refuse('not_found', 'No build found')
  const decision = applyEvent(turn, parent, jobId, event)
  return decision.ok ? decision : accept(parent)
}

function makeTriggered(turn: Turn, build: BuildRecord, job: JobRecord): Decision<BuildRecord> {
  const step = job.step !== undefined && 'trigger' in job.step ? job.step : undefined
  const slug = step?.trigger ?? ''
  const pipeline = turn.pipelineBySlug(build.organizationId, slug)
  if (pipeline === undefined) return refuse('unprocessable', `No pipeline ${slug} to trigger`)
  if (build.triggerDepth >= maxTriggerDepth) {
    return refuse(
      'unprocessable',
      `Builds may trigger one another ${maxTriggerDepth} deep, and this would be deeper`,
    )
  }
  const { commit, branch, message, env, meta_data } = step?.build ?? {}
  const request = {
    commit: commit ?? 'HEAD',
    branch: branch ?? pipeline.default_branch,
    message: message ?? build.message,
    author: build.author,
    env: env ?? {},
    meta_data: meta_data ?? {},
    pull_request: null,
    clean_checkout: false,
    ignore_pipeline_branch_filters: false,
  }
  return createBuild(turn, pipeline, request, {
    source: 'trigger_job',
    creatorId: build.creatorId,
    triggeredFrom: {
      buildId: build.id,
      number: build.number,
      pipelineId: build.pipelineId,
      jobId: job.id,
    },
    triggerDepth: build.triggerDepth + 1,
  })
}
