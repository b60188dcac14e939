import { type Instant, instant } from '../base/clock.js'
import type { CiEventListener, DeviceEvent } from '../base/events.js'
import {
  type ApiError,
  DeviceAuthorizationError,
  isCiError,
  type OAuthError,
} from '../errors/errors.js'
import type { HttpAnswer } from '../http/body.js'
import type { EncodedCall } from '../http/call.js'
import type { ClientContext } from '../http/context.js'
import { isTransient } from '../http/retry.js'
import { RetryLoop } from '../http/retry-loop.js'
import { RunningCall } from '../http/running-call.js'
import type { Cancellation } from '../transport/cancellation.js'
import { clientAdvice, errorWord, successBody } from './oauth-answer.js'
import { fixedForm, oauthCall } from './oauth-call.js'
import {
  afterCall,
  afterLoss,
  afterPending,
  afterSlowDown,
  nextPoll,
  type PollSchedule,
} from './poll-schedule.js'
import { readLoginToken, TokenSet } from './token-set.js'

/** What one poller needs; `arrived` is when the device authorization response came. */
export interface DevicePollerParams {
  readonly context: ClientContext
  readonly form: Readonly<Record<string, string>>
  readonly scope: string
  readonly schedule: PollSchedule
  readonly arrived: Instant
}

const portalLimit = 3
const startAgain =
  'The user may have approved and the answer was lost; start a new login, and revoke the unused authorization on the account page'

/**
 * Polls one device authorization (RFC 8628 §3.4). It keeps interval, back-off and the last call
 * between two runs.
 */
export class DevicePoller {
  readonly #params: DevicePollerParams
  #schedule: PollSchedule
  /** True: an answer was lost that may have contained the token. */
  #lost = false
  /** Login pages of the network in a row. */
  #portals = 0
  /** The last poll: all polls of a login have one call id. */
  #last: RunningCall | undefined
  #kind: DeviceEvent['kind'] = 'polling'
  readonly #call: EncodedCall

  constructor(params: DevicePollerParams) {
    this.#params = params
    this.#schedule = params.schedule
    this.#call = oauthCall(params.context, 'oauth.token', fixedForm(params.form, refusals))
  }

