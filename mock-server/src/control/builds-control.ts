import { type Build, JOB_STATES } from '@buildwire/sdk/contract'
import { advanceBuild, advanceGoals } from '../domain/advance-build.js'
import { createBuild } from '../domain/create-build.js'
import type { Decision } from '../domain/decision.js'
import { requestTransition } from '../domain/request-transition.js'
import { retryJob } from '../domain/retry.js'
import { applyEvent } from '../domain/transition.js'
import type { Turn } from '../domain/turn.js'
import { type InputOf, object, optional, required } from '../fields/composites.js'
import { createIssueList } from '../fields/field.js'
import { integer, oneOf, text } from '../fields/scalars.js'
import { present } from '../present/present.js'
import { presentArtifact } from '../present/present-attachment.js'
import type { BuildRecord } from '../records/records.js'
import { jobLog } from '../sandbox/lifecycle/log-text.js'
import type { Generation } from '../sandbox/sandbox.js'
import { drawnFrom } from '../sandbox/seeded-state.js'
import { artifactTable } from '../seed/attachment-tables.js'
import { requestOf } from '../seed/build-request.js'
import { buildTable, type SeedBuild } from '../seed/build-tables.js'
import { linkBuild } from '../seed/link-build.js'
import { artifactOf } from '../seed/load-attachments.js'
import { loadBuild } from '../seed/load-build.js'
import type { PipelineLocation } from '../seed/load-organization.js'
import { type Loading, startLoading } from '../seed/loading.js'
import type { Transaction } from '../store/store.js'
import { turnOf } from '../store/turn.js'
import { type Calls, granted, invalid, invalidAt, notFound, readParams } from './host.js'
import { userAt } from './tokens-control.js'

const slug = text({ min: 1, max: 100 })
const createTable = { org_slug: required(slug), pipeline_slug: required(slug), ...buildTable }
const createField = object(createTable)

export type CreateBuildParams = InputOf<typeof createTable>

/**
 * A build as the control API returns it: a copy in the form of the wire, also in process, with
 * every execution of every job.
 */
function viewBuild(generation: Generation, build: BuildRecord): Build {
  return JSON.parse(JSON.stringify(present(generation).build(build, { jobs: build.jobs })))
}

function locate(tx: Transaction, org_slug: string, pipeline_slug: string): PipelineLocation {
  const organization = tx.state.find('organizationBySlug', org_slug) ?? notFound('organization')
  return {
    organization,
    pipeline:
      tx.state.find('pipelineBySlug', organization.id, pipeline_slug) ?? notFound('pipeline'),
  }
}

/** States that a planned build can reach by moves. In other states it is stored as given. */
const goals = {
  running: 'started',
  failing: 'failing',
  passed: 'finished',
  failed: 'finished',
} as const
type Reachable = keyof typeof goals

function isReachable(state: string): state is Reachable {
  return Object.hasOwn(goals, state)
}

function createPlanned(
  tx: Transaction,
  generation: Generation,
  place: PipelineLocation,
  given: SeedBuild,
  loading: Loading,
): BuildRecord | undefined {
  const turn = turnOf(tx, generation, loading.context.now)
  const creator = given.creator ? loading.refer('user', ['creator'], given.creator) : undefined
  const request = requestOf(loading.context, given, place, creator, given.commit ?? 'HEAD')
  const origin = { source: given.source ?? 'webhook', creatorId: creator?.id ?? null }
  const created = granted(createBuild(turn, place.pipeline, request, origin))
  const { state, jobs: _jobs, force: _force, id: _id, ...rest } = given
  if (state && isReachable(state)) {
    const build = turn.build(created.id) ?? created
    const outcome = state === 'failed' ? 'failed' : undefined
    granted(advanceBuild(turn, build, goals[state], outcome))
  }
  return loadBuild(loading, place, { ...rest, id: created.id, force: true }, [])
}

export function createBuildsControl({ bare, call }: Calls) {
  return {
    /** Creates a build from its pipeline's steps; with `jobs` or an unusual `state`, as given. */
    create: bare(async (params: CreateBuildParams, generation) => {
      const { org_slug, pipeline_slug, ...given } = readParams(createField, params)
      const build = await generation.store.update((tx) => {
        const place = locate(tx, org_slug, pipeline_slug)
        const issues = createIssueList()
        const loading = startLoading(tx, drawnFrom(generation), issues)
        const state = given.state ?? 'scheduled'
        const isAsGiven = given.jobs || given.id || given.blocked
        const isPlanned = !isAsGiven && (state === 'scheduled' || isReachable(state))
        const record = isPlanned
          ? createPlanned(tx, generation, place, given, loading)
          : loadBuild(loading, place, given, [])
        if (record) linkBuild(loading, place, given, record, [])
        if (issues.count > 0 || !record) throw invalid(issues)
        return tx.state.get('builds', record.id) ?? record
      })
      return viewBuild(generation, build)
    }),
    /** Moves a build to a goal by legal moves. @throws ControlError (422) if no moves lead there */
    advance: call(
      {
        id: required(text({ min: 1, max: 64 }), 'The id of the build.'),
        to: required(oneOf(...advanceGoals)),
        outcome: optional(oneOf('passed', 'failed')),
      },
      async ({ id, to, outcome }, generation) => {
        const build = await generation.store.update((tx) => {
          const found = tx.state.get('builds', id.toLowerCase()) ?? notFound('build')
          return granted(
            advanceBuild(turnOf(tx, generation, generation.clock.now()), found, to, outcome),
          )
        })
        return viewBuild(generation, build)
      },
    ),
  }
}

