import { DeviceAuthorizationError, InvalidResponseError } from '../errors.js'
import type { CiEventListener, DeviceEvent } from '../events.js'
import { AttemptFailure } from '../http/attempt-failure.js'
import type { Cancellation } from '../http/cancellation.js'
import { isTransient } from '../http/retry.js'
import { type Instant, instant } from './instant.js'
import { clientHint, errorWord, oauthFields, type RefusalContext, wordlessRefusal } from './oauth-refusal.js'
import type { OAuthAnswer, OAuthEndpoint } from './oauth-request.js'
import { afterCall, afterLoss, afterPending, afterSlowDown, nextPoll, type PollSchedule } from './poll-schedule.js'
import { readLoginToken } from './token-response.js'
import { TokenSet } from './token-set.js'

/** What one poller needs; `arrived` is when the device authorization response came. */
export interface DevicePollerParams {
  readonly endpoint: OAuthEndpoint
  readonly form: Readonly<Record<string, string>>
  readonly scope: string
  readonly secrets: readonly string[]
  readonly schedule: PollSchedule
  readonly arrived: Instant
}

const portalLimit = 3
const startAgain =
  'The user may have approved and the answer was lost; start a new login, and revoke the unused authorization on the account page'

/** Polls one device authorization (RFC 8628 §3.4); interval, backoff and last call stay in it between runs. */
export class DevicePoller {
  readonly #params: DevicePollerParams
  #schedule: PollSchedule
  /** An answer was lost that may have carried the token. */
  #lost = false
  #portals = 0
  #attempts = 0
  #kind: DeviceEvent['kind'] = 'polling'

  constructor(params: DevicePollerParams) {
    this.#params = params
    this.#schedule = params.schedule
  }

  /** Polls until there is a token, a refusal, or the end of the code's life. */
  async run(cancellation: Cancellation, onEvent: CiEventListener): Promise<TokenSet> {
    const { clock } = this.#params.endpoint
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
    const { endpoint, form, secrets } = this.#params
    const left = Math.max(5000, this.#schedule.lifeMs - this.#elapsed())
    const limitMs = Math.min(endpoint.timeoutMs, 30_000, left)
    const started = instant(endpoint.clock)
    const attempt = ++this.#attempts
    let answer: OAuthAnswer
    try {
      answer = await endpoint.post({ form, secrets, attempt, limitMs, limitKind: 'attempt', cancellation, onEvent })
    } catch (error) {
      this.#schedule = afterCall(this.#schedule, this.#elapsed(), 0)
      // Left in the middle of a call: it may have arrived, and its answer with the token is nobody's now.
      if (cancellation.cancelled) this.#lost = true
      if (!cancellation.cancelled && error instanceof InvalidResponseError) return this.#portal(error)
      if (!(error instanceof AttemptFailure)) throw error
      if (!error.retryable) throw endpoint.failure(error, { attempts: attempt, sent: error.sent, limitMs, secrets })
      this.#portals = 0
      return this.#retry(error.sent === 'unknown')
    }
    this.#schedule = afterCall(this.#schedule, this.#elapsed(), answer.waitMs)
    return this.#judge(answer, started)
  }

  #judge(answer: OAuthAnswer, started: Instant): TokenSet | undefined {
    const { status, body } = answer
    const word = errorWord(answer)
    const success = status >= 200 && status < 300
    const refusal = (): Error => wordlessRefusal(answer, 'a token or an `error`', this.#context())
    if (success && body.kind === 'text') return this.#portal(refusal())
    this.#portals = 0
    const maybeArrived = status !== 429 // which refuses before anything is looked at
    if (word === 'authorization_pending') return this.#pending()
    if (word === 'slow_down') return this.#slowDown(body.kind === 'object' ? body.value['interval'] : undefined)
    if (word === 'server_error' || word === 'temporarily_unavailable') return this.#retry(maybeArrived)
    if (word !== undefined) throw this.#refused(answer, word)
    if (isTransient(status) || status >= 500) return this.#retry(maybeArrived)
    if (!success || body.kind !== 'object') throw refusal()
    this.#lost = true // should the token be unusable, the code is spent all the same
    return new TokenSet(readLoginToken('device token', body.value, this.#params.scope), started.wall)
  }

  /** A success that is no JSON is most likely a login page of the network; three in a row are the server's own. */
  #portal(error: Error): undefined {
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
    const { endpoint, arrived } = this.#params
    this.#schedule = afterLoss(this.#schedule)
    if (maybeArrived) this.#lost = true
    this.#kind = 'retrying'
    // Woken up past the end, without a network: nobody else will say so.
    if (endpoint.clock.now() - arrived.wall >= this.#schedule.lifeMs) throw this.#expired()
  }

  #refused(answer: OAuthAnswer, word: string): DeviceAuthorizationError {
    const maybeApproved = word === 'invalid_grant' && this.#lost
    const advice = maybeApproved ? startAgain : refusals[word]
    const { summary, fields } = oauthFields(answer, word, this.#context(), advice)
    return new DeviceAuthorizationError(summary, { ...fields, local: false, maybeApproved })
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
    return this.#params.endpoint.clock.monotonic() - this.#params.arrived.monotonic
  }

  #context(): RefusalContext {
    const { endpoint, secrets } = this.#params
    return { endpoint, attempts: this.#attempts, secrets }
  }
}

const refusals: Readonly<Record<string, string>> = {
  access_denied: 'The user said no',
  expired_token: 'Start a new login',
  invalid_grant: 'The code is unknown or already used; start a new login',
  invalid_client: clientHint,
}
