import { type CiClient, summarizeFailure, watchBuild } from '@buildwire/sdk'
import type { OperationTypes } from '@buildwire/sdk/contract'
import { identify } from '../auth/identity.js'
import { buildState } from '../views/build.js'
import { isFailedJob } from '../views/job.js'
import { annotations, artifacts } from '../views/records.js'
import type { PipelineInput } from './reach.js'
import { readJobLog } from './read-job-log.js'
import { buildRecord, jobRecord, jobRecords, pageAnswer, shortRecord } from './records.js'
import { type Tool, tool } from './tool.js'

const slug = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }
type BuildsQuery = OperationTypes['builds.list']['params'] & object

/** By default hosts give up on a tool after a minute. */
const WAIT_SECONDS = 50

/** One page of the builds of a pipeline, else of an organization, else of all. */
function listBuilds(
  ci: CiClient,
  { org_slug, pipeline_slug }: PipelineInput,
  query: BuildsQuery,
  signal: AbortSignal,
) {
  if (org_slug === undefined) return ci.builds.list(query, { signal })
  if (pipeline_slug === undefined) {
    return ci.builds.listForOrganization({ ...query, org_slug }, { signal })
  }
  const params = { ...query, org_slug, pipeline_slug, exclude_pipeline: true }
  return ci.builds.listForPipeline(params, { signal })
}

/**
 * All tools in the order in which a client lists them: first those that read, then those that
 * `--allow-writes` adds.
 */
