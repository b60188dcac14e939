import { backoff } from '../base/backoff.js'
import { type Instant, instant } from '../base/clock.js'
import type { CiEventListener, DeviceEvent } from '../base/events.js'
import {
  type ApiError,
  DeviceAuthorizationError,
  InvalidResponseError,
  OAuthError,
} from '../errors/errors.js'
import type { Answer } from '../http/body.js'
import type { Call } from '../http/call.js'
import type { ClientContext } from '../http/context.js'
import { isTransient } from '../http/retry.js'
import { Run } from '../http/run.js'
import type { Cancellation } from '../transport/cancellation.js'
import { clientAdvice, errorWord, successBody } from './oauth-answer.js'
import { fixedForm, oauthCall } from './oauth-call.js'
import { positiveNumber, readLoginToken, TokenSet } from './token-set.js'

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
 * Polls one device authorization (RFC 8628 §3.4); interval, backoff and last call stay in it
 * between runs.
 */
export class DevicePoller {
  readonly #params: DevicePollerParams
  #schedule: PollSchedule
  /** An answer was lost that may have carried the token. */
  #lost = false
  #portals = 0
  #last: Run | undefined
  #kind: DeviceEvent['kind'] = 'polling'
  readonly #call: Call

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
    const { clock, timeoutMs, timeouts } = this.#params.context
    const left = Math.max(5000, this.#schedule.lifeMs - this.#elapsed())
    const attemptMs = Math.min(timeoutMs, 30_000, left)
    const limits = {
      timeoutMs: Number.POSITIVE_INFINITY,
      timeouts: { ...timeouts, attemptMs },
      maxRetries: 0,
    }
    const started = instant(clock)
    const run = new Run(
      { ...this.#params.context, ...limits, emit: onEvent },
      this.#call,
      {},
      this.#last,
    )
    this.#last = run
    const leave = cancellation.onCancel(() => run.leave(cancellation.reason))
    let answer: Answer
    try {
      answer = await run.answer()
    } catch (error) {
      this.#schedule = afterCall(this.#schedule, this.#elapsed(), 0)
      // Left in the middle of a call: it may have arrived, and its answer with the token is
      // nobody's now.
      if (cancellation.cancelled) this.#lost = true
      if (!cancellation.cancelled && error instanceof InvalidResponseError)
        return this.#portal(run.told(error))
      if (cancellation.cancelled || run.failed?.retryable !== true) throw run.told(error)
      this.#portals = 0
      return this.#retry(run.failed.sent === 'unknown')
    } finally {
      leave()
    }
    this.#schedule = afterCall(this.#schedule, this.#elapsed(), run.serverWait(answer))
    return run.read(() => this.#judge(answer, started, run), answer)
  }

  #judge(answer: Answer, started: Instant, run: Run): TokenSet | undefined {
    const { status } = answer
    const word = errorWord(answer)
    const success = status >= 200 && status < 300
    const read = (): Readonly<Record<string, unknown>> =>
      successBody(answer, this.#call, 'a token or an `error`')
    if (success && answer.body === undefined) return this.#portal(caught(read))
    this.#portals = 0
    const maybeArrived = status !== 429 // which refuses before anything is looked at
    if (word === 'authorization_pending') return this.#pending()
    if (word === 'slow_down') return this.#slowDown(read()['interval'])
    if (word === 'server_error' || word === 'temporarily_unavailable')
      return this.#retry(maybeArrived)
    if (word !== undefined) throw this.#refused(run.refusal(answer))
    if (isTransient(status) || status >= 500) return this.#retry(maybeArrived)
    if (!success) throw run.refusal(answer)
    const body = read()
    this.#lost = true // should the token be unusable, the code is spent all the same
    return new TokenSet(readLoginToken('device token', body, this.#params.scope), started.wall)
  }

  /**
   * A success that is no JSON is most likely a login page of the network; three in a row are the
   * server's own.
   */
  #portal(error: unknown): undefined {
    if (++this.#portals < portalLimit) return this.#retry(true)
    this.#portals = 0
    throw error
  }

  #pending(): undefined {
    this.#schedule = afterPending(this.#schedule)
    this.#lost = false // still pending, so no lost answer can have held the token
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
    // Woken up past the end, without a network: nobody else will say so.
    if (context.clock.now() - arrived.wall >= this.#schedule.lifeMs) throw this.#expired()
  }

  #refused(refusal: ApiError | OAuthError): Error {
    if (!(refusal instanceof OAuthError)) return refusal
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

function caught(read: () => unknown): unknown {
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

/**
 * When a device authorization is polled; all times are milliseconds on the monotonic clock since
 * its response arrived.
 */
export interface PollSchedule {
  readonly lifeMs: number
  /** How long before the end the last call is made. */
  readonly guardMs: number
  /** The longest interval that still leaves room for a call. */
  readonly longestMs: number
  /** The server's interval: grows with `slow_down`, never shrinks. */
  readonly intervalMs: number
  /**
   * Added to the interval, for clocks that run at another rate and servers that count whole
   * seconds.
   */
  readonly margin: number
  readonly lastMs: number
  /** Our own wait after a lost connection; the interval knows nothing of it. */
  readonly backoffMs: number
  /** The server's wait, for the next call only. */
  readonly serverWaitMs: number
}

/** The next call: when it is due, and whether it is the last. */
interface NextPoll {
  readonly dueMs: number
  readonly final: boolean
}

const longestBackoffMs = 30_000
const slowDownMs = 5_000

/** The schedule of a fresh authorization; `interval` is whatever the wire said (default 5 s). */
export function startSchedule(lifeMs: number, interval: unknown): PollSchedule {
  const longestMs = 0.8 * lifeMs
  const asked = (positiveNumber(interval) ?? 5) * 1000
  return {
    lifeMs,
    guardMs: Math.min(2000, 0.1 * lifeMs),
    longestMs,
    intervalMs: Math.min(Math.max(asked, 1000), longestMs),
    margin: 0.05,
    lastMs: 0,
    backoffMs: 0,
    serverWaitMs: 0,
  }
}

/** The next call, or undefined when nothing is left of the life by then. */
function nextPoll(schedule: PollSchedule): NextPoll | undefined {
  const { lifeMs, guardMs, intervalMs, margin, lastMs, backoffMs, serverWaitMs } = schedule
  const floor = intervalMs * (1 + margin)
  const left = lifeMs - lastMs
  const wait = Math.max(floor, serverWaitMs, backoffMs)
  const final = left - wait < floor + guardMs
  const chosen = final ? Math.max(floor, serverWaitMs, left - guardMs) : wait
  return chosen >= left ? undefined : { dueMs: lastMs + chosen, final }
}

/** The call is over, at `lastMs`; `serverWaitMs` is what its answer asked for. */
function afterCall(schedule: PollSchedule, lastMs: number, serverWaitMs: number): PollSchedule {
  return { ...schedule, lastMs, serverWaitMs }
}

/** `authorization_pending`: the connection works, so the interval alone counts again. */
function afterPending(schedule: PollSchedule): PollSchedule {
  return { ...schedule, backoffMs: 0 }
}

/**
 * `slow_down`: five seconds more for good (RFC 8628 §3.5), or the interval the server names when
 * that is longer.
 */
function afterSlowDown(schedule: PollSchedule, interval: unknown): PollSchedule {
  const { intervalMs, longestMs } = schedule
  const named = Math.min((positiveNumber(interval) ?? 0) * 1000, longestMs)
  return {
    ...schedule,
    backoffMs: 0,
    margin: 0.2,
    intervalMs: Math.max(intervalMs + slowDownMs, named),
  }
}

/** No usable answer: doubles our own wait, up to half a minute or the interval. */
function afterLoss(schedule: PollSchedule): PollSchedule {
  const { intervalMs, backoffMs } = schedule
  const rule = {
    firstMs: Math.max(intervalMs, backoffMs),
    longestMs: Math.max(longestBackoffMs, intervalMs),
  }
  return { ...schedule, backoffMs: backoff(rule, 1) }
}
