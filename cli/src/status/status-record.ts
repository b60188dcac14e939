import { parseTimestamp } from '@buildwire/sdk'
import type { Build, Job } from '@buildwire/sdk/contract'
import { firstLine, reference } from '../io/printable.js'
import { buildAddress, buildState } from '../views/build.js'
import { isFailedJob, isUnblockable, jobState, jobTitle } from '../views/job.js'
import { jobNote } from '../views/job-rows.js'

/** Why a build is shown: the user started it, or it is the newest of a default branch. */
export type StatusGroup = 'yours' | 'default_branch'

/** A build as a line of `ci status`. */
export interface StatusRecord {
  readonly group: StatusGroup
  readonly state: string
  /** `acme/web#42` */
  readonly build: string
  readonly branch: string | null
  readonly created_at: string | null
  readonly message: string
  /** What failed first, or how far the build is; null if there is nothing to say. */
  readonly detail: string | null
  /** The words of the command that lets a blocked build go on. */
  readonly command: readonly string[] | null
  readonly web_url: string | null
}

const OVER = new Set(['passed', 'failed', 'timed_out', 'canceled', 'skipped', 'broken', 'expired'])

export function statusRecord(group: StatusGroup, build: Build): StatusRecord {
  const state = buildState(build)
  const name = reference(buildAddress(build), build.number)
  const jobs = (build.jobs ?? []).filter((job) => job.type !== 'waiter' && job.retried !== true)
  return {
    group,
    state,
    build: name,
    branch: build.branch ?? null,
    created_at: build.created_at ?? null,
    message: firstLine(build.message ?? ''),
    detail: detailOf(state, jobs),
    command: state === 'blocked' ? unblockCommand(name, jobs) : null,
    web_url: build.web_url ?? null,
  }
}

function detailOf(state: string, jobs: readonly Job[]): string | null {
  switch (rankOf(state)) {
    case FAILED:
      return firstFailure(jobs)
    case RUNNING: {
      const over = jobs.filter((job) => OVER.has(job.state ?? '')).length
      return jobs.length === 0 ? null : `${over} of ${jobs.length} jobs are over`
    }
    case BLOCKED: {
      const waiting = jobs.filter(isUnblockable).map(jobTitle)
      return waiting.length === 0 ? null : `${waiting.join(', ')} waits for a person`
    }
    default:
      return null
  }
}

/** `lint: exit 1, and 2 more jobs`, by the records of the jobs alone. */
function firstFailure(jobs: readonly Job[]): string | null {
  const failed = jobs.filter((job) => isFailedJob(job) && jobState(job) !== 'soft failed')
  const endOf = (job: Job) => parseTimestamp(job.finished_at) ?? Number.POSITIVE_INFINITY
  const [first, ...others] = failed.sort((a, b) => endOf(a) - endOf(b))
  if (first === undefined) return null
  const reason = `${jobTitle(first)}: ${jobNote(first, jobs) || jobState(first)}`
  if (others.length === 0) return reason
  return `${reason}, and ${others.length} more ${others.length === 1 ? 'job' : 'jobs'}`
}

function unblockCommand(name: string, jobs: readonly Job[]): readonly string[] {
  const waiting = jobs.filter(isUnblockable)
  const [first] = waiting
  const words = ['jobs', 'unblock', name]
  return first === undefined || waiting.length === 1 ? words : [...words, '--job', first.id]
}

const FAILED = 0
const RUNNING = 1
const BLOCKED = 2
const OTHER = 3
const RANKS = new Map([
  ['failed', FAILED],
  ['failing', FAILED],
  ['running', RUNNING],
  ['scheduled', RUNNING],
  ['creating', RUNNING],
  ['canceling', RUNNING],
  ['blocked', BLOCKED],
])

/** The position of a state: what failed, what runs, what waits for a person, the rest. */
export function rankOf(state: string): number {
  return RANKS.get(state) ?? OTHER
}
