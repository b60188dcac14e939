import type { BuildRecord, CommandStep, JobRecord, Lifecycle, Outcome } from '../records/records.js'
import { hasEnded } from './build.js'
import { commandOf, isMovable } from './job.js'
import { JobList, type JobPart } from './job-list.js'
import type { JobEvent } from './job-moves.js'

/** A move that the lifecycle makes, with its time (epoch ms). Its agent is chosen at that time. */
export type DueMove =
  | { readonly at: number; readonly kind: 'job'; readonly jobId: string; readonly event: JobEvent }
  | { readonly at: number; readonly kind: 'assign' | 'trigger'; readonly jobId: string }
  | { readonly at: number; readonly kind: 'stopCanceled' }

export interface DueFacts {
  readonly lifecycle: Lifecycle
  readonly jobExpiryMs: number
  isPaused(queueId: string): boolean
  /** A number in [0, 1), always the same for a job. */
  dice(jobId: string): number
}

/**
 * The next move of a build, derived only from its state, so that a restart finds the same move.
 * Durations count from `runnable_at`.
 */
export function nextMove(build: BuildRecord, facts: DueFacts, known?: KnownMoves): DueMove | null {
  if (build.state === 'canceling' && build.cancelDueAt !== undefined)
    return { at: build.cancelDueAt, kind: 'stopCanceled' }
  if (facts.lifecycle.policy === 'manual') return null
  const once = (key: JobPart | JobRecord, find: () => DueMove | null): DueMove | null => {
    const knownMove = known?.get(key)
    if (knownMove !== undefined) return knownMove
    const move = find()
    known?.set(key, move)
    return move
  }
  const inPart = ({ jobs }: JobPart): DueMove | null =>
    earliest(jobs, (job) => once(job, () => nextJobMove(job, facts)))
  return earliest(JobList.of(build.jobs).parts, (part) => once(part, () => inPart(part)))
}

/** Moves by job and by part of a list of jobs. They are valid while the facts stay the same. */
export type KnownMoves = WeakMap<JobPart | JobRecord, DueMove | null>

/** The move with the earliest time; of several, the first in the list. */
function earliest<T>(items: readonly T[], moveOf: (item: T) => DueMove | null): DueMove | null {
  let first: DueMove | null = null
  for (const item of items) {
    const move = moveOf(item)
    if (move !== null && (first === null || move.at < first.at)) first = move
  }
  return first
}

export function mayMove(build: BuildRecord): boolean {
  return !hasEnded(build) || JobList.of(build.jobs).facts.movable > 0
}

function nextJobMove(job: JobRecord, facts: DueFacts): DueMove | null {
  if (job.retried || !isMovable(job)) return null
  const runnable = Date.parse(job.runnable_at ?? job.created_at)
  if (job.type === 'trigger')
    return job.state === 'scheduled' ? { at: runnable, kind: 'trigger', jobId: job.id } : null
  if (job.type !== 'script') return null
  const step = commandOf(job)
  const after = (from: number, share: number) =>
    Math.round(from + durationOf(job, step, facts) * share)
  const move = (at: number, event: JobEvent): DueMove => ({ at, kind: 'job', jobId: job.id, event })
  switch (job.state) {
    case 'canceling':
      return move(after(runnable, 1), { type: 'stopCanceled' })
    case 'limited':
      return move(runnable + facts.jobExpiryMs, { type: 'expire' })
    case 'scheduled':
      if (step?.outcome === 'expire') return move(after(runnable, 1), { type: 'expire' })
      if (job.queueId !== null && facts.isPaused(job.queueId))
        return move(runnable + facts.jobExpiryMs, { type: 'expire' })
      return { at: after(runnable, 0.03), kind: 'assign', jobId: job.id }
    case 'assigned':
      return move(after(runnable, 0.06), { type: 'accept' })
    case 'accepted':
      return move(after(runnable, 0.1), { type: 'start' })
    default:
      return runningMove(job, step, facts, move)
  }
}

function runningMove(
  job: JobRecord,
  step: CommandStep | undefined,
  facts: DueFacts,
  move: (at: number, event: JobEvent) => DueMove,
): DueMove {
  const started = Date.parse(job.started_at ?? job.created_at)
  const after = (share: number) => Math.round(started + durationOf(job, step, facts) * share)
  if (job.state === 'timing_out') return move(after(0.9), { type: 'stopTimedOut' })
  const end = outcomeEvent(step?.outcome ?? 'pass', job.retries_count ?? 0)
  const last = move(after(end.type === 'timeOut' ? 0.8 : 0.9), end)
  const promise = step?.promiseFailure
  if (promise === undefined || job.promised_exit_status !== undefined) return last
  const wait =
    facts.lifecycle.policy === 'immediate' ? 0 : Math.round(promise.afterMs / speedOf(facts))
  const promised = move(started + wait, { type: 'promise', exit_status: promise.exit_status })
  return promised.at <= last.at ? promised : last
}

/** The end of an execution. With `attempts`, only that many first attempts (from 0) fail. */
function outcomeEvent(outcome: Outcome, attempt: number): JobEvent {
  if (outcome === 'timeout') return { type: 'timeOut' }
  if (typeof outcome === 'string') return { type: 'exit', exit_status: 0 }
  if (outcome.attempts !== undefined && attempt >= outcome.attempts)
    return { type: 'exit', exit_status: 0 }
  return {
    type: 'exit',
    exit_status: outcome.exit_status,
    signal: outcome.signal ?? null,
    signal_reason: outcome.signal_reason ?? null,
  }
}

function speedOf({ lifecycle }: DueFacts): number {
  return lifecycle.policy === 'timed' ? (lifecycle.speed ?? 1) : 1
}

/** 0 with the policy `immediate`; else the duration of the step, or 2 to 40 s chosen by the job. */
function durationOf(job: JobRecord, step: CommandStep | undefined, facts: DueFacts): number {
  if (facts.lifecycle.policy !== 'timed') return 0
  return (step?.durationMs ?? 2_000 + Math.floor(facts.dice(job.id) * 38_000)) / speedOf(facts)
}