export const tools: readonly Tool[] = [
  tool({
    name: 'get_build_failure_summary',
    description:
      'Why a build failed: what failed first with the log lines that matter, what followed from it, annotations, since when, and whether it is new.',
    effect: 'reads',
    operation: 'builds.get',
    async call(params, { ci, signal, maxBytes }) {
      return { record: { ...(await summarizeFailure(ci, params, { maxBytes, signal })) } }
    },
  }),
  tool({
    name: 'get_build',
    description: 'One build with its jobs: those that failed or wait for a person stand first.',
    effect: 'reads',
    operation: 'builds.get',
    takes: ['job_states', 'include_retried_jobs'],
    async call(params, { ci, signal }) {
      const build = await ci.builds.get(params, { signal })
      const record = { ...buildRecord(build, params), jobs: jobRecords(build.jobs) }
      return { record, list: { key: 'jobs', advice: 'ask with job_states' } }
    },
  }),
  tool({
    name: 'list_builds',
    description:
      'Builds, newest first, without their jobs. With org_slug alone: of the organization. With neither: of the pipeline of the directory, else of all.',
    effect: 'reads',
    operation: 'builds.list',
    extraInputs: { org_slug: slug, pipeline_slug: slug },
    takes: [
      'branch',
      'commit',
      'state',
      'creator',
      'meta_data',
      'created_from',
      'created_to',
      'page',
      'per_page',
    ],
    async call({ org_slug: org, pipeline_slug: pipeline, ...filters }, { ci, signal, reach }) {
      const input = { org_slug: org, pipeline_slug: pipeline } as PipelineInput
      const scope = await reach.listScope(input)
      const query = { per_page: 20, ...filters, exclude_jobs: true }
      const page = await listBuilds(ci, scope, query, signal)
      return pageAnswer('builds', page, query.page, (build) => buildRecord(build, scope))
    },
  }),
  readJobLog,
  tool({
    name: 'list_annotations',
    description: 'Notes on a build as text, the most important first.',
    effect: 'reads',
    operation: 'annotations.list',
    takes: ['page', 'per_page'],
    async call(params, { ci, signal }) {
      const page = await ci.annotations.list(params, { signal })
      return pageAnswer('annotations', page, params.page, (note) => shortRecord(annotations, note))
    },
  }),
  tool({
    name: 'list_artifacts',
    description:
      'Files that the jobs of a build left, or those of one job. `ci artifacts download` fetches them.',
    effect: 'reads',
    operation: 'artifacts.list',
    takes: ['page', 'per_page'],
    extraInputs: { job_id: { type: 'string', format: 'uuid' } },
    async call({ job_id, ...params }, { ci, signal }) {
      const page = await (typeof job_id === 'string'
        ? ci.artifacts.listForJob({ ...params, job_id }, { signal })
        : ci.artifacts.list(params, { signal }))
      return pageAnswer('artifacts', page, params.page, (artifact) =>
        shortRecord(artifacts, artifact),
      )
    },
  }),
  tool({
    name: 'wait_for_build',
    description:
      'Waits until a build has finished or waits for a person. The outcome `timeout` means that it still runs: call again.',
    effect: 'reads',
    operation: 'builds.get',
    extraInputs: {
      until: { enum: ['finished', 'failing', 'started'], default: 'finished' },
      timeout_seconds: { type: 'integer', minimum: 1, maximum: 3600, default: WAIT_SECONDS },
    },
    async call({ until, timeout_seconds = WAIT_SECONDS, ...path }, { ci, signal, progress }) {
      const options = {
        until: until as 'finished' | undefined,
        timeoutMs: Number(timeout_seconds) * 1000,
        signal,
      }
      for await (const change of watchBuild(ci, path, options)) {
        if (change.type === 'trouble') await progress(`${change.error.summary}; asking again`)
        if (change.type === 'build') {
          const jobs = (change.build.jobs ?? []).filter(({ type }) => type === 'script')
          const over = jobs.filter(({ finished_at }) => finished_at != null).length
          await progress(
            `build ${path.number} ${buildState(change.build)}: ${over} of ${jobs.length} jobs are over`,
          )
        }
        if (change.type !== 'finished') continue
        const { build, outcome } = change
        const failed_jobs = (build.jobs ?? []).filter(isFailedJob).map(jobRecord)
        const record = { outcome, ...buildRecord(build, path), failed_jobs }
        return { record, list: { key: 'failed_jobs', advice: 'ask get_build_failure_summary' } }
      }
      throw new RangeError('a watch ended without its last change')
    },
  }),
  tool({
    name: 'current_user',
    description: 'Whom the token acts for, and its scopes.',
    effect: 'reads',
    operation: 'user.get',
    async call(_, { ci, signal, reach }) {
      const { uuid, ...identity } = await identify(ci, signal)
      const record = {
        ...identity,
        token_id: uuid,
        reach: reach.pin ?? 'everything that the token can',
      }
      return { record, list: { key: 'scopes', advice: '`ci auth status` shows all' } }
    },
  }),
  tool({
    name: 'create_build',
    description: 'Starts a build of a commit on a branch.',
    effect: 'adds',
    operation: 'builds.create',
    takes: [
      'commit',
      'branch',
      'message',
      'env',
      'meta_data',
      'clean_checkout',
      'ignore_pipeline_branch_filters',
    ],
    call: async (params, { ci, signal }) => ({
      record: buildRecord(await ci.builds.create(params, { signal })),
    }),
  }),
  tool({
    name: 'rebuild_build',
    description: 'Starts a new build of the same commit, and answers it.',
    effect: 'adds',
    operation: 'builds.rebuild',
    call: async (params, { ci, signal }) => ({
      record: buildRecord(await ci.builds.rebuild(params, { signal })),
    }),
  }),
  tool({
    name: 'retry_failed_jobs',
    description: 'Runs the failed jobs of a build again, in the same build.',
    effect: 'adds',
    operation: 'builds.retryFailedJobs',
    takes: ['states'],
    async call(params, { ci, signal }) {
      const build = await ci.builds.retryFailedJobs(params, { signal })
      return { record: { ...buildRecord(build), retried_jobs_count: build.retried_jobs_count } }
    },
  }),
  tool({
    name: 'retry_job',
    description: 'Runs one failed job again, and answers the job that takes its place.',
    effect: 'adds',
    operation: 'jobs.retry',
    call: async (params, { ci, signal }) => ({
      record: jobRecord(await ci.jobs.retry(params, { signal })),
    }),
  }),
  tool({
    name: 'unblock_job',
    description:
      'Lets a build go on at a job that is unblockable: what follows may be a deployment.',
    effect: 'changes',
    operation: 'jobs.unblock',
    takes: ['fields'],
    call: async (params, { ci, signal }) => ({
      record: jobRecord(await ci.jobs.unblock(params, { signal })),
    }),
  }),
  tool({
    name: 'cancel_build',
    description: 'Cancels a build that has not finished.',
    effect: 'changes',
    operation: 'builds.cancel',
    takes: ['cancel_reason'],
    call: async (params, { ci, signal }) => ({
      record: buildRecord(await ci.builds.cancel(params, { signal })),
    }),
  }),
]
