import { backoff } from '../base/backoff.js'
import { checkedNames, checkedObject, checkedWord, must } from '../base/checked.js'
import { joinListeners } from '../base/events.js'
import type { Build, GetBuildParams, Job } from '../contract/schemas.gen.js'
import { type CiError, isCiError } from '../errors/errors.js'
import { type CallOptions, callNames } from '../http/client-options.js'
import { contextOf } from '../http/context.js'
import { isScarce } from '../http/rate-limit.js'
import { isLoopback } from '../http/service-url.js'
import {
  buildOutcome,
  isUnfamiliarState,
  type OutcomeOptions,
  type WaitOutcome,
} from '../resources/build-outcome.js'
import { follow, race } from '../transport/cancellation.js'
import { timeLimit } from '../transport/limits.js'
import type { CiClient } from './client.js'

/**
 * One thing that happened to a watched build. Each answer is a `build`, also one that brought
 * nothing new, after the `job`s that moved, or promised to fail, since the answer before; `trouble`
 * is a look that failed and is repeated; `finished` is the last.
 */
export type BuildChange =
  | {
      readonly type: 'build'
      readonly build: Build
      /** The fields that are not as they were. */
      readonly changed: readonly string[]
      /** When the server answered, by its clock; epoch ms. */
      readonly at: number
      readonly nextMs: number
      /** How the watch ends with this answer; null while it goes on. */
      readonly outcome: WaitOutcome | null
    }
  | {
      readonly type: 'job'
      readonly job: Job
      readonly from: string | null
      readonly to: string | null
      /**
       * The exit status that it has promised since the answer before; `from` and `to` may be the
       * same then.
       */
      readonly promised: number | null
      /** As of a `build`. */
      readonly at: number
    }
  | {
      readonly type: 'trouble'
      readonly error: CiError
      readonly failures: number
      readonly nextMs: number
    }
  | { readonly type: 'finished'; readonly build: Build; readonly outcome: WaitOutcome }

/** How to watch. `timeoutMs` is the whole watch here, without limit unless given. */
export interface WatchOptions extends CallOptions, Pick<OutcomeOptions, 'until' | 'onBlocked'> {
  /**
   * Milliseconds between two requests: at least 1 000, or 100 for a server on this machine. Without
   * it 5 s, 10 s after five minutes, 15 s after a quarter of an hour, 30 s once nothing has run for
   * a minute. Twice that while requests are scarce.
   */
  pollIntervalMs?: number | undefined
  /**
   * The record that a create, rebuild or retry has just answered: it comes first, and its state may
   * be one from before a retry.
   */
  first?: Build | undefined
}

const mostFailures = 5
const longestErrorDelayMs = 60_000
/** A build that was made a moment ago may not be readable everywhere yet. */
const newBuildMs = 10_000

/**
 * Follows a build until it is over, or until what `until` names. A lost network, a used-up request
 * window, a 5xx and an answer that cannot be read are `trouble`, up to five in a row. To stop the
 * requests, leave the loop.
 *
 * @throws Whatever ends a `builds.get` for good, such as `not_found`; the sixth failure in a row;
 * `signal.reason` when aborted; the last error when the time is over and no answer ever came;
 * `config` for an option that cannot be used.
 * @example
 * ```ts
 * for await (const change of watchBuild(ci, { org_slug: 'acme', pipeline_slug: 'web', number: 42 })) {
 *   if (change.type === 'job') console.log(change.job.name, change.from, '->', change.to)
 *   if (change.type === 'finished') console.log(change.outcome)
 * }
 * ```
 */
