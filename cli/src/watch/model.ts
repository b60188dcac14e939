import { type BuildChange, buildOutcome, type WaitOutcome } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import { buildState } from '../views/build.js'
import { jobState, jobTitle } from '../views/job.js'

/**
 * One event of a watched build, with the fields of its `-o jsonl` record in their order. Times are
 * epoch ms.
 */
export type WatchEvent = { readonly at: number } & (
  | { readonly type: 'build.state'; readonly from: string | null; readonly to: string }
  | (WatchedJob & { readonly type: 'job.state'; readonly from: string | null; readonly to: string })
  | (WatchedJob & { readonly type: 'job.promised_failure'; readonly promised_exit_status: number })
  | { readonly type: 'build.failing'; readonly failing_at: string }
  | { readonly type: 'build.blocked' }
  | {
      readonly type: 'poll.error'
      readonly code: string
      readonly message: string
      readonly delayMs: number
      /** True for the first error of a streak; only this one is shown. */
      readonly first: boolean
    }
)

interface WatchedJob {
  readonly job_id: string
  readonly name: string
}

/** The state of the watch of one build; everything that is printed or drawn comes from it. */
export interface WatchModel {
  /** `acme/web#42` */
  readonly ref: string
  /** The build as last read; its jobs are kept if a later answer has none. */
  readonly build: Build | null
  /**
   * The state in words; null before the first answer, and as long as answers have the state from
   * before a retry.
   */
  readonly state: string | null
  /** The server's time of the answer, epoch ms. */
  readonly at: number
  readonly delayMs: number
  /** The error of the last request; null after a success. */
  readonly trouble: string | null
  readonly outcome: WaitOutcome | null
  readonly events: readonly WatchEvent[]
}

/** Shows the progress of watches; a model belongs to the build with its `ref`. */
export interface Presenter {
  show(model: WatchModel): Promise<void>
  close(): Promise<void>
}

export function emptyWatch(ref: string): WatchModel {
  return {
    ref,
    build: null,
    state: null,
    at: 0,
    delayMs: 0,
    trouble: null,
    outcome: null,
    events: [],
  }
}

/**
 * A change of the SDK's watch; `finished` has no build if the time ended before the first answer.
 */
export type WatchChange =
  | Exclude<BuildChange, { type: 'finished' }>
  | Pick<Finished, 'type' | 'outcome'>

type Finished = Extract<BuildChange, { type: 'finished' }>

/**
 * One step of a watch, without side effects: returns the model after the change, with the events of
 * this step.
 */
export function reduceWatch(model: WatchModel, change: WatchChange, now: number): WatchModel {
  switch (change.type) {
    case 'job':
      return { ...model, events: jobEvents(change) }
    case 'trouble': {
      const { code, message } = change.error
      const event = { type: 'poll.error', at: now, code, message, delayMs: change.nextMs } as const
      const events = [{ ...event, first: model.trouble === null }]
      return { ...model, delayMs: change.nextMs, trouble: message, events }
    }
    case 'finished':
      return { ...model, at: now, outcome: change.outcome, events: [] }
    case 'build': {
      const { build, at, nextMs: delayMs, outcome } = change
      const currentState = buildState(build)
      const isEndState = currentState !== 'blocked' && buildOutcome({ state: build.state }) !== null
      // An end state without an outcome is from before a retry.
      const state = outcome === null && isEndState ? null : currentState
      const jobs = build.jobs ?? model.build?.jobs
      return {
        ...model,
        build: jobs === undefined ? build : { ...build, jobs },
        state,
        at,
        delayMs,
        trouble: null,
        outcome,
        events: state === null ? [] : buildEvents(model, build, state, at),
      }
    }
  }
}

function buildEvents(
  { build: before, state: from }: WatchModel,
  now: Build,
  to: string,
  at: number,
): WatchEvent[] {
  const events: WatchEvent[] = []
  if (now.failing_at && (from === null || !before?.failing_at)) {
    events.push({ type: 'build.failing', at, failing_at: now.failing_at })
  }
  if (from !== to) events.push({ type: 'build.state', at, from, to })
  if (to === 'blocked' && from !== 'blocked') events.push({ type: 'build.blocked', at })
  return events
}

function jobEvents({
  job,
  from,
  to,
  promised,
  at,
}: Extract<BuildChange, { type: 'job' }>): WatchEvent[] {
  if (job.type === 'waiter') return []
  const about = { at, job_id: job.id, name: jobTitle(job) }
  const events: WatchEvent[] = []
  if (promised !== null) {
    events.push({ type: 'job.promised_failure', ...about, promised_exit_status: promised })
  }
  if (from !== to) events.push({ type: 'job.state', ...about, from, to: jobState(job) })
  return events
}
