import { type CiClient, summarizeFailure, watchBuild } from '@buildwire/sdk'
import type { OperationTypes } from '@buildwire/sdk/contract'
import { identify } from '../auth/identity.js'
import { unlessWithheld } from '../context/withheld.js'
import { buildState } from '../views/build.js'
import { isFailedJob } from '../views/job.js'
import { annotations, artifacts, organizations, pipelines } from '../views/records.js'
import { getArtifact } from './get-artifact.js'
import type { PipelineInput } from './reach.js'
import { readJobLog } from './read-job-log.js'
import {
  buildRecord,
  jobDetail,
  jobRecord,
  jobRecords,
  pageAnswer,
  shortRecord,
} from './records.js'
import { type Tool, tool } from './tool.js'

const slug = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }
const CREATOR = {
  type: 'string',
  pattern: '^(?:me|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
  description: 'Builds that a user started: me, or the id of a user, a UUID.',
}
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

/** The tools that only read, in the order in which a client lists them. */
export const readTools: readonly Tool[] = [
  tool({
    name: 'get_build_failure_summary',
    description:
      'Why a build failed: what failed first with the important log lines, what failed because of it, annotations, since when, and whether it is new.',
    effect: 'reads',
    operation: 'builds.get',
    async call(params, { ci, signal, maxBytes }) {
      return { record: { ...(await summarizeFailure(ci, params, { maxBytes, signal })) } }
    },
  }),
  tool({
    name: 'get_build',
    description: 'One build with its jobs: those that failed or wait for a person come first.',
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
    extraInputs: { org_slug: slug, pipeline_slug: slug, creator: CREATOR },
    takes: [
      'branch',
      'commit',
      'state',
      'meta_data',
      'created_from',
      'created_to',
      'page',
      'per_page',
    ],
    async call(
      { org_slug: org, pipeline_slug: pipeline, creator, ...filters },
      { ci, signal, reach },
    ) {
      const input = { org_slug: org, pipeline_slug: pipeline } as PipelineInput
      const scope = await reach.listScope(input)
      const creatorId = creator === 'me' ? (await ci.user.get({ signal })).id : creator
      const query = {
        per_page: 20,
        ...filters,
        creator: creatorId as string | undefined,
        exclude_jobs: true,
      }
      const page = await listBuilds(ci, scope, query, signal)
      return pageAnswer('builds', page, query.page, (build) => buildRecord(build, scope))
    },
  }),
  tool({
    name: 'get_job',
    description: 'One job of a build: its command, times, agent, and how it ended.',
    effect: 'reads',
    operation: 'jobs.get',
    async call(params, { ci, signal }) {
      return { record: jobDetail(await ci.jobs.get(params, { signal })) }
    },
  }),
  readJobLog,
  tool({
    name: 'list_annotations',
    description: 'Annotations of a build as text, the most important first.',
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
    description: 'Artifacts of a build, or of one job. get_artifact reads one as text.',
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
  getArtifact,
  tool({
    name: 'wait_for_build',
    description:
      'Waits until a build has finished or waits for a person. The outcome `timeout` means that it still runs: call again.',
    effect: 'reads',
    operation: 'builds.get',
    extraInputs: {
      until: {
        type: 'string',
        enum: ['finished', 'failing', 'started'],
        default: 'finished',
        description: 'What to wait for; failing also ends when the build has finished.',
      },
      timeout_seconds: {
        type: 'integer',
        minimum: 1,
        maximum: 3600,
        default: WAIT_SECONDS,
        description: 'How long to wait. Many hosts give up on a tool after a minute.',
      },
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
            `build ${path.number} ${buildState(change.build)}: ${over} of ${jobs.length} jobs finished`,
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
    name: 'list_organizations',
    description: 'The organizations that can be reached, with their slugs.',
    effect: 'reads',
    operation: 'organizations.list',
    takes: ['page', 'per_page'],
    async call(params, { ci, signal, reach }) {
      const { org_slug } = await reach.pinned()
      if (org_slug !== undefined) return { record: { organizations: [{ slug: org_slug }] } }
      const page = await ci.organizations.list(params, { signal })
      return pageAnswer('organizations', page, params.page, (each) =>
        shortRecord(organizations, each),
      )
    },
  }),
  tool({
    name: 'list_pipelines',
    description: 'The pipelines of an organization that can be reached, with their slugs.',
    effect: 'reads',
    operation: 'pipelines.list',
    takes: ['name', 'repository', 'page', 'per_page'],
    async call({ org_slug: org, ...params }, { ci, signal, reach }) {
      const org_slug = await reach.organization({ org_slug: org })
      const { pipeline_slug } = await reach.pinned()
      if (pipeline_slug !== undefined) {
        const path = { org_slug, pipeline_slug }
        const pinned = await ci.pipelines.get(path, { signal }).catch(unlessWithheld)
        const record = pinned === null ? { slug: pipeline_slug } : shortRecord(pipelines, pinned)
        return { record: { org_slug, pipelines: [record] } }
      }
      const page = await ci.pipelines.list({ org_slug, ...params }, { signal })
      const answer = pageAnswer('pipelines', page, params.page, (each) =>
        shortRecord(pipelines, each),
      )
      return { ...answer, record: { org_slug, ...answer.record } }
    },
  }),
  tool({
    name: 'current_user',
    description: 'The user of the token with its id, and the scopes of the token.',
    effect: 'reads',
    operation: 'user.get',
    async call(_, { ci, signal, reach }) {
      const { uuid, ...identity } = await identify(ci, signal)
      const user = await ci.user.get({ signal }).catch(unlessWithheld)
      const record = {
        user_id: user?.id,
        ...identity,
        token_id: uuid,
        reach: reach.pin ?? 'everything that the token can',
      }
      return { record, list: { key: 'scopes', advice: 'ask with a larger max_bytes' } }
    },
  }),
]
