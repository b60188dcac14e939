import { type OperationId, type OperationTable, operations } from '@buildwire/sdk/contract'
import { accept, type Decision, refuse } from '../domain/decision.js'
import type { Turn } from '../domain/turn.js'
import { parseUuid } from '../http/query.js'
import type {
  ArtifactRecord,
  BuildRecord,
  JobRecord,
  OrganizationRecord,
  PipelineAccess,
  PipelineRecord,
  SuiteRecord,
  TestRecordRecord,
} from '../records/records.js'
import type { Transaction } from '../store/store.js'
import { turnOf } from '../store/turn.js'
import type { RequestContext } from './exchange.js'

export type Viewer = Pick<RequestContext, 'sandbox' | 'caller'>

interface PathRecords {
  readonly organization: OrganizationRecord
  readonly pipeline: PipelineRecord
  readonly build: BuildRecord
  readonly job: JobRecord
  readonly artifact: ArtifactRecord
  readonly suite: SuiteRecord
  readonly test: TestRecordRecord
}

type PathName<Id extends OperationId = OperationId> = OperationTable[Id]['pathParameters'][number]

/** The rights of the caller on a pipeline: `write` unless the membership says otherwise. */
export function pipelineAccess(
  { sandbox, caller }: Viewer,
  pipeline: PipelineRecord,
): PipelineAccess {
  const member = sandbox.store.state.find('member', pipeline.organizationId, caller.user.id)
  if (member === undefined) return 'none'
  return Object.hasOwn(member.pipelines, pipeline.slug)
    ? (member.pipelines[pipeline.slug] ?? 'write')
    : 'write'
}

export function organizationsOf({ sandbox, caller }: Viewer): readonly OrganizationRecord[] {
  return [...caller.organizationIds]
    .flatMap((id) => sandbox.store.state.get('organizations', id) ?? [])
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

function step<N extends keyof PathRecords>(
  noun: N,
  find: (text: string, viewer: Viewer, found: PathRecords) => PathRecords[N] | undefined,
) {
  return { noun, find }
}

const steps = {
  org_slug: step('organization', (slug, { sandbox, caller }) => {
    const organization = sandbox.store.state.find('organizationBySlug', slug)
    return organization && caller.organizationIds.has(organization.id) ? organization : undefined
  }),
  pipeline_slug: step('pipeline', (slug, viewer, { organization }) => {
    const pipeline = viewer.sandbox.store.state.find('pipelineBySlug', organization.id, slug)
    return pipeline && pipelineAccess(viewer, pipeline) !== 'none' ? pipeline : undefined
  }),
  number: step('build', (number, { sandbox }, { pipeline }) =>
    /^[1-9][0-9]{0,15}$/.test(number)
      ? sandbox.store.state.find('buildByNumber', pipeline.id, Number(number))
      : undefined,
  ),
  job_id: step('job', (text, _viewer, { build }) => {
    const id = parseUuid(text)
    return build.jobs.find((job) => job.id === id)
  }),
  artifact_id: step('artifact', (text, { sandbox }, { build, job }) => {
    const id = parseUuid(text)
    const artifact = id === null ? undefined : sandbox.store.state.get('artifacts', id)
    return artifact?.buildId === build.id && artifact.jobId === job.id ? artifact : undefined
  }),
  suite_slug: step('suite', (slug, { sandbox }, { organization }) =>
    sandbox.store.state.find('suiteBySlug', organization.id, slug),
  ),
  test_id: step('test', (text, { sandbox }, { suite }) => {
    const id = parseUuid(text)
    const test = id === null ? undefined : sandbox.store.state.get('tests', id)
    return test?.suiteId === suite.id ? test : undefined
  }),
} satisfies { readonly [N in PathName]: unknown }

export type RecordsOf<Id extends OperationId> = Pick<
  PathRecords,
  (typeof steps)[PathName<Id>]['noun']
>

/**
 * Finds the records that the path names, from left to right. Then it checks the right to change
 * builds of the pipeline.
 */
export function findPathRecords<Id extends OperationId>(
  viewer: RequestContext,
  id: Id,
): Decision<RecordsOf<Id>> {
  const found: Partial<PathRecords> = {}
  for (const name of operations[id].pathParameters) {
    const { noun, find } = steps[name as PathName]
    // The records that a step needs are to the left of it in every path.
    const record = find(viewer.parameters[name] ?? '', viewer, found as PathRecords)
    if (record === undefined) return refuse('not_found', `No ${noun} found`)
    Object.assign(found, { [noun]: record })
  }
  const { pipeline } = found
  if (
    operations[id].scope === 'write_builds' &&
    pipeline &&
    pipelineAccess(viewer, pipeline) !== 'write'
  ) {
    return refuse('forbidden', 'Forbidden')
  }
  return accept(found as RecordsOf<Id>)
}

/** Reads a build again, then decides and writes in the same turn. */
export function inTurn<T>(
  { sandbox, now }: RequestContext,
  place: RecordsOf<'builds.cancel'>,
  decide: (
    turn: Turn,
    build: BuildRecord,
    pipeline: PipelineRecord,
    tx: Transaction,
  ) => Decision<T>,
): Promise<Decision<T>> {
  return sandbox.store.update((tx: Transaction): Decision<T> => {
    const build = tx.state.get('builds', place.build.id)
    const pipeline = tx.state.get('pipelines', place.pipeline.id)
    if (pipeline === undefined) return refuse('not_found', 'No pipeline found')
    if (build === undefined) return refuse('not_found', 'No build found')
    return decide(turnOf(tx, sandbox, now), build, pipeline, tx)
  })
}
