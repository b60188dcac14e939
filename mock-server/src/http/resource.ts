import type { Context, PathParameters } from '../context.js'
import { accept, type Decision, refuse } from '../domain/decision.js'
import type {
  BuildRecord,
  JobRecord,
  OrganizationRecord,
  PipelineAccess,
  PipelineRecord,
  SuiteRecord,
  TestRecordRecord,
} from '../store/records.js'
import { parseUuid } from './query.js'

/** What a handler needs to find what its path names, as far as its caller may see it. */
export type Viewer = Pick<Context, 'sandbox' | 'caller'>

export interface PipelinePlace {
  readonly organization: OrganizationRecord
  readonly pipeline: PipelineRecord
}
export interface BuildPlace extends PipelinePlace {
  readonly build: BuildRecord
}
export interface JobPlace extends BuildPlace {
  readonly job: JobRecord
}
export interface SuitePlace {
  readonly organization: OrganizationRecord
  readonly suite: SuiteRecord
}
export interface TestPlace extends SuitePlace {
  readonly test: TestRecordRecord
}

const notFound = (noun: string) => refuse('not_found', `No ${noun} found`)

/** What the caller may do with a pipeline; a slug that the membership does not name has all rights. */
export function pipelineAccess({ sandbox, caller }: Viewer, pipeline: PipelineRecord): PipelineAccess {
  const member = sandbox.store.state.find('member', pipeline.organizationId, caller.user.id)
  if (member === undefined) return 'none'
  return Object.hasOwn(member.pipelines, pipeline.slug) ? (member.pipelines[pipeline.slug] ?? 'write') : 'write'
}

/** Organizations that the token works in, slug ascending. */
export const organizationsOf = ({ sandbox, caller }: Viewer): readonly OrganizationRecord[] =>
  [...caller.organizationIds]
    .flatMap((id) => sandbox.store.state.get('organizations', id) ?? [])
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))

export function findOrganization({ sandbox, caller }: Viewer, path: PathParameters): Decision<OrganizationRecord> {
  const organization = sandbox.store.state.find('organizationBySlug', path['org_slug'] ?? '')
  if (organization === undefined || !caller.organizationIds.has(organization.id)) return notFound('organization')
  return accept(organization)
}

export function findPipeline(viewer: Viewer, path: PathParameters): Decision<PipelinePlace> {
  const organization = findOrganization(viewer, path)
  if (!organization.ok) return organization
  const { state } = viewer.sandbox.store
  const pipeline = state.find('pipelineBySlug', organization.value.id, path['pipeline_slug'] ?? '')
  if (pipeline === undefined || pipelineAccess(viewer, pipeline) === 'none') return notFound('pipeline')
  return accept({ organization: organization.value, pipeline })
}

export function findBuild(viewer: Viewer, path: PathParameters): Decision<BuildPlace> {
  const place = findPipeline(viewer, path)
  if (!place.ok) return place
  const number = path['number'] ?? ''
  const { state } = viewer.sandbox.store
  const build = /^[1-9][0-9]{0,15}$/.test(number)
    ? state.find('buildByNumber', place.value.pipeline.id, Number(number))
    : undefined
  return build === undefined ? notFound('build') : accept({ ...place.value, build })
}

export function findJob(viewer: Viewer, path: PathParameters): Decision<JobPlace> {
  const place = findBuild(viewer, path)
  if (!place.ok) return place
  const id = parseUuid(path['job_id'] ?? '')
  const job = place.value.build.jobs.find((candidate) => candidate.id === id)
  return job === undefined ? notFound('job') : accept({ ...place.value, job })
}

export function findSuite(viewer: Viewer, path: PathParameters): Decision<SuitePlace> {
  const organization = findOrganization(viewer, path)
  if (!organization.ok) return organization
  const { state } = viewer.sandbox.store
  const suite = state.find('suiteBySlug', organization.value.id, path['suite_slug'] ?? '')
  return suite === undefined ? notFound('suite') : accept({ organization: organization.value, suite })
}

export function findTest(viewer: Viewer, path: PathParameters): Decision<TestPlace> {
  const place = findSuite(viewer, path)
  if (!place.ok) return place
  const id = parseUuid(path['test_id'] ?? '')
  const test = id === null ? undefined : viewer.sandbox.store.state.get('tests', id)
  return test?.suiteId === place.value.suite.id ? accept({ ...place.value, test }) : notFound('test')
}

/** The caller's own right to change a pipeline's builds; asked after everything on the path was found. */
export const requireWrite = (viewer: Viewer, pipeline: PipelineRecord): Decision<null> =>
  pipelineAccess(viewer, pipeline) === 'write' ? accept(null) : refuse('forbidden', 'Forbidden')
