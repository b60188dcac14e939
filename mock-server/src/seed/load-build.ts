import { annotate, newArtifact } from '../domain/attachments.js'
import { buildState } from '../domain/build.js'
import type { BuildRequest } from '../domain/create-build.js'
import { isActive, isFinished, isHardFailure, isLatest } from '../domain/job.js'
import { timestamp } from '../domain/timestamp.js'
import type { Given } from '../fields/composites.js'
import type { Path } from '../fields/field.js'
import { merge } from '../fields/merge.js'
import type { ArtifactRecord, BuildRecord, JobRecord, UserRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import type { annotationTable, artifactTable, SeedBuild, SeedJob } from './build-tables.js'
import { buildOwn, buildTable, buildTimes, pullRequestTable } from './build-tables.js'
import { loadJobs, storedJob } from './load-job.js'
import type { PipelinePlace } from './load-organization.js'
import { entries, type Loading } from './loading.js'

function hasStarted(jobs: readonly JobRecord[]): boolean {
  return jobs.some(({ started_at }) => started_at !== null)
}

/** What a build shows of which only the jobs are known. */
function implied(jobs: readonly JobRecord[]) {
  return jobs.length === 0
    ? { state: 'scheduled', blocked: false }
    : buildState(jobs, hasStarted(jobs))
}

function standing(job: JobRecord | undefined): string | undefined {
  return job && `job ${job.step_key ?? job.name ?? job.id} is ${job.state}`
}

/** What makes a build's state impossible with these jobs, in words; null when nothing does. */
function contradiction(state: string, blocked: boolean, jobs: readonly JobRecord[]): string | null {
  if (jobs.length === 0) return null
  const current = jobs.filter(isLatest)
  const failure = standing(current.find(isHardFailure))
  const unfinished = standing(current.find((job) => !isFinished(job)))
  const ended = unfinished === undefined ? 'every job is finished' : undefined
  const against: Readonly<Record<string, string | undefined>> = {
    blocked: standing(current.find(isActive)),
    passed: failure ?? unfinished,
    failed: unfinished ?? (failure === undefined ? 'no job failed' : undefined),
    canceled: unfinished,
    skipped: unfinished,
    not_run: unfinished,
    failing: failure === undefined ? 'no job failed' : ended,
    running: failure === undefined ? ended : `${failure}: that makes it failing`,
    scheduled: hasStarted(current) ? 'a job has started' : undefined,
  }
  const fault = against[blocked ? 'blocked' : state]
  return fault === undefined
    ? null
    : `${blocked ? 'a blocked build waits' : `the build is ${state}`}, but ${fault}`
}

/** The artifact that a document describes: new, or the job's of this path with another content. */
export function artifactOf(
  state: ReadonlyState,
  uuid: (noun: string) => string,
  { buildId, jobId }: Pick<ArtifactRecord, 'buildId' | 'jobId'>,
  { path, content, base64, mime_type, state: stands }: Given<typeof artifactTable>,
): { readonly record: ArtifactRecord; readonly stored: ArtifactRecord | undefined } {
  const bytes = base64 ? Buffer.from(base64, 'base64') : Buffer.from(content ?? '')
  const stored = state.list('artifacts', jobId).find((artifact) => artifact.path === path)
  const type = mime_type ?? (base64 ? undefined : 'text/plain; charset=utf-8')
  const own = { id: stored?.id ?? uuid('artifact'), buildId, jobId, path }
  return { record: newArtifact(own, bytes, { mime_type: type, state: stands }), stored }
}

export function putArtifact(
  loading: Loading,
  own: Parameters<typeof artifactOf>[2],
  given: Given<typeof artifactTable>,
): void {
  const { record, stored } = artifactOf(loading.state, loading.context.uuid, own, given)
  loading.put('artifacts', record, stored)
}

export function putAnnotation(
  loading: Loading,
  buildId: string,
  given: Given<typeof annotationTable>,
  now: number,
): void {
  const context = given.context ?? 'default'
  const stored = loading.state.find('annotationByContext', buildId, context)
  const { body, style = null, priority = null } = given
  const request = { body, style, priority, context, append: false }
  const made = annotate(buildId, stored, request, { now, uuid: loading.context.uuid })
  if (made.ok) loading.put('annotations', made.value, stored)
}

const neverStarted = new Set(['scheduled', 'skipped', 'not_run', 'waiting'])
const ended = new Set(['passed', 'failed', 'canceled', 'skipped', 'not_run', 'waiting_failed'])

/** 40 hex digits of an id's own. */
export function commitOf(id: string): string {
  const hex = id.replaceAll('-', '')
  return hex + hex.slice(4, 12)
}

function pullRequestOf(given: SeedBuild['pull_request'], now: number): BuildRecord['pull_request'] {
  return given ? merge(pullRequestTable, given, undefined, {}, now) : null
}

export function requestOf(
  { now }: Loading['context'],
  given: Pick<
    SeedBuild,
    'branch' | 'message' | 'author' | 'env' | 'meta_data' | 'clean_checkout' | 'pull_request'
  >,
  { pipeline }: PipelinePlace,
  creator: UserRecord | undefined,
  commit: string,
): BuildRequest {
  return {
    commit,
    pull_request: pullRequestOf(given.pull_request, now),
    branch: given.branch ?? pipeline.default_branch,
    message: given.message ?? null,
    author: given.author ?? authorOf(creator),
    env: given.env ?? {},
    meta_data: given.meta_data ?? {},
    clean_checkout: given.clean_checkout ?? false,
    ignore_pipeline_branch_filters: true,
  }
}

function authorOf(creator: UserRecord | undefined): BuildRecord['author'] {
  return creator ? { name: creator.name, email: creator.email } : null
}

export function testRunsOf(
  loading: Loading,
  { organization }: PipelinePlace,
  given: SeedBuild['testRuns'],
  at: Path,
): BuildRecord['testRuns'] {
  return entries(given, [...at, 'testRuns']).flatMap(([{ id, suite: slug }, here]) => {
    const suite = loading.refer('suite', [...here, 'suite'], organization.id, slug)
    return suite ? [{ id: id ?? loading.context.uuid('testRun'), suiteId: suite.id }] : []
  })
}

/**
 * Artifacts of the n-th job of a document, which is the one of its id or step key where the build
 * was there before.
 */
function loadArtifacts(loading: Loading, build: BuildRecord, given: SeedJob, n: number): void {
  const nth = build.jobs.at(n)
  const isMeant = given.id
    ? nth?.id === given.id
    : !given.step_key || nth?.step_key === given.step_key
  const job = isMeant ? nth : storedJob(build, given)
  for (const artifact of given.artifacts ?? [])
    putArtifact(loading, { buildId: build.id, jobId: job?.id ?? '' }, artifact)
}

function inOrder(times: readonly (string | null)[]): readonly string[] {
  return times.filter((time) => time !== null).sort()
}

function timesOf(
  loading: Loading,
  given: SeedBuild,
  stored: BuildRecord | undefined,
  {
    state,
    blocked,
    created_at,
    jobs,
  }: Pick<BuildRecord, 'state' | 'blocked' | 'created_at' | 'jobs'>,
) {
  const now = Math.max(loading.context.now, Date.parse(created_at))
  const after = (from: unknown, ms: number) =>
    timestamp(Math.min(Date.parse(String(from ?? created_at)) + ms, now))
  const unstarted = neverStarted.has(state)
  const isOver = ended.has(state) || (blocked && state !== 'scheduled')
  const [started] = inOrder(jobs.map((job) => job.started_at))
  const [failing] = inOrder(jobs.filter(isHardFailure).map((job) => job.finished_at))
  const finished = inOrder(jobs.filter(isFinished).map((job) => job.finished_at)).at(-1)
  return loading.merge(buildTimes, given, given.state ? undefined : stored, {
    started_at: () => (unstarted ? null : (started ?? after(created_at, 2000))),
    failing_at: ({ started_at }) =>
      state === 'failing' ? (failing ?? after(started_at, 0)) : null,
    finished_at: ({ started_at }) =>
      isOver ? (finished ?? after(started_at, unstarted ? 0 : 60_000)) : null,
  })
}

function identity(loading: Loading, { pipeline }: PipelinePlace, given: SeedBuild, at: Path) {
  const { state, tx, context, issues } = loading
  const byNumber = given.number ? state.find('buildByNumber', pipeline.id, given.number) : undefined
  const stored = given.id ? state.get('builds', given.id) : byNumber
  if (stored && stored.pipelineId !== pipeline.id)
    issues.issue([...at, 'id'], 'belongs to a build of another pipeline')
  if (byNumber && stored && byNumber.id !== stored.id)
    issues.issue([...at, 'number'], 'belongs to another build')
  if (
    given.number &&
    !loading.once(`build of ${pipeline.id}`, String(given.number), [...at, 'number'])
  )
    return null
  if (given.id && !loading.once('build', given.id, [...at, 'id'])) return null
  return {
    stored,
    id: stored?.id ?? given.id ?? context.uuid('build'),
    number: given.number ?? stored?.number ?? tx.nextNumber(pipeline.id),
  }
}

/**
 * Loads one build with its jobs; what points at other builds is joined by `linkBuild` once all are
 * there.
 */
export function loadBuild(
  loading: Loading,
  place: PipelinePlace,
  given: SeedBuild,
  at: Path,
): BuildRecord | undefined {
  const { organization, pipeline } = place
  const known = identity(loading, place, given, at)
  if (!known) return undefined
  const { stored, id, number } = known
  const creator = given.creator
    ? loading.refer('user', [...at, 'creator'], given.creator)
    : undefined
  const { now } = loading.context
  const { created_at } = loading.merge({ created_at: buildTable.created_at }, given, stored, {
    created_at: () => timestamp(now),
  })
  const jobs = loadJobs(loading, place, given, stored, created_at, [...at, 'jobs'])
  const kept = given.jobs || given.state ? undefined : stored
  const inferred = {
    state: () => implied(jobs).state,
    blocked: () => !given.state && implied(jobs).blocked,
  }
  const { state, blocked } = loading.merge(
    { state: buildTable.state, blocked: buildTable.blocked },
    given,
    kept,
    inferred,
  )
  const fault = given.force === true ? null : contradiction(state, blocked, jobs)
  if (fault)
    loading.issues.issue(
      [...at, given.state ? 'state' : 'jobs'],
      `${fault} (force: true accepts it)`,
    )
  const testRuns = testRunsOf(loading, place, given.testRuns, at)
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
    ...loading.merge(buildOwn, given, stored, defaults),
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

function buildAt(
  { state, issues }: Loading,
  { organization }: PipelinePlace,
  { pipeline: slug, number }: NonNullable<SeedBuild['rebuilt_from']>,
  at: Path,
): BuildRecord | undefined {
  const pipeline = state.find('pipelineBySlug', organization.id, slug)
  const build = pipeline && state.find('buildByNumber', pipeline.id, number)
  if (!build)
    issues.issue(at, `there is no build ${number} of the pipeline ${JSON.stringify(slug)}`)
  return build
}

/** Joins a build to the one that it rebuilds and to those that its trigger jobs made. */
export function linkBuild(
  loading: Loading,
  place: PipelinePlace,
  given: SeedBuild,
  { id, jobs }: BuildRecord,
  at: Path,
): void {
  const { state, tx } = loading
  const change = (to: string, how: (build: BuildRecord) => Partial<BuildRecord>): void => {
    const build = state.get('builds', to)
    if (build) tx.put('builds', { ...build, ...how(build) })
  }
  const source =
    given.rebuilt_from && buildAt(loading, place, given.rebuilt_from, [...at, 'rebuilt_from'])
  if (source) {
    change(id, () => ({
      rebuiltFrom: { id: source.id, number: source.number, pipelineId: source.pipelineId },
    }))
  }
  for (const [n, { triggered_build }] of (given.jobs ?? []).entries()) {
    if (!triggered_build) continue
    const target = buildAt(loading, place, triggered_build, [...at, 'jobs', n, 'triggered_build'])
    const mine = state.get('builds', id)
    const trigger = jobs.at(n)
    if (!target || !mine || !trigger) continue
    const from = {
      buildId: id,
      number: mine.number,
      pipelineId: mine.pipelineId,
      jobId: trigger.id,
    }
    change(id, (build) => ({
      jobs: build.jobs.map((job) =>
        job.id === trigger.id ? { ...job, triggeredBuildId: target.id } : job,
      ),
    }))
    change(target.id, () => ({ triggeredFrom: from, triggerDepth: mine.triggerDepth + 1 }))
  }
}
