import { timestamp } from '../domain/timestamp.js'
import type { Path } from '../fields/field.js'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { authorOf, commitOf, pullRequestOf, testRunsOf } from './build-request.js'
import { findContradiction, impliedState, timesOf } from './build-state.js'
import { buildTable, copiedBuildFields, type SeedBuild } from './build-tables.js'
import { loadArtifacts, putAnnotation } from './load-attachments.js'
import { loadJobs } from './load-job.js'
import type { PipelineLocation } from './load-organization.js'
import type { Loading } from './loading.js'

/** Id and number of a build, and its stored record; null and an issue if they are given twice. */
function identify(loading: Loading, { pipeline }: PipelineLocation, given: SeedBuild, at: Path) {
  const { state, tx, context, issues } = loading
  const byNumber = given.number ? state.find('buildByNumber', pipeline.id, given.number) : undefined
  const stored = given.id ? state.get('builds', given.id) : byNumber
  if (stored && stored.pipelineId !== pipeline.id)
    issues.issue([...at, 'id'], 'belongs to a build of another pipeline')
  if (byNumber && stored && byNumber.id !== stored.id)
    issues.issue([...at, 'number'], 'belongs to another build')

  const isNewNumber =
    !given.number ||
    loading.once(`build of ${pipeline.id}`, String(given.number), [...at, 'number'])
  if (!isNewNumber) return null
  if (given.id && !loading.once('build', given.id, [...at, 'id'])) return null

  return {
    stored,
    id: stored?.id ?? given.id ?? context.uuid('build'),
    number: given.number ?? stored?.number ?? tx.nextNumber(pipeline.id),
  }
}

/** State and `blocked` of a build; reports a state that its jobs make impossible. */
function stateOf(
  loading: Loading,
  given: SeedBuild,
  stored: BuildRecord | undefined,
  jobs: readonly JobRecord[],
  at: Path,
) {
  const { state, blocked } = loading.merge(
    { state: buildTable.state, blocked: buildTable.blocked },
    given,
    given.jobs || given.state ? undefined : stored,
    {
      state: () => impliedState(jobs).state,
      blocked: () => !given.state && impliedState(jobs).blocked,
    },
  )
  const contradiction = given.force === true ? null : findContradiction(state, blocked, jobs)
  if (contradiction) {
    const key = given.state ? 'state' : 'jobs'
    loading.issues.issue([...at, key], `${contradiction} (force: true accepts it)`)
  }
  return { state, blocked }
}

/**
 * Loads one build with its jobs. After all builds are loaded, `linkBuild` joins it to the builds
 * that it refers to.
 */
export function loadBuild(
  loading: Loading,
  location: PipelineLocation,
  given: SeedBuild,
  at: Path,
): BuildRecord | undefined {
  const { organization, pipeline } = location
  const identity = identify(loading, location, given, at)
  if (!identity) return undefined
  const { stored, id, number } = identity
  const creator = given.creator
    ? loading.refer('user', [...at, 'creator'], given.creator)
    : undefined
  const { now } = loading.context
  const { created_at } = loading.merge({ created_at: buildTable.created_at }, given, stored, {
    created_at: () => timestamp(now),
  })

  const jobs = loadJobs(loading, location, given, stored, created_at, [...at, 'jobs'])
  const { state, blocked } = stateOf(loading, given, stored, jobs, at)
  const testRuns = testRunsOf(loading, location, given.testRuns, at)
  const defaults = {
    commit: () => commitOf(id),
    branch: () => pipeline.default_branch,
    author: () => authorOf(creator),
    scheduled_at: () => created_at,
  }

  const record: BuildRecord = {
    triggeredFrom: null,
    triggerDepth: 0,
    ...stored,
    ...loading.merge(copiedBuildFields, given, stored, defaults),
    ...timesOf(loading, given, stored, { state, blocked, created_at, jobs }),
    id,
    organizationId: organization.id,
    pipelineId: pipeline.id,
    number,
    state,
    blocked,
    creatorId: given.creator === undefined ? (stored?.creatorId ?? null) : (creator?.id ?? null),
    jobs,
    created_at,
    pull_request:
      given.pull_request === undefined
        ? (stored?.pull_request ?? null)
        : pullRequestOf(given.pull_request, now),
    rebuiltFrom: given.rebuilt_from === null ? null : (stored?.rebuiltFrom ?? null),
    testRuns: given.testRuns ? testRuns : (stored?.testRuns ?? []),
  }
  loading.put('builds', record, stored)
  for (const annotation of given.annotations ?? []) putAnnotation(loading, id, annotation, now)
  for (const [n, job] of (given.jobs ?? []).entries()) loadArtifacts(loading, record, job, n)
  return record
}
