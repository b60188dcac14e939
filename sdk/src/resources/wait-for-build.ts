import { checkedObject, checkedWord } from '../checked.js'
import type { CiClient } from '../client.js'
import type { Build, GetBuildParams } from '../contract/schemas.gen.js'
import { ConfigError, isCiError } from '../errors.js'
import { type CiEventListener, joinListeners } from '../events.js'
import { race } from '../http/cancellation.js'
import { type CallOptions, type ClientContext, contextOf } from '../http/context.js'
import { timeLimit } from '../http/limits.js'
import { buildOutcome, isUnfamiliarState, type OutcomeOptions, type WaitOutcome } from './build-outcome.js'

/** How to wait. `timeoutMs` is the whole wait here, without limit unless given. */
export interface WaitOptions extends CallOptions, Pick<OutcomeOptions, 'until' | 'onBlocked'> {
  /**
   * Milliseconds between two requests, at least 1 000.
   * @default 5000
   */
  pollIntervalMs?: number | undefined
}

const longestErrorDelayMs = 60_000

/**
 * Polls a build until it is over, or until what `until` names. Jobs are left out unless you ask for them. A lost
 * network, a 5xx or a used-up request window does not end the wait; the gaps just grow.
 *
 * @returns The outcome and the build as last read; outcome `timeout` when `timeoutMs` is over.
 * @throws Whatever ends a `builds.get` for good, such as `not_found`; `signal.reason` when aborted; the last error when
 * the time is over and no answer ever came; `config` for an option that cannot be used.
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
  const wait = new Wait(ci, params, options)
  try {
    return await wait.run()
  } finally {
    wait.leave()
  }
}

class Wait {
  readonly #ci: CiClient
  readonly #params: GetBuildParams
  readonly #options: WaitOptions
  readonly #context: ClientContext
  readonly #emit: CiEventListener | undefined
  readonly #intervalMs: number
  readonly #timeoutMs: number
  readonly #started: number
  readonly #following: ReturnType<ClientContext['hub']['follow']>
  readonly #unfamiliar = new Set<string>()
  #build: Build | undefined
  #state: string | undefined
  #unfamiliarAndFinished = 0

  constructor(ci: CiClient, params: GetBuildParams, options: WaitOptions) {
    if (ci?.[contextOf] === undefined) throw new ConfigError('ci', 'ci must be a CiClient of this copy of the package')
    checkedObject('params', params, '{ org_slug, pipeline_slug, number }')
    checkedWord('until', options.until, 'finished', 'failing', 'started')
    checkedWord('onBlocked', options.onBlocked, 'stop', 'wait')
    this.#ci = ci
    this.#params = { exclude_jobs: true, ...params }
    this.#options = options
    this.#context = ci[contextOf]
    this.#emit = joinListeners(this.#context.emit, options.onEvent)
    this.#intervalMs = pollInterval(options.pollIntervalMs)
    this.#timeoutMs = timeLimit('timeoutMs', options.timeoutMs, Number.POSITIVE_INFINITY)
    this.#started = this.#context.clock.monotonic()
    this.#following = this.#context.hub.follow(options.signal)
  }

  leave(): void {
    this.#following.leave()
  }

  async run(): Promise<{ outcome: WaitOutcome; build: Build }> {
    let errorDelayMs = 0
    for (;;) {
      let delayMs = this.#intervalMs * (1 + 0.1 * this.#context.random())
      try {
        const build = await this.#read()
        errorDelayMs = 0
        const outcome = this.#decide(build)
        if (outcome !== null) return { outcome, build }
      } catch (error) {
        if (this.#timeIsUp(error)) return this.#timedOut(error)
        if (!isPassing(error)) throw error
        errorDelayMs = Math.min(longestErrorDelayMs, Math.max(2 * errorDelayMs, 2 * this.#intervalMs))
        delayMs = Math.max(errorDelayMs, asked(error))
        this.#emit?.({ type: 'build', kind: 'error', number: this.#params.number, delayMs })
        if (delayMs >= this.#remaining()) return this.#timedOut(error)
      }
      await this.#sleep(Math.min(delayMs, this.#remaining()))
      if (this.#remaining() <= 0) return this.#timedOut(undefined)
    }
  }

  async #read(): Promise<Build> {
    const { signal, onEvent } = this.#options
    const left = this.#remaining()
    const timeoutMs = Math.min(left, this.#context.timeoutMs)
    this.#build = await this.#ci.builds.get(this.#params, { signal, onEvent, timeoutMs })
    return this.#build
  }

  #decide(build: Build): WaitOutcome | null {
    const { state } = build
    const number = this.#params.number
    const finished = build.finished_at !== null && build.finished_at !== undefined && build.finished_at !== ''
    this.#unfamiliarAndFinished = isUnfamiliarState(state) && finished ? this.#unfamiliarAndFinished + 1 : 0
    if (state !== this.#state) this.#emit?.({ type: 'build', kind: 'state', number, state })
    this.#state = state
    // `waiting` is documented, and only its end is unclear: no news for anybody.
    if (isUnfamiliarState(state) && state !== 'waiting' && !this.#unfamiliar.has(state)) {
      this.#unfamiliar.add(state)
      this.#emit?.({ type: 'build', kind: 'unknown_state', number, state })
    }
    const { until, onBlocked } = this.#options
    return buildOutcome(build, { until, onBlocked, unfamiliarAndFinished: this.#unfamiliarAndFinished })
  }

  #timeIsUp(error: unknown): boolean {
    return isCiError(error, 'timeout') && error.kind === 'total' && this.#remaining() <= 0
  }

  #timedOut(error: unknown): { outcome: WaitOutcome; build: Build } {
    if (this.#build === undefined) throw error
    return { outcome: 'timeout', build: this.#build }
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
  return (
    isCiError(error, 'connection') ||
    isCiError(error, 'timeout') ||
    isCiError(error, 'server_error') ||
    isCiError(error, 'rate_limited')
  )
}

function asked(error: unknown): number {
  return isCiError(error, 'rate_limited') || isCiError(error, 'server_error') ? (error.retryAfterMs ?? 0) : 0
}

function pollInterval(given: number | undefined): number {
  if (given === undefined) return 5_000
  if (typeof given === 'number' && given >= 1_000 && Number.isFinite(given)) return given
  throw new ConfigError('pollIntervalMs', 'pollIntervalMs must be at least 1000 milliseconds')
}
