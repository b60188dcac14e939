import { type BuildChange, buildOutcome, type WaitOutcome } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import { buildState } from '../views/build.js'
import { jobState, jobTitle } from '../views/job.js'

/**
 * One thing that happened to a watched build, in the order and spelling of `-o jsonl`. Times are
 * epoch ms.
 */
export type WatchEvent = { readonly at: number } & (
  | { readonly type: 'build.state'; readonly from: string | null; readonly to: string }
  | (JobEvent & { readonly type: 'job.state'; readonly from: string | null; readonly to: string })
  | (JobEvent & { readonly type: 'job.promised_failure'; readonly promised_exit_status: number })
  | { readonly type: 'build.failing'; readonly failing_at: string }
  | { readonly type: 'build.blocked' }
  | {
      readonly type: 'poll.error'
      readonly code: string
      readonly message: string
      readonly delayMs: number
      /** The first of a streak; the ones after it are no news. */
      readonly first: boolean
    }
)

interface JobEvent {
  readonly job_id: string
  readonly name: string
}

/** Everything a watch knows of one build; printers and frames are made from it alone. */
export interface WatchModel {
  /** `acme/web#42` */
  readonly ref: string
  /** The last build that was read; jobs of an earlier answer stay when a later one has none. */
  readonly build: Build | null
  /**
   * The state in words; null before the first answer, and while the answers have the state from
   * before a retry.
   */
  readonly state: string | null
  /** The server's time of the answer, epoch ms. */
  readonly at: number
  readonly delayMs: number
  /** What went wrong with the last look; null when it was fine. */
  readonly trouble: string | null
  readonly outcome: WaitOutcome | null
  readonly events: readonly WatchEvent[]
}

/** Shows watches as they go on; a model is one build's, known by its `ref`. */
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

/** What the SDK's watch yields; the time may be over before any build was read. */
export type WatchChange =
  | Exclude<BuildChange, { type: 'finished' }>
  | Pick<Finished, 'type' | 'outcome'>

type Finished = Extract<BuildChange, { type: 'finished' }>

/**
 * One step of a watch, pure: what was known and what was yielded become what is known and what
 * happened.
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
      const word = buildState(build)
      const isOld =
        outcome === null && word !== 'blocked' && buildOutcome({ state: build.state }) !== null
      const state = isOld ? null : word
      return {
        ...model,
        build:
          build.jobs === undefined && model.build?.jobs !== undefined
            ? { ...build, jobs: model.build.jobs }
            : build,
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
  return [
    ...(promised === null
      ? []
      : [{ type: 'job.promised_failure', ...about, promised_exit_status: promised } as const]),
    ...(from === to ? [] : [{ type: 'job.state', ...about, from, to: jobState(job) } as const]),
  ]
}