export async function* watchBuild(
  ci: CiClient,
  ref: GetBuildParams,
  options: WatchOptions = {},
): AsyncGenerator<BuildChange, void, undefined> {
  if (ci?.[contextOf] === undefined) throw must('ci', 'be a CiClient of this copy of the package')
  checkedObject('params', ref, '{ org_slug, pipeline_slug, number }')
  checkedNames('options', options, {
    ...callNames,
    until: true,
    onBlocked: true,
    pollIntervalMs: true,
    first: true,
  })
  checkedWord('until', options.until, 'finished', 'failing', 'started')
  checkedWord('onBlocked', options.onBlocked, 'stop', 'wait')
  const { until, onBlocked, pollIntervalMs, first, ...call } = options
  const context = ci[contextOf]
  const { clock } = context
  const emit = joinListeners(context.emit, options.onEvent)
  const intervalMs = pollInterval(pollIntervalMs, context.api.href)
  const timeoutMs = timeLimit('timeoutMs', options.timeoutMs, Number.POSITIVE_INFINITY)
  const started = clock.monotonic()
  const unfamiliar = new Set<string>()
  let activeAt = started
  let moved = first === undefined || buildOutcome({ state: first.state }) === null
  let build: Build | undefined
  let jobs: ReadonlyMap<string, Job> | undefined
  let unfamiliarAndFinished = 0
  let failures = 0
  /** The error of the last failed request. */
  let lost: unknown

  const remaining = (): number => timeoutMs - (clock.monotonic() - started)

  const timedOut = (): BuildChange => {
    if (build === undefined) throw lost
    return { type: 'finished', build, outcome: 'timeout' }
  }

  const look = async (): Promise<BuildAnswer> => {
    // Until a retried build has moved, only its jobs tell whether its old state still counts.
    const params = moved ? ref : { ...ref, exclude_jobs: false }
    const limited = { ...call, timeoutMs: Math.min(remaining(), context.timeoutMs) }
    const { data, response } = await ci.builds.get(params, limited).withResponse()
    const served = Date.parse(response.headers.get('date') ?? '')
    moved ||= isActive(data)
    return {
      build: data,
      at: Number.isNaN(served) ? clock.now() : served,
      scarce: isScarce(response.headers),
    }
  }

  const pause = (seen: BuildAnswer): number => {
    const now = clock.monotonic()
    if (isActive(seen.build)) activeAt = now
    failures = 0
    return pauseMs({
      watchedMs: now - started,
      idleMs: now - activeAt,
      scarce: seen.scarce,
      fixedMs: intervalMs,
      random: context.random(),
    })
  }

  const tell = (kind: 'state' | 'unknown_state', state: string): void =>
    emit?.({ type: 'build', kind, number: ref.number, state })

  const decide = (seen: Build): WaitOutcome | null => {
    const { state } = seen
    unfamiliarAndFinished =
      isUnfamiliarState(state) && seen.finished_at ? unfamiliarAndFinished + 1 : 0
    // `waiting` is documented; only its end is unclear, so it is not reported as unknown.
    if (isUnfamiliarState(state) && state !== 'waiting' && !unfamiliar.has(state)) {
      unfamiliar.add(state)
      tell('unknown_state', state)
    }
    // Jobs that the caller excluded have no influence.
    const { jobs: _, ...alone } = seen
    const asked = moved && ref.exclude_jobs === true ? alone : seen
    return buildOutcome(asked, { until, onBlocked, unfamiliarAndFinished })
  }

  function* news(
    { build: seen, at }: BuildAnswer,
    nextMs: number,
  ): Generator<BuildChange, WaitOutcome | null> {
    const before = build
    build = seen
    for (const job of seen.jobs ?? []) {
      const earlier = jobs?.get(job.id)
      const to = job.state ?? null
      const from = jobs === undefined ? to : (earlier?.state ?? null)
      const promised =
        typeof earlier?.promised_exit_status === 'number'
          ? null
          : (job.promised_exit_status ?? null)
      if (from !== to || promised !== null) yield { type: 'job', job, from, to, promised, at }
    }
    if (seen.jobs) jobs = new Map(seen.jobs.map((job) => [job.id, job]))
    if (seen.state !== before?.state) tell('state', seen.state)
    const outcome = decide(seen)
    yield { type: 'build', build: seen, changed: changedFields(before, seen), at, nextMs, outcome }
    return outcome
  }

  /** @throws The error itself, when it will not pass or has not passed for long enough. */
  const trouble = (error: unknown): Extract<BuildChange, { type: 'trouble' }> => {
    const isNew = first !== undefined && clock.monotonic() - started < newBuildMs
    const mayPass = isPassing(error) || (isNew && isCiError(error, 'not_found'))
    if (!isCiError(error) || !mayPass || failures >= mostFailures) throw error
    const base = intervalMs ?? 5_000
    const ownMs = backoff(
      { firstMs: 2 * base, longestMs: Math.max(longestErrorDelayMs, base) },
      failures++,
    )
    const nextMs = Math.max(ownMs, 'retryAfterMs' in error ? (error.retryAfterMs ?? 0) : 0)
    emit?.({ type: 'build', kind: 'error', number: ref.number, delayMs: nextMs })
    return { type: 'trouble', error, failures, nextMs }
  }

  const { cancellation, leave } = follow(context.hub, options.signal)
  try {
    let seen = first === undefined ? undefined : { build: first, at: clock.now(), scarce: false }
    for (;;) {
      let nextMs: number
      try {
        seen ??= await look()
        nextMs = pause(seen)
      } catch (error) {
        lost = error
        if (isCiError(error, 'timeout') && error.kind === 'total' && remaining() <= 0)
          return yield timedOut()
        const failed = trouble(error)
        nextMs = failed.nextMs
        yield failed
        if (nextMs >= remaining()) return yield timedOut()
      }
      if (seen !== undefined) {
        const outcome = yield* news(seen, nextMs)
        if (outcome !== null) return yield { type: 'finished', build: seen.build, outcome }
        seen = undefined
      }
      await race(clock.sleep(Math.min(nextMs, remaining()), cancellation.signal), cancellation)
      if (remaining() <= 0) return yield timedOut()
    }
  } finally {
    leave()
  }
}

