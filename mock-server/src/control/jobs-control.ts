import { JOB_STATES } from '@buildwire/sdk/contract'
import type { Decision } from '../domain/decision.js'
import { applyEvent } from '../domain/perform.js'
import { requestTransition } from '../domain/request-transition.js'
import { retryJob } from '../domain/retry.js'
import type { Turn } from '../domain/turn.js'
import { optional, required } from '../fields/composites.js'
import { integer, oneOf, text } from '../fields/scalars.js'
import { present } from '../present/present.js'
import { presentArtifact } from '../present/present-attachment.js'
import type { BuildRecord } from '../records/records.js'
import { jobLog } from '../sandbox/lifecycle/log-text.js'
import type { Generation } from '../sandbox/sandbox.js'
import { artifactTable } from '../seed/build-tables.js'
import { artifactOf } from '../seed/load-build.js'
import type { Transaction } from '../store/store.js'
import { turnOf } from '../store/turn.js'
import { viewBuild } from './builds-control.js'
import { granted, invalidAt, notFound } from './control-error.js'
import type { Calls } from './host.js'
import { userAt } from './tokens-control.js'

const job_id = required(text({ min: 1, max: 64 }))
const words = optional(text({ max: 255 }))
const logLimit = 1_048_576
const logText = required(text({ max: logLimit }))

const buildOf = (tx: Transaction, id: string): BuildRecord => tx.state.find('buildByJob', id) ?? notFound('job')

const move = async (
  generation: Generation,
  given: string,
  decide: (turn: Turn, build: BuildRecord, id: string, tx: Transaction) => Decision<BuildRecord>,
) => {
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

export const createJobsControl = ({ call }: Calls) => ({
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
      move(generation, asked, (turn, build, id) => applyEvent(turn, build, id, { type: 'promise', exit_status })),
  ),
  /** Lets a build go on behind its block step; `user` is an e-mail address. */
  unblock: call({ job_id, user: optional(text({ max: 254 })) }, ({ job_id: asked, user }, generation) =>
    move(generation, asked, (turn, build, id, tx) =>
      applyEvent(turn, build, id, { type: 'unblock', user: user ? userAt(tx.state, user).id : null }),
    ),
  ),
  /** Runs one job again; the answer's job is the new one. */
  retry: call({ job_id }, ({ job_id: asked }, generation) =>
    move(generation, asked, (turn, build, id) => {
      const retried = retryJob(build, id, turn)
      if (retried.ok) turn.put(retried.value)
      return retried
    }),
  ),
})

export const createArtifactsControl = ({ call }: Calls) => ({
  /** Gives a job an artifact, or the one of this path another content. */
  create: call({ job_id, ...artifactTable }, async ({ job_id: asked, ...given }, generation) => {
    const record = await generation.store.update((tx) => {
      const jobId = asked.toLowerCase()
      const { id: buildId } = buildOf(tx, jobId)
      const made = artifactOf(tx.state, (noun) => generation.ids.uuid(noun), { buildId, jobId }, given)
      tx.put('artifacts', made.record)
      return made.record
    })
    return presentArtifact(present(generation), record)
  }),
})

const writeLog = (generation: Generation, job_id: string, path: string, text: (before: string) => string) =>
  generation.store.update((tx) => {
    const id = job_id.toLowerCase()
    const build = buildOf(tx, id)
    const job = build.jobs.find((candidate) => candidate.id === id)
    if (job?.type !== 'script') notFound('job')
    const log = text(jobLog(job, generation.clock.now()).content)
    const size = Buffer.byteLength(log)
    if (size > logLimit) throw invalidAt(path, `makes a log of more than ${logLimit} bytes`)
    tx.put('builds', { ...build, jobs: build.jobs.map((other) => (other.id === id ? { ...other, log } : other)) })
    return { size }
  })

export const createJobLogsControl = ({ call }: Calls) => ({
  /** Replaces a job's log. */
  set: call({ job_id, content: logText }, ({ job_id: id, content }, generation) =>
    writeLog(generation, id, 'content', () => content),
  ),
  /** Appends to a job's log as it is now. */
  create: call({ job_id, append: logText }, ({ job_id: id, append }, generation) =>
    writeLog(generation, id, 'append', (before) => before + append),
  ),
})
