import { startTimer } from '../clock.js'
import { type ApiError, ConfigError, type ConnectionError, RateLimitError, type TimeoutError } from '../errors.js'
import { type CiEventListener, joinListeners } from '../events.js'
import { type AccessToken, isBearerToken } from '../oauth/token-provider.js'
import { apiError, requestIdOf } from './api-error.js'
import { type Attempt, attemptWith } from './attempt.js'
import { AttemptFailure, toError } from './attempt-failure.js'
import { type Answer, looseJson } from './body.js'
import type { Call } from './call.js'
import { Cancellation, race } from './cancellation.js'
import type { CallOptions, ClientContext } from './context.js'
import { timeLimit } from './limits.js'
import { type ClosedWindow, type RateLimitAnswer, serverWait } from './rate-limit.js'
import { AnswerInfo, type ResponseInfo } from './response-info.js'
import { backoff, isAmbiguous, isTransient } from './retry.js'
import type { TransportRequest } from './transport.js'

/** One call on its way: gate, token, attempt, and again where that is safe and of use. */
export class Run {
  /** An attempt of this call may have been carried out although no success came back. */
  maybeSent = false
  readonly #context: ClientContext
  readonly #call: Call
  readonly #withSignal: boolean
  readonly #timeoutMs: number
  readonly #started: number
  readonly #emit: CiEventListener | undefined
  readonly #secrets: string[] = []
  #token: AccessToken | undefined
  #attempts = 0
  #retries = 0
  /** What is going on now: a wait, a token, an attempt. */
  #phase: Cancellation | undefined
  #left: { readonly reason: unknown } | undefined

  constructor(context: ClientContext, call: Call, options: CallOptions) {
    this.#context = context
    this.#call = call
    this.#withSignal = options.signal !== undefined
    this.#timeoutMs = timeLimit('timeoutMs', options.timeoutMs, context.timeoutMs)
    this.#started = context.clock.monotonic()
    this.#emit = options.onEvent === undefined ? context.emit : joinListeners(context.emit, options.onEvent)
  }

  /** The caller has left. */
  leave(reason: unknown): void {
    this.#left = { reason }
    this.#phase?.cancel(reason)
  }

  remaining(): number {
    return this.#timeoutMs - (this.#context.clock.monotonic() - this.#started)
  }

