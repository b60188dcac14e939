import type { Build, Job } from '@buildwire/sdk/contract'
import { JOB_STATES } from '@buildwire/sdk/contract'
import type { Decision } from '../domain/decision.js'
import { applyEvent } from '../domain/perform.js'
import { requestTransition } from '../domain/request-transition.js'
import { retryJob } from '../domain/retry.js'
import type { Turn } from '../domain/turn.js'
import { object, optional, required } from '../fields/composites.js'
import { integer, oneOf, text } from '../fields/scalars.js'
import { jobLog } from '../lifecycle/log-text.js'
import { turnOf } from '../lifecycle/turn.js'
import type { Generation } from '../sandbox/sandbox.js'
import type { BuildRecord } from '../store/records.js'
import type { Transaction } from '../store/store.js'
import { viewBuild } from './builds-control.js'
import { granted, invalidAt, notFound } from './control-error.js'
import { guarded, readParams } from './host.js'

export interface JobAndBuild {
  readonly job: Job
  readonly build: Build
}

export interface JobsControl {
  /** Makes one legal move. @throws ControlError (422) naming the legal states */
  transition(params: {
    readonly job_id: string
    readonly state: string
    readonly exit_status?: number | undefined
    readonly signal?: string | undefined
    readonly signal_reason?: string | undefined
  }): Promise<JobAndBuild>
  promiseFailure(params: { readonly job_id: string; readonly exit_status: number }): Promise<JobAndBuild>
  /** Lets a build go on behind its block step; `user` is an e-mail address. */
  unblock(params: { readonly job_id: string; readonly user?: string | undefined }): Promise<JobAndBuild>
  /** Runs one job again; the answer's job is the new one. */
  retry(params: { readonly job_id: string }): Promise<JobAndBuild>
}

export interface JobLogsControl {
  /** Replaces a job's log. */
  set(params: { readonly job_id: string; readonly content: string }): Promise<{ readonly size: number }>
  /** Appends to a job's log as it is now. */
  create(params: { readonly job_id: string; readonly append: string }): Promise<{ readonly size: number }>
}

const job_id = required(text({ min: 1, max: 64 }))
const words = optional(text({ max: 255 }))
const logLimit = 1_048_576
const logText = required(text({ max: logLimit }))

const transitionField = object({
  job_id,
  state: required(oneOf(...JOB_STATES)),
  exit_status: optional(integer(-1, 255)),
  signal: words,
  signal_reason: words,
})
const promiseField = object({ job_id, exit_status: required(integer(1, 255)) })
const unblockField = object({ job_id, user: optional(text({ max: 254 })) })
const retryField = object({ job_id })
const setLogField = object({ job_id, content: logText })
const appendField = object({ job_id, append: logText })

const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined

const buildOf = (tx: Transaction, id: string): BuildRecord => {
  const build = tx.state.find('buildByJob', id)
  if (!build) throw notFound('job')
  return build
}

const move = async (
  generation: Generation,
  given_id: string,
  decide: (turn: Turn, build: BuildRecord, id: string, tx: Transaction) => Decision<BuildRecord>,
): Promise<JobAndBuild> => {
  const id = given_id.toLowerCase()
  const record = await generation.store.update((tx) => {
    const turn = turnOf(tx, generation, generation.clock.now())
    const moved = granted(decide(turn, buildOf(tx, id), id, tx))
    return tx.state.get('builds', moved.id) ?? moved
  })
  const build = viewBuild(generation, record)
  const old = record.jobs.find((job) => job.id === id)
  const shown = old?.retried_in_job_id ?? id
  const job = build.jobs?.find((candidate) => candidate.id === shown)
  if (!job) throw notFound('job')
  return { job, build }
}

export const createJobsControl = (ground: () => Generation): JobsControl => ({
  transition: (params) =>
    guarded(() => {
      const read = readParams(transitionField, params)
      return move(ground(), read.job_id, (turn, build, id) =>
        requestTransition(turn, build, id, {
          state: read.state,
          exit_status: given(read.exit_status),
          signal: given(read.signal),
          signal_reason: given(read.signal_reason),
        }),
      )
    }),
  promiseFailure: (params) =>
    guarded(() => {
      const { job_id: asked, exit_status } = readParams(promiseField, params)
      return move(ground(), asked, (turn, build, id) => applyEvent(turn, build, id, { type: 'promise', exit_status }))
    }),
  unblock: (params) =>
    guarded(() => {
      const { job_id: asked, user } = readParams(unblockField, params)
      return move(ground(), asked, (turn, build, id, tx) => {
        const person = user ? tx.state.find('userByEmail', user) : undefined
        if (user && !person) throw invalidAt('user', `there is no user ${JSON.stringify(user)}`)
        return applyEvent(turn, build, id, { type: 'unblock', user: person?.id ?? null })
      })
    }),
  retry: (params) =>
    guarded(() => {
      const { job_id: asked } = readParams(retryField, params)
      return move(ground(), asked, (turn, build, id) => {
        const retried = retryJob(build, id, turn)
        if (retried.ok) turn.put(retried.value)
        return retried
      })
    }),
})

const writeLog = (generation: Generation, job_id: string, path: string, text: (before: string) => string) =>
  generation.store.update((tx) => {
    const id = job_id.toLowerCase()
    const build = buildOf(tx, id)
    const job = build.jobs.find((candidate) => candidate.id === id)
    if (job?.type !== 'script') throw notFound('job')
    const log = text(jobLog(job, generation.clock.now()).content)
    const size = Buffer.byteLength(log)
    if (size > logLimit) throw invalidAt(path, `makes a log of more than ${logLimit} bytes`)
    tx.put('builds', { ...build, jobs: build.jobs.map((other) => (other.id === id ? { ...other, log } : other)) })
    return { size }
  })

export const createJobLogsControl = (ground: () => Generation): JobLogsControl => ({
  set: (params) =>
    guarded(() => {
      const { job_id: id, content } = readParams(setLogField, params)
      return writeLog(ground(), id, 'content', () => content)
    }),
  create: (params) =>
    guarded(() => {
      const { job_id: id, append } = readParams(appendField, params)
      return writeLog(ground(), id, 'append', (before) => before + append)
    }),
})