const job_id = required(text({ min: 1, max: 64 }))
const words = optional(text({ max: 255 }))
const logLimit = 1_048_576
const logText = required(text({ max: logLimit }))

function buildOf(tx: Transaction, id: string): BuildRecord {
  return tx.state.find('buildByJob', id) ?? notFound('job')
}

async function move(
  generation: Generation,
  given: string,
  decide: (turn: Turn, build: BuildRecord, id: string, tx: Transaction) => Decision<BuildRecord>,
) {
  const id = given.toLowerCase()
  const record = await generation.store.update((tx) => {
    const turn = turnOf(tx, generation, generation.clock.now())
    const moved = granted(decide(turn, buildOf(tx, id), id, tx))
    return tx.state.get('builds', moved.id) ?? moved
  })
  const build = viewBuild(generation, record)
  const shown = record.jobs.find((job) => job.id === id)?.retried_in_job_id ?? id
  return { job: build.jobs?.find((candidate) => candidate.id === shown) ?? notFound('job'), build }
}

export type JobAndBuild = Readonly<Awaited<ReturnType<typeof move>>>

export function createJobsControl({ call }: Calls) {
  return {
    /** Makes one legal move. @throws ControlError (422) naming the legal states */
    transition: call(
      {
        job_id,
        state: required(oneOf(...JOB_STATES)),
        exit_status: optional(integer(-1, 255)),
        signal: words,
        signal_reason: words,
      },
      ({ job_id: asked, ...wanted }, generation) =>
        move(generation, asked, (turn, build, id) => requestTransition(turn, build, id, wanted)),
    ),
    promiseFailure: call(
      { job_id, exit_status: required(integer(1, 255)) },
      ({ job_id: asked, exit_status }, generation) =>
        move(generation, asked, (turn, build, id) =>
          applyEvent(turn, build, id, { type: 'promise', exit_status }),
        ),
    ),
    /** Unblocks a block step; `user` is an e-mail address. */
    unblock: call(
      { job_id, user: optional(text({ max: 254 })) },
      ({ job_id: asked, user }, generation) =>
        move(generation, asked, (turn, build, id, tx) =>
          applyEvent(turn, build, id, {
            type: 'unblock',
            user: user ? userAt(tx.state, user).id : null,
          }),
        ),
    ),
    /** Retries a job; the job in the answer is the new one. */
    retry: call({ job_id }, ({ job_id: asked }, generation) => move(generation, asked, retryJob)),
  }
}

export function createArtifactsControl({ call }: Calls) {
  return {
    /** Adds an artifact to a job, or replaces the content of the artifact with this path. */
    create: call({ job_id, ...artifactTable }, async ({ job_id: asked, ...given }, generation) => {
      const record = await generation.store.update((tx) => {
        const jobId = asked.toLowerCase()
        const { id: buildId } = buildOf(tx, jobId)
        const owner = { buildId, jobId }
        const uuid = (noun: string) => generation.ids.uuid(noun)
        const { record: artifact } = artifactOf(tx.state, uuid, owner, given)
        tx.put('artifacts', artifact)
        return artifact
      })
      return presentArtifact(present(generation), record)
    }),
  }
}

function writeLog(
  generation: Generation,
  job_id: string,
  path: string,
  text: (before: string) => string,
) {
  return generation.store.update((tx) => {
    const id = job_id.toLowerCase()
    const build = buildOf(tx, id)
    const job = build.jobs.find((candidate) => candidate.id === id)
    if (job?.type !== 'script') notFound('job')
    const log = text(jobLog(job, generation.clock.now()).content)
    const size = Buffer.byteLength(log)
    if (size > logLimit) throw invalidAt(path, `makes a log of more than ${logLimit} bytes`)
    tx.put('builds', {
      ...build,
      jobs: build.jobs.map((other) => (other.id === id ? { ...other, log } : other)),
    })
    return { size }
  })
}

export function createJobLogsControl({ call }: Calls) {
  return {
    /** Replaces a job's log. */
    set: call({ job_id, content: logText }, ({ job_id: id, content }, generation) =>
      writeLog(generation, id, 'content', () => content),
    ),
    /** Appends to a job's log as it is now. */
    create: call({ job_id, append: logText }, ({ job_id: id, append }, generation) =>
      writeLog(generation, id, 'append', (before) => before + append),
    ),
  }
}