  info(answer: Answer): ResponseInfo {
    return new AnswerInfo(answer, this.#attempts, this.#context.clock.monotonic() - this.#started)
  }

  /** The last answer, when another attempt is not allowed, not of use, or not needed. */
  async answer(): Promise<Answer> {
    let renewed = false
    for (;;) {
      const closed = this.#context.gate.closed(this.#call.organization)
      if (closed !== undefined) {
        await this.#waitAtGate(closed)
        continue
      }
      const token = this.#token ?? this.#context.fixedToken ?? (await this.#getToken())
      this.#token = undefined
      let answer: Answer
      try {
        answer = await this.#attempt(token)
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error
        await this.#waitAfterFailure(error)
        continue
      }
      this.#context.gate.observe(withLimits(answer), this.#call.organization)
      if (answer.status === 401 && !renewed && token !== undefined) {
        // A 401 was not processed, so even an unsafe operation goes again, once, with another token.
        this.#context.provider?.invalidate(token)
        this.#token = await this.#getToken()
        if (this.#token?.value === token.value) return answer
        renewed = true
      } else if (answer.status < 400 || !(await this.#waitAfterAnswer(answer))) {
        return answer
      }
    }
  }

  refusal(answer: Answer): ApiError {
    const maybeDone = this.maybeSent || isAmbiguous(answer.status) || answer.status === 303
    return apiError(answer, {
      ...this.#call,
      sent: maybeDone ? 'unknown' : 'yes',
      versionedBase: /\/v\d+$/.test(this.#context.api.prefix),
      attempts: this.#attempts,
      retryAfterMs: serverWait(withLimits(answer), this.#context.clock.now()),
      secrets: this.#secrets,
      // 303 points at the result of work that is done (RFC 9110 §15.4.4).
      advice: isAmbiguous(answer.status) || answer.status === 303 ? this.#call.advice : undefined,
    })
  }

  /** Waits until the server's own window is open, or says at once that it opens too late. */
  async #waitAtGate(closed: ClosedWindow): Promise<void> {
    const delayMs = closed.waitMs + this.#context.random() * 1_000
    if (closed.waitMs > this.#context.maxRetryAfterMs || delayMs >= this.remaining()) throw this.#gateError(closed)
    this.#emit?.({ type: 'rate_limit', window: closed.window, delayMs })
    await this.#sleep(delayMs)
  }

  async #getToken(): Promise<AccessToken | undefined> {
    const { provider } = this.#context
    if (provider === undefined) return undefined
    const phase = this.#begin()
    const stop = startTimer(this.remaining(), () => phase.cancel(this.#failure(new AttemptFailure(undefined, 'total'))))
    try {
      // An AbortSignal costs more than a cached token: only who can abort pays for it.
      const asked = provider.getToken(this.#withSignal ? { signal: phase.signal } : undefined)
      const token = await race(Promise.resolve(asked), phase)
      if (!isBearerToken(token?.value)) {
        throw new ConfigError('auth', 'auth gave no usable token: 1 to 8192 of A-Z a-z 0-9 . _ ~ + / -, then any =')
      }
      return token
    } finally {
      stop()
    }
  }

  #attempt(token: AccessToken | undefined): Promise<Answer> {
    const { timeouts, transport, middleware, maxBodyBytes } = this.#context
    const phase = this.#begin()
    if (this.#context.lifetime.closed) {
      const again = this.maybeSent ? ' again; an earlier attempt may have arrived' : ''
      const sent = this.maybeSent ? 'unknown' : 'no'
      throw new ConfigError('client', `This client was closed before ${this.#call.asked} could be sent${again}`, {
        sent,
      })
    }
    const left = this.remaining()
    if (left <= 0) throw this.#failure(new AttemptFailure(undefined, 'total'))
    const total = left <= timeouts.attemptMs
    const number = ++this.#attempts
    if (token !== undefined && !this.#secrets.includes(token.value)) this.#secrets.push(token.value)
    const given: Attempt = {
      asked: this.#call.asked,
      operationId: this.#call.operationId,
      request: this.#request(),
      origin: this.#call.origin,
      authorization: token === undefined ? undefined : `Bearer ${token.value}`,
      transport,
      middleware,
      limitMs: total ? left : timeouts.attemptMs,
      limitKind: total ? 'total' : 'attempt',
      bodyBytes: maxBodyBytes,
      everyStatus: this.#call.everyStatus,
      advice: this.#call.advice,
    }
    return this.#emit === undefined ? attemptWith(given, phase) : this.#observed(given, phase, number)
  }

  /** The attempt between its two events. */
  async #observed(given: Attempt, phase: Cancellation, number: number): Promise<Answer> {
    const { clock } = this.#context
    const about = { ...this.#about(), attempt: number }
    const started = clock.monotonic()
    this.#emit?.({ type: 'request', ...about })
    try {
      const answer = await attemptWith(given, phase)
      const durationMs = clock.monotonic() - started
      const requestId = requestIdOf(answer, this.#secrets)
      this.#emit?.({ type: 'response', ...about, status: answer.status, durationMs, requestId })
      return answer
    } catch (error) {
      this.#emit?.({ type: 'response', ...about, durationMs: clock.monotonic() - started })
      throw error
    }
  }

  #begin(): Cancellation {
    if (this.#left !== undefined) throw this.#left.reason
    this.#phase = new Cancellation()
    return this.#phase
  }

  #request(): TransportRequest {
    const { accept, contentType, headers, method, url, body, retrySafe } = this.#call
    const { timeouts, userAgent } = this.#context
    const own: Record<string, string> = { accept, 'accept-encoding': 'gzip', 'user-agent': userAgent }
    return {
      method,
      url,
      headers: body === undefined && headers === undefined ? own : { ...own, ...contentType, ...headers },
      body,
      freshConnection: !retrySafe,
      headersTimeoutMs: timeouts.headersMs,
      bodyIdleTimeoutMs: timeouts.bodyIdleMs,
    }
  }

  /** Returns when another attempt is due; throws the typed error when none is. */
  async #waitAfterFailure(failure: AttemptFailure): Promise<void> {
    if (failure.sent === 'unknown') this.maybeSent = true
    const { random, maxRetries } = this.#context
    const allowed = failure.retryable && (failure.sent === 'no' || this.#call.retrySafe)
    const delayMs = backoff(this.#retries, random)
    if (!allowed || this.#retries >= maxRetries || delayMs >= this.remaining()) throw this.#failure(failure)
    await this.#retryAfter(delayMs, failure.code)
  }

  /** Whether another attempt is due; waits for it when it is. */
  async #waitAfterAnswer(answer: Answer): Promise<boolean> {
    const { clock, random, maxRetries, maxRetryAfterMs } = this.#context
    const { status } = answer
    if (isAmbiguous(status)) this.maybeSent = true
    const { retrySafe, everyStatus } = this.#call
    const allowed = isTransient(status) && (retrySafe || (status === 429 && !everyStatus))
    if (!allowed || this.#retries >= maxRetries) return false
    const waitMs = serverWait(withLimits(answer), clock.now())
    const delayMs = waitMs > 0 ? waitMs + random() * 1_000 : backoff(this.#retries, random)
    if (waitMs > maxRetryAfterMs || delayMs >= this.remaining()) return false
    await this.#retryAfter(delayMs, this.#emit === undefined ? '' : this.refusal(answer).code)
    return true
  }

  async #retryAfter(delayMs: number, code: string): Promise<void> {
    this.#emit?.({ type: 'retry', ...this.#about(), attempt: this.#attempts, code, delayMs })
    this.#retries++
    await this.#sleep(delayMs)
  }

  async #sleep(ms: number): Promise<void> {
    const phase = this.#begin()
    await race(this.#context.clock.sleep(ms, phase.signal), phase)
  }

  #failure(failure: AttemptFailure): ConnectionError | TimeoutError {
    const { timeouts } = this.#context
    const limits = { total: this.#timeoutMs, attempt: timeouts.attemptMs, connect: timeouts.connectMs }
    return toError(failure, {
      asked: this.#call.asked,
      operationId: this.#call.operationId,
      attempts: this.#attempts,
      sent: this.maybeSent ? 'unknown' : 'no',
      advice: this.#call.advice,
      timeoutMs: (kind) => ({ ...limits, headers: timeouts.headersMs, body: timeouts.bodyIdleMs })[kind],
      secrets: this.#secrets,
    })
  }

  #gateError(closed: ClosedWindow): RateLimitError {
    const seconds = Math.ceil(closed.waitMs / 1_000)
    const whose = closed.window === 'user' ? 'your user' : `organization ${this.#call.organization}`
    return new RateLimitError(
      `${this.#call.asked} was not sent${this.maybeSent ? ' again' : ''}: the request limit of ${whose} is used up; the server wants ${seconds} s of rest`,
      {
        ...this.#about(),
        status: 429,
        attempts: this.#attempts,
        scope: closed.window === 'user' ? 'rest_user' : 'rest',
        retryAfterMs: closed.waitMs,
        sent: this.maybeSent ? 'unknown' : 'no',
      },
    )
  }

  #about(): { operationId: string; method: string; path: string } {
    const { operationId, method, path } = this.#call
    return { operationId, method, path }
  }
}

/** Only a refusal for too many requests says in its body how long to wait. */
function withLimits(answer: Answer): RateLimitAnswer {
  if (answer.status !== 429) return answer
  const text = answer.text ?? (answer.bytes === undefined ? undefined : new TextDecoder().decode(answer.bytes))
  return { status: answer.status, header: (name) => answer.header(name), body: looseJson(text) }
}
