import { isUnfamiliarState } from '@buildwire/sdk'
import type { Build, Job } from '@buildwire/sdk/contract'
import { buildState } from '../views/build.js'
import { jobState, jobTitle } from '../views/job.js'
import type { Outcome, WatchEvent } from './events.js'
import { judge, type WatchRules } from './outcome.js'

/** A build as it was read; `at` is the server's time of the answer, epoch ms. */
export interface Snapshot {
  readonly kind: 'snapshot'
  readonly at: number
  readonly build: Build
  /** How long until the next look. */
  readonly delayMs: number
}

/** A look that failed; the next one follows after `delayMs`. */
export interface Trouble {
  readonly kind: 'trouble'
  readonly at: number
  readonly code: string
  readonly message: string
  readonly delayMs: number
}

/** What a watch can be told. */
export type WatchInput = Snapshot | Trouble | { readonly kind: 'timeout'; readonly at: number }

/** Everything a watch knows; printers and frames are made from it alone. */
export interface WatchModel {
  /** The last build that was read; jobs of an earlier answer stay when a later one has none. */
  readonly build: Build | null
  readonly at: number
  readonly delayMs: number
  /** The streak of failed looks that is going on. */
  readonly trouble: Trouble | null
  /** Answers in a row with a state nobody knows and an end time. */
  readonly endedUnknown: number
  readonly outcome: Outcome | null
  /** The job that the outcome is about. */
  readonly job: Job | null
  /** What the last step brought. */
  readonly events: readonly WatchEvent[]
}

/** A watch that has seen nothing yet. */
export const emptyWatch: WatchModel = {
  build: null,
  at: 0,
  delayMs: 0,
  trouble: null,
  endedUnknown: 0,
  outcome: null,
  job: null,
  events: [],
}

/** One step of a watch, pure: what was known and what was read become what is known and what happened. */
export function reduceWatch(model: WatchModel, input: WatchInput, rules: WatchRules): WatchModel {
  if (input.kind === 'timeout') return { ...model, at: input.at, outcome: 'timeout', events: [] }
  if (input.kind === 'trouble') {
    const { at, code, message, delayMs } = input
    const event: WatchEvent = { type: 'poll.error', at, code, message, delayMs, first: model.trouble === null }
    return { ...model, delayMs, trouble: input, events: [event] }
  }
  const { build, at, delayMs } = input
  const endedUnknown = isEndedUnknown(build) ? model.endedUnknown + 1 : 0
  const verdict = judge(build, rules, endedUnknown)
  return {
    build: build.jobs === undefined && model.build?.jobs !== undefined ? { ...build, jobs: model.build.jobs } : build,
    at,
    delayMs,
    trouble: null,
    endedUnknown,
    outcome: verdict?.outcome ?? null,
    job: verdict?.job ?? null,
    events: compare(model.build, build, at),
  }
}

/** Whether a build has an end time and a state that the SDK does not know. */
function isEndedUnknown(build: Build): boolean {
  return Boolean(build.finished_at) && isUnfamiliarState(build.state)
}

function compare(before: Build | null, now: Build, at: number): WatchEvent[] {
  const events: WatchEvent[] = []
  for (const job of now.jobs ?? []) events.push(...compareJob(before, job, at))
  if (now.failing_at && !before?.failing_at) events.push({ type: 'build.failing', at, failing_at: now.failing_at })
  const from = before === null ? null : buildState(before)
  const to = buildState(now)
  if (from !== to) events.push({ type: 'build.state', at, from, to })
  if (to === 'blocked' && from !== 'blocked') events.push({ type: 'build.blocked', at })
  return events
}

function compareJob(before: Build | null, job: Job, at: number): WatchEvent[] {
  if (job.type === 'waiter') return []
  const earlier = before?.jobs?.find((other) => other.id === job.id)
  const about = { at, job_id: job.id, name: jobTitle(job) }
  const events: WatchEvent[] = []
  const promised = job.promised_exit_status
  if (typeof promised === 'number' && typeof earlier?.promised_exit_status !== 'number') {
    events.push({ type: 'job.promised_failure', ...about, promised_exit_status: promised })
  }
  // What jobs were doing when the watch began is no change.
  if (before?.jobs === undefined) return events
  const from = earlier === undefined ? null : jobState(earlier)
  const to = jobState(job)
  if (from !== to) events.push({ type: 'job.state', ...about, from, to })
  return events
}
