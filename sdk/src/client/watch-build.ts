import { backoff } from '../base/backoff.js'
import { checkedNames, checkedObject, checkedWord, must, type Names } from '../base/checked.js'
import { type CiEventListener, joinListeners } from '../base/events.js'
import type { Build, GetBuildParams, Job } from '../contract/schemas.gen.js'
import { type CiError, isCiError } from '../errors/errors.js'
import { type CallOptions, type ClientContext, callNames, contextOf } from '../http/context.js'
import { isScarce } from '../http/rate-limit.js'
import { isLoopback } from '../http/service-url.js'
import { buildOutcome, isUnfamiliarState, type OutcomeOptions, type WaitOutcome } from '../resources/build-outcome.js'
import { isActive, pauseMs } from '../resources/watch-interval.js'
import { follow, race } from '../transport/cancellation.js'
import { timeLimit } from '../transport/limits.js'
import type { CiClient } from './client.js'

/**
 * One thing that happened to a watched build. Each answer is a `build`, also one that brought nothing new, after the `job`s that
 * moved, or promised to fail, since the answer before; `trouble` is a look that failed and is repeated; `finished` is the last.
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
      /** The exit status that it has promised since the answer before; `from` and `to` may be the same then. */
      readonly promised: number | null
      /** As of a `build`. */
      readonly at: number
    }
  | { readonly type: 'trouble'; readonly error: CiError; readonly failures: number; readonly nextMs: number }
  | { readonly type: 'finished'; readonly build: Build; readonly outcome: WaitOutcome }

/** How to watch. `timeoutMs` is the whole watch here, without limit unless given. */
export interface WatchOptions extends CallOptions, Pick<OutcomeOptions, 'until' | 'onBlocked'> {
  /**
   * Milliseconds between two requests: at least 1 000, or 100 for a server on this machine. Without it 5 s, 10 s after five minutes,
   * 15 s after a quarter of an hour, 30 s once nothing has run for a minute. Twice that while requests are scarce.
   */
  pollIntervalMs?: number | undefined
  /** The record that a create, rebuild or retry has just answered: it comes first, and its state may be one from before a retry. */
  first?: Build | undefined
}

const names: Names<WatchOptions> = { ...callNames, until: true, onBlocked: true, pollIntervalMs: true, first: true }
const mostFailures = 5
const longestErrorDelayMs = 60_000
/** A build that was made a moment ago may not be readable everywhere yet. */
const newBuildMs = 10_000