/** One answer: the build, when the server gave it (epoch ms), and whether requests are scarce. */
interface BuildAnswer {
  readonly build: Build
  readonly at: number
  readonly scarce: boolean
}

/** Failures that say nothing about the build: the next answer may be fine. */
function isPassing(error: unknown): boolean {
  if (!isCiError(error)) return false
  if (error.code === 'http_error') return error.status === 408 || error.status === 425
  return ['connection', 'timeout', 'server_error', 'rate_limited', 'invalid_response'].includes(
    error.code,
  )
}

function changedFields(before: Build | undefined, now: Build): string[] {
  const old: Readonly<Record<string, unknown>> = { ...before }
  return Object.entries(now).flatMap(([key, value]) =>
    JSON.stringify(old[key]) === JSON.stringify(value) ? [] : [key],
  )
}

function pollInterval(given: number | undefined, baseUrl: string): number | undefined {
  if (given === undefined) return undefined
  const least = isLoopback(new URL(baseUrl).hostname) ? 100 : 1_000
  if (typeof given === 'number' && given >= least && Number.isFinite(given)) return given
  throw must('pollIntervalMs', `be at least ${least} milliseconds here`)
}

const MINUTE_MS = 60_000
const IDLE_MS = 30_000
const ACTIVE: ReadonlySet<string> = new Set(['running', 'failing', 'canceling'])
const ACTIVE_JOB: ReadonlySet<string> = new Set([
  'assigned',
  'accepted',
  'running',
  'timing_out',
  'canceling',
])

/** Whether an agent works on the build, as far as the record tells. */
function isActive({ blocked, state, jobs }: Build): boolean {
  return (
    (blocked !== true && ACTIVE.has(state)) ||
    jobs?.some((job) => ACTIVE_JOB.has(job.state ?? '')) === true
  )
}

/**
 * How long to wait until the next look, as {@link WatchOptions} says; up to a tenth more, so that
 * watches do not march in step.
 */
export function pauseMs(given: {
  readonly watchedMs: number
  /** For how long nothing has run; 0 while something does. */
  readonly idleMs: number
  readonly scarce: boolean
  /** The interval a person fixed. */
  readonly fixedMs: number | undefined
  /** From 0 up to 1. */
  readonly random: number
}): number {
  const { watchedMs, idleMs, scarce, fixedMs, random } = given
  const baseMs = fixedMs ?? (idleMs >= MINUTE_MS ? IDLE_MS : steadyMs(watchedMs))
  return Math.ceil(baseMs * (scarce ? 2 : 1) * (1 + 0.1 * random))
}

function steadyMs(watchedMs: number): number {
  if (watchedMs < 5 * MINUTE_MS) return 5_000
  return watchedMs < 15 * MINUTE_MS ? 10_000 : 15_000
}

/** How to wait: as {@link WatchOptions}. */
export type WaitOptions = WatchOptions

/**
 * The last value of {@link watchBuild}: waits until a build is over, or until what `until` names.
 * Jobs are left out unless you ask for them.
 *
 * @returns The outcome and the build as last read; outcome `timeout` when `timeoutMs` is over.
 * @throws As {@link watchBuild}.
 * @example
 * ```ts
 * const { outcome, build } = await waitForBuild(ci, { org_slug: 'acme', pipeline_slug: 'web', number: 42 })
 * if (outcome !== 'passed') console.error(`${build.web_url} ${outcome}`)
 * ```
 */
export async function waitForBuild(
  ci: CiClient,
  params: GetBuildParams,
  options: WaitOptions = {},
): Promise<{ outcome: WaitOutcome; build: Build }> {
  const ref = params && { exclude_jobs: true, ...params }
  for await (const change of watchBuild(ci, ref, options)) {
    if (change.type === 'finished') return { outcome: change.outcome, build: change.build }
  }
  throw new Error('a watch ends with its outcome or an error')
}
