import type { Build, Job } from '@buildwire/sdk/contract'
import { firstLine, reference } from '../io/printable.js'
import { buildAddress, buildState } from '../views/build.js'
import { failureReason } from '../views/failure-reason.js'
import { isUnblockable, jobTitle } from '../views/job.js'
import { unblockWords } from '../views/match-jobs.js'

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
  /** The words of the command that unblocks the build. */
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
      return failureReason(jobs)
    case RUNNING: {
      const over = jobs.filter((job) => OVER.has(job.state ?? '')).length
      return jobs.length === 0 ? null : `${over} of ${jobs.length} jobs finished`
    }
    case BLOCKED: {
      const waiting = jobs.filter(isUnblockable).map(jobTitle)
      const verb = waiting.length === 1 ? 'waits' : 'wait'
      return waiting.length === 0 ? null : `${waiting.join(', ')} ${verb} for a person`
    }
    default:
      return null
  }
}

function unblockCommand(name: string, jobs: readonly Job[]): readonly string[] {
  const first = jobs.find(isUnblockable)
  return first === undefined ? ['jobs', 'unblock', name] : unblockWords(name, first, jobs)
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