  /** Polls until there is a token, a refusal, or the end of the code's life. */
  async run(cancellation: Cancellation, onEvent: CiEventListener): Promise<TokenSet> {
    const { clock } = this.#params.context
    for (;;) {
      const next = nextPoll(this.#schedule)
      if (next === undefined) throw this.#expired()
      const delayMs = Math.max(0, next.dueMs - this.#elapsed())
      onEvent({ type: 'device', kind: this.#kind, delayMs })
      await clock.sleep(delayMs, cancellation.signal)
      const tokens = await this.#poll(cancellation, onEvent)
      if (tokens !== undefined) return tokens
      if (next.final) throw this.#expired()
    }
  }

  async #poll(cancellation: Cancellation, onEvent: CiEventListener): Promise<TokenSet | undefined> {
    const started = instant(this.#params.context.clock)
    const running = this.#nextCall(onEvent)
    const loop = new RetryLoop(running, {})
    const leave = cancellation.onCancel(() => running.leave(cancellation.reason))
    let answer: HttpAnswer
    try {
      answer = await loop.answer()
    } catch (error) {
      this.#schedule = afterCall(this.#schedule, this.#elapsed(), 0)
      if (cancellation.cancelled) {
        // The request may have reached the server; the token in its answer is lost.
        this.#lost = true
        throw running.withCallId(error)
      }
      if (isCiError(error, 'invalid_response')) return this.#portal(running.withCallId(error))
      if (loop.failed?.retryable !== true) throw running.withCallId(error)
      this.#portals = 0
      return this.#retry(loop.failed.sent === 'unknown')
    } finally {
      leave()
    }
    this.#schedule = afterCall(this.#schedule, this.#elapsed(), running.serverWait(answer))
    return running.read(() => this.#judge(answer, started, running), answer)
  }

  /** One poll as a call: one attempt, within 30 s and the life of the code. */
  #nextCall(emit: CiEventListener): RunningCall {
    const { context } = this.#params
    const leftMs = Math.max(5000, this.#schedule.lifeMs - this.#elapsed())
    const attemptMs = Math.min(context.timeoutMs, 30_000, leftMs)
    const callContext: ClientContext = {
      ...context,
      emit,
      timeoutMs: Number.POSITIVE_INFINITY,
      timeouts: { ...context.timeouts, attemptMs },
      maxRetries: 0,
    }
    this.#last = new RunningCall(callContext, this.#call, {}, this.#last)
    return this.#last
  }

  #judge(answer: HttpAnswer, started: Instant, running: RunningCall): TokenSet | undefined {
    const { status } = answer
    const word = errorWord(answer)
    const isSuccess = status >= 200 && status < 300
    const read = (): Readonly<Record<string, unknown>> =>
      successBody(answer, this.#call, 'a token or an `error`')
    if (isSuccess && answer.body === undefined) return this.#portal(errorOf(read))

    this.#portals = 0
    // A server that answers 429 has not looked at the request.
    const maybeArrived = status !== 429
    if (word === 'authorization_pending') return this.#pending()
    if (word === 'slow_down') return this.#slowDown(read()['interval'])
    if (word === 'server_error' || word === 'temporarily_unavailable')
      return this.#retry(maybeArrived)
    if (word !== undefined) throw this.#refused(running.refusal(answer))
    if (isTransient(status) || status >= 500) return this.#retry(maybeArrived)
    if (!isSuccess) throw running.refusal(answer)

    const body = read()
    // The code is used up, even if the token cannot be used.
    this.#lost = true
    return new TokenSet(readLoginToken('device token', body, this.#params.scope), started.wall)
  }

  /**
   * A success that is not JSON is most likely a login page of the network (a captive portal). Three
   * in a row come from the server itself, and are an error.
   */
  #portal(error: unknown): undefined {
    if (++this.#portals < portalLimit) return this.#retry(true)
    this.#portals = 0
    throw error
  }

  #pending(): undefined {
    this.#schedule = afterPending(this.#schedule)
    // The login is still pending, so no lost answer contained the token.
    this.#lost = false
    this.#kind = 'polling'
  }

  #slowDown(interval: unknown): undefined {
    this.#schedule = afterSlowDown(this.#schedule, interval)
    this.#kind = 'slow_down'
  }

  #retry(maybeArrived: boolean): undefined {
    const { context, arrived } = this.#params
    this.#schedule = afterLoss(this.#schedule)
    if (maybeArrived) this.#lost = true
    this.#kind = 'retrying'
    // The machine may have slept, and the code expired, while it is offline.
    if (context.clock.now() - arrived.wall >= this.#schedule.lifeMs) throw this.#expired()
  }

  #refused(refusal: ApiError | OAuthError): Error {
    if (!isCiError(refusal, 'oauth_error')) return refusal
    const maybeApproved = refusal.error === 'invalid_grant' && this.#lost
    const advice = maybeApproved ? startAgain : refusal.advice
    const { headers } = refusal
    return new DeviceAuthorizationError(refusal.summary, {
      ...refusal,
      headers,
      advice,
      local: false,
      maybeApproved,
    })
  }

  #expired(): DeviceAuthorizationError {
    const seconds = Math.round(this.#schedule.lifeMs / 1000)
    return new DeviceAuthorizationError(`The code expired after ${seconds} s without an approval`, {
      error: 'expired_token',
      status: 0,
      operationId: 'oauth.token',
      sent: this.#lost ? 'unknown' : 'yes',
      advice: this.#lost ? startAgain : 'Start a new login',
      local: true,
      maybeApproved: this.#lost,
    })
  }

  #elapsed(): number {
    return this.#params.context.clock.monotonic() - this.#params.arrived.monotonic
  }
}

/** The error that `read` throws. */
function errorOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

const refusals: Readonly<Record<string, string>> = {
  access_denied: 'The user said no',
  expired_token: 'Start a new login',
  invalid_grant: 'The code is unknown or already used; start a new login',
  invalid_client: clientAdvice,
}
