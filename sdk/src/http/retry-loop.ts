import { backoff } from '../base/backoff.js'
import { countLimit, retryAfterLimit } from '../transport/limits.js'
import { AttemptFailure } from './attempt-failure.js'
import type { HttpAnswer } from './body.js'
import type { CallOptions } from './client-options.js'
import type { ClosedWindow } from './rate-limit.js'
import { isAmbiguous, isTransient, retryRule } from './retry.js'
import type { RunningCall } from './running-call.js'
import type { AccessToken } from './token-provider.js'

/** When a call is sent again: only where that is safe and of use, and never earlier than allowed. */
export class RetryLoop {
  /** The last attempt without a whole answer. */
  failed: AttemptFailure | undefined
  readonly #running: RunningCall
  readonly #maxRetries: number
  readonly #maxRetryAfterMs: number
  #retries = 0

  constructor(running: RunningCall, options: CallOptions) {
    const { maxRetries, maxRetryAfterMs } = running.context
    this.#running = running
    this.#maxRetries = countLimit('maxRetries', options.maxRetries, maxRetries)
    this.#maxRetryAfterMs = retryAfterLimit(options.maxRetryAfterMs, maxRetryAfterMs)
  }

  /**
   * The last answer of the call, of any status: no other attempt is needed, allowed or of use. An
   * attempt passes the rate gate, gets its token, is sent, and its answer is judged, in this order.
   */
  async answer(): Promise<HttpAnswer> {
    const running = this.#running
    const { call, context } = running
    const { oauth, organization } = call
    let renewed: AccessToken | undefined
    let mayRenew = true

    for (;;) {
      const closed = oauth === undefined ? context.gate.closed(organization) : undefined
      if (closed !== undefined) {
        await this.#waitAtGate(closed)
        continue
      }
      const token = renewed ?? context.fixedToken ?? (await running.getToken())
      renewed = undefined
      if (oauth !== undefined) await running.fillForm(oauth)

      let answer: HttpAnswer
      try {
        answer = await running.attempt(token)
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error
        await this.#waitAfterFailure(error)
        continue
      }

      if (oauth === undefined) context.gate.observe(answer, organization)
      else if (oauth.again?.(answer)) continue

      if (answer.status === 401 && mayRenew && token !== undefined) {
        // A 401 was not processed, so even an unsafe operation is sent again, once, with another
        // token.
        mayRenew = false
        context.provider?.invalidate(token)
        renewed = await running.getToken()
        if (renewed?.value === token.value) return answer
        continue
      }
      if (running.isSuccess(answer) || !(await this.#waitAfterAnswer(answer))) return answer
    }
  }

  /** Waits until the request window opens. @throws RateLimitError when it opens too late */
  async #waitAtGate(closed: ClosedWindow): Promise<void> {
    const running = this.#running
    const { window, waitMs } = closed
    const delayMs = waitMs + running.context.random() * 1_000
    if (waitMs > this.#maxRetryAfterMs || delayMs >= running.remaining())
      throw running.gateError(closed)
    running.emit?.({ type: 'rate_limit', callId: running.callId, window, delayMs })
    await running.sleep(delayMs)
  }

  /** Returns when another attempt is due. @throws The typed error when none is */
  async #waitAfterFailure(failure: AttemptFailure): Promise<void> {
    const running = this.#running
    this.failed = failure
    if (failure.sent === 'unknown') running.maybeSent = true

    const isSafe = failure.sent === 'no' || running.call.retrySafe
    const mayRetry = failure.retryable && isSafe && this.#retries < this.#maxRetries
    const delayMs = backoff(retryRule, this.#retries, running.context.random)
    if (!mayRetry || delayMs >= running.remaining()) throw running.failure(failure)
    await this.#waitForRetry(delayMs, failure.code)
  }

  /** Whether another attempt is due after this answer; waits for it when it is. */
  async #waitAfterAnswer(answer: HttpAnswer): Promise<boolean> {
    const running = this.#running
    const { status } = answer
    if (isAmbiguous(status)) running.maybeSent = true

    const { retrySafe, everyStatus, oauth } = running.call
    const mayPass = oauth === undefined ? isTransient(status) : oauth.mayPass(answer)
    const isSafe = retrySafe || (status === 429 && !everyStatus)
    if (!mayPass || !isSafe || this.#retries >= this.#maxRetries) return false

    const { random } = running.context
    const waitMs = running.serverWait(answer)
    const delayMs =
      waitMs > 0 ? waitMs + random() * 1_000 : backoff(retryRule, this.#retries, random)
    if (waitMs > this.#maxRetryAfterMs || delayMs >= running.remaining()) return false
    await this.#waitForRetry(
      delayMs,
      running.emit === undefined ? '' : running.refusal(answer).code,
    )
    return true
  }

  async #waitForRetry(delayMs: number, code: string): Promise<void> {
    const running = this.#running
    running.emit?.({ type: 'retry', ...running.attemptFacts(), code, delayMs })
    this.#retries++
    await running.sleep(delayMs)
  }
}