/**
 * Follows a build until it is over, or until what `until` names. A lost network, a used-up request window, a 5xx and an answer that
 * cannot be read are `trouble`, up to five in a row; whoever stops iterating stops the requests.
 *
 * @throws Whatever ends a `builds.get` for good, such as `not_found`; the sixth failure in a row; `signal.reason` when aborted; the
 * last error when the time is over and no answer ever came; `config` for an option that cannot be used.
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
  const watch = new Watch(ci, ref, options)
  try {
    yield* watch.changes()
  } finally {
    watch.leave()
  }
}

class Watch {
  readonly #ci: CiClient
  readonly #ref: GetBuildParams
  readonly #options: WatchOptions
  readonly #context: ClientContext
  readonly #emit: CiEventListener | undefined
  readonly #intervalMs: number | undefined
  readonly #timeoutMs: number
  readonly #started: number
  readonly #following: ReturnType<typeof follow>
  readonly #unfamiliar = new Set<string>()
  #activeAt: number
  #moved: boolean
  #build: Build | undefined
  #jobs: ReadonlyMap<string, Job> | undefined
  #unfamiliarAndFinished = 0
  #failures = 0

  constructor(ci: CiClient, ref: GetBuildParams, options: WatchOptions) {
    if (ci?.[contextOf] === undefined) throw must('ci', 'be a CiClient of this copy of the package')
    checkedObject('params', ref, '{ org_slug, pipeline_slug, number }')
    checkedNames('options', options, names)
    checkedWord('until', options.until, 'finished', 'failing', 'started')
    checkedWord('onBlocked', options.onBlocked, 'stop', 'wait')
    this.#ci = ci
    this.#ref = ref
    this.#options = options
    this.#context = ci[contextOf]
    this.#emit = joinListeners(this.#context.emit, options.onEvent)
    this.#intervalMs = pollInterval(options.pollIntervalMs, this.#context.api.href)
    this.#timeoutMs = timeLimit('timeoutMs', options.timeoutMs, Number.POSITIVE_INFINITY)
    this.#started = this.#context.clock.monotonic()
    this.#activeAt = this.#started
    this.#moved = options.first === undefined || buildOutcome({ state: options.first.state }) === null
    this.#following = follow(this.#context.hub, options.signal)
  }

  leave(): void {
    this.#following.leave()
  }

  async *changes(): AsyncGenerator<BuildChange, void, undefined> {
    const { first } = this.#options
    let read = first === undefined ? undefined : { build: first, at: this.#context.clock.now(), scarce: false }
    for (;;) {
      let nextMs: number
      try {
        read ??= await this.#read()
        nextMs = this.#pause(read.build, read.scarce)
      } catch (error) {
        if (this.#timeIsUp(error)) return yield this.#timedOut(error)
        const trouble = this.#trouble(error)
        nextMs = trouble.nextMs
        yield trouble
        if (nextMs >= this.#remaining()) return yield this.#timedOut(error)
      }
      if (read !== undefined) {
        const outcome = yield* this.#news(read.build, read.at, nextMs)
        if (outcome !== null) return yield { type: 'finished', build: read.build, outcome }
        read = undefined
      }
      await this.#sleep(Math.min(nextMs, this.#remaining()))
      if (this.#remaining() <= 0) return yield this.#timedOut(undefined)
    }
  }

  async #read(): Promise<{ build: Build; at: number; scarce: boolean }> {
    const { until: _, onBlocked: __, pollIntervalMs: ___, first: ____, ...call } = this.#options
    const timeoutMs = Math.min(this.#remaining(), this.#context.timeoutMs)
    // Until a retried build has moved, only its jobs tell whether its old state still counts.
    const params = this.#moved ? this.#ref : { ...this.#ref, exclude_jobs: false }
    const { data, response } = await this.#ci.builds.get(params, { ...call, timeoutMs }).withResponse()
    const served = Date.parse(response.headers.get('date') ?? '')
    this.#moved ||= isActive(data)
    const at = Number.isNaN(served) ? this.#context.clock.now() : served
    return { build: data, at, scarce: isScarce(response.headers) }
  }

  #pause(build: Build, scarce: boolean): number {
    const now = this.#context.clock.monotonic()
    if (isActive(build)) this.#activeAt = now
    this.#failures = 0
    const random = this.#context.random()
    return pauseMs({
      watchedMs: now - this.#started,
      idleMs: now - this.#activeAt,
      scarce,
      fixedMs: this.#intervalMs,
      random,
    })
  }

  *#news(build: Build, at: number, nextMs: number): Generator<BuildChange, WaitOutcome | null> {
    const before = this.#build
    this.#build = build
    for (const job of build.jobs ?? []) {
      const earlier = this.#jobs?.get(job.id)
      const to = job.state ?? null
      const from = this.#jobs === undefined ? to : (earlier?.state ?? null)
      const promised = typeof earlier?.promised_exit_status === 'number' ? null : (job.promised_exit_status ?? null)
      if (from !== to || promised !== null) yield { type: 'job', job, from, to, promised, at }
    }
    if (build.jobs) this.#jobs = new Map(build.jobs.map((job) => [job.id, job]))
    if (build.state !== before?.state) this.#tell('state', build.state)
    const outcome = this.#decide(build)
    yield { type: 'build', build, changed: changedFields(before, build), at, nextMs, outcome }
    return outcome
  }

  #decide(build: Build): WaitOutcome | null {
    const { state } = build
    this.#unfamiliarAndFinished = isUnfamiliarState(state) && build.finished_at ? this.#unfamiliarAndFinished + 1 : 0
    // `waiting` is documented, and only its end is unclear: no news for anybody.
    if (isUnfamiliarState(state) && state !== 'waiting' && !this.#unfamiliar.has(state)) {
      this.#unfamiliar.add(state)
      this.#tell('unknown_state', state)
    }
    const { until, onBlocked } = this.#options
    const rules = { until, onBlocked, unfamiliarAndFinished: this.#unfamiliarAndFinished }
    // Jobs that nobody asked for decide nothing.
    const { jobs: _, ...alone } = build
    return buildOutcome(this.#moved && this.#ref.exclude_jobs === true ? alone : build, rules)
  }

  /** @throws The error itself, when it will not pass or has not passed for long enough. */
  #trouble(error: unknown): Extract<BuildChange, { type: 'trouble' }> {
    const { first } = this.#options
    const isNew = first !== undefined && this.#context.clock.monotonic() - this.#started < newBuildMs
    const mayPass = isPassing(error) || (isNew && isCiError(error, 'not_found'))
    if (!isCiError(error) || !mayPass || this.#failures >= mostFailures) throw error
    const base = this.#intervalMs ?? 5_000
    const ownMs = backoff({ firstMs: 2 * base, longestMs: Math.max(longestErrorDelayMs, base) }, this.#failures++)
    const nextMs = Math.max(ownMs, 'retryAfterMs' in error ? (error.retryAfterMs ?? 0) : 0)
    this.#emit?.({ type: 'build', kind: 'error', number: this.#ref.number, delayMs: nextMs })
    return { type: 'trouble', error, failures: this.#failures, nextMs }
  }

  #tell(kind: 'state' | 'unknown_state', state: string): void {
    this.#emit?.({ type: 'build', kind, number: this.#ref.number, state })
  }

  #timeIsUp(error: unknown): boolean {
    return isCiError(error, 'timeout') && error.kind === 'total' && this.#remaining() <= 0
  }

  #timedOut(error: unknown): BuildChange {
    if (this.#build === undefined) throw error
    return { type: 'finished', build: this.#build, outcome: 'timeout' }
  }

  async #sleep(ms: number): Promise<void> {
    const { cancellation } = this.#following
    await race(this.#context.clock.sleep(ms, cancellation.signal), cancellation)
  }

  #remaining(): number {
    return this.#timeoutMs - (this.#context.clock.monotonic() - this.#started)
  }
}

/** Failures that say nothing about the build: the next answer may be fine. */
function isPassing(error: unknown): boolean {
  if (!isCiError(error)) return false
  if (error.code === 'http_error') return error.status === 408 || error.status === 425
  return ['connection', 'timeout', 'server_error', 'rate_limited', 'invalid_response'].includes(error.code)
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
