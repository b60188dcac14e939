import { startTimer } from '../clock.js'
import { type ApiError, ConfigError, type ConnectionError, RateLimitError, type TimeoutError } from '../errors.js'
import { type CiEventListener, joinListeners } from '../events.js'
import { type AccessToken, isBearerToken } from '../oauth/token-provider.js'
import { apiError, requestIdOf } from './api-error.js'
import { attempt } from './attempt.js'
import { AttemptFailure, toError } from './attempt-failure.js'
import { type Answer, looseJson } from './body.js'
import type { Call, Read } from './call.js'
import { type Cancellation, race } from './cancellation.js'
import type { CallOptions, ClientContext } from './context.js'
import { timeLimit } from './limits.js'
import { type RateLimitAnswer, type RateLimitWindow, serverWait } from './rate-limit.js'
import { AnswerInfo, type ResponseInfo } from './response-info.js'
import { backoff, isAmbiguous, isTransient } from './retry.js'
import type { TransportRequest } from './transport.js'

/** What a call gives: its data, and what is known about the answer. */
export interface Sent<T> {
  readonly data: T
  readonly response: ResponseInfo
}

/** Asked instead of throwing when a replay is refused with 422: the first, lost attempt may have done the work. */
export type Reconcile<T> = (options: CallOptions) => Promise<Sent<T> | undefined>

/**
 * The one request pipeline: gate, token, attempt, and again where that is safe and of use, within the call's time.
 * `read` turns a success into data; every other answer becomes a typed error.
 */
export async function send<T>(
  context: ClientContext,
  call: Call,
  options: CallOptions,
  read: Read<T>,
  reconcile?: Reconcile<T>,
): Promise<Sent<T>> {
  if (context.lifetime.closed) throw new ConfigError('client', 'This client is closed: make a new one')
  const timeoutMs = timeLimit('timeoutMs', options.timeoutMs, context.timeoutMs)
  const { cancellation, leave } = context.hub.follow(options.signal)
  const run = new Run(context, call, cancellation, timeoutMs, options)
  try {
    const answer = await run.answer()
    if (call.everyStatus || (answer.status >= 200 && answer.status < 300)) {
      return { data: read(answer, run.asked), response: run.info(answer) }
    }
    if (answer.status === 422 && run.maybeSent && reconcile !== undefined) {
      const done = await reconcile({ ...options, timeoutMs: Math.max(1, run.remaining()) })
      if (done !== undefined) return done
    }
    throw run.refusal(answer)
  } finally {
    leave()
  }
}

/** The state of one call. */
class Run {
  readonly asked: string
  /** An attempt of this call may have been carried out although no success came back. */
  maybeSent = false
  readonly #context: ClientContext
  readonly #call: Call
  readonly #cancellation: Cancellation
  readonly #signalled: boolean
  readonly #timeoutMs: number
  readonly #started: number
  readonly #emit: CiEventListener | undefined
  readonly #secrets: string[] = []
  #token: AccessToken | undefined
  #attempts = 0
  #retries = 0

  constructor(context: ClientContext, call: Call, cancellation: Cancellation, timeoutMs: number, options: CallOptions) {
    this.asked = `${call.method} ${call.path}`
    this.#context = context
    this.#call = call
    this.#cancellation = cancellation
    this.#signalled = options.signal !== undefined
    this.#timeoutMs = timeoutMs
    this.#started = context.clock.monotonic()
    this.#emit = options.onEvent === undefined ? context.emit : joinListeners(context.emit, options.onEvent)
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
      await this.#passGate()
      if (this.#token === undefined) this.#token = await this.#getToken()
      const token = this.#token
      this.#token = undefined
      let answer: Answer
      try {
        answer = await this.#attempt(token)
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error
        await this.#waitAfterFailure(error)
        continue
      }
      if (answer.status === 401 && !renewed && token !== undefined) {
        // A 401 was not processed, so even an unsafe operation goes again, once, with another token.
        this.#context.provider?.invalidate(token)
        this.#token = await this.#getToken()
        if (this.#token?.value === token.value) return answer
        renewed = true
      } else if (!(await this.#waitAfterAnswer(answer))) {
        return answer
      }
    }
  }

  refusal(answer: Answer): ApiError {
    const { operationId, method, path, scope, extension } = this.#call
    return apiError(answer, {
      operationId,
      method,
      path,
      scope,
      extension,
      attempts: this.#attempts,
      retryAfterMs: serverWait(withLimits(answer), this.#context.clock.now()),
      secrets: this.#secrets,
      advice: isAmbiguous(answer.status) ? this.#call.advice : undefined,
    })
  }

  /** Waits until the server's own windows are open, or says at once that they open too late. */
  async #passGate(): Promise<void> {
    const { gate, random, maxRetryAfterMs } = this.#context
    for (;;) {
      const closed = gate.closed(this.#call.organization)
      if (closed === undefined) return
      const delayMs = closed.waitMs + random() * 1_000
      if (closed.waitMs > maxRetryAfterMs || delayMs >= this.remaining()) throw this.#gateError(closed)
      this.#emit?.({ type: 'rate_limit', window: closed.window, delayMs })
      await this.#sleep(delayMs)
    }
  }

  async #getToken(): Promise<AccessToken | undefined> {
    const { provider } = this.#context
    if (provider === undefined) return undefined
    const { child, leave } = this.#cancellation.child()
    const stop = startTimer(this.remaining(), () => child.cancel(this.#failure(new AttemptFailure(undefined, 'total'))))
    try {
      const token = await race(provider.getToken(this.#signalled ? { signal: child.signal } : undefined), child)
      if (!isBearerToken(token?.value)) {
        throw new ConfigError('auth', 'auth gave no usable token: 1 to 8192 of A-Z a-z 0-9 . _ ~ + / -, then any =')
      }
      if (!this.#secrets.includes(token.value)) this.#secrets.push(token.value)
      return token
    } finally {
      stop()
      leave()
    }
  }

  async #attempt(token: AccessToken | undefined): Promise<Answer> {
    const { timeouts, clock, gate } = this.#context
    const left = this.remaining()
    if (left <= 0) throw this.#failure(new AttemptFailure(undefined, 'total'))
    const total = left <= timeouts.attemptMs
    const event = { ...this.#eventBase(), attempt: ++this.#attempts }
    this.#emit?.({ type: 'request', ...event })
    const started = clock.monotonic()
    try {
      const answer = await attempt(
        {
          asked: this.asked,
          request: this.#request(),
          origin: this.#call.origin,
          authorization: token === undefined ? undefined : `Bearer ${token.value}`,
          transport: this.#context.transport,
          middleware: this.#context.middleware,
          limitMs: total ? left : timeouts.attemptMs,
          limitKind: total ? 'total' : 'attempt',
          bodyBytes: this.#context.maxBodyBytes,
          everyStatus: this.#call.everyStatus,
        },
        this.#cancellation,
      )
      gate.observe(withLimits(answer), this.#call.organization)
      const durationMs = clock.monotonic() - started
      this.#emit?.({ type: 'response', ...event, status: answer.status, durationMs, requestId: requestIdOf(answer) })
      return answer
    } catch (error) {
      this.#emit?.({ type: 'response', ...event, durationMs: clock.monotonic() - started })
      throw error
    }
  }

  #request(): TransportRequest {
    const { accept, contentType, headers, method, url, body, retrySafe } = this.#call
    const { timeouts, userAgent } = this.#context
    return {
      method,
      url,
      headers: {
        accept,
        'accept-encoding': 'gzip',
        'user-agent': userAgent,
        ...(contentType === undefined ? undefined : { 'content-type': contentType }),
        ...headers,
      },
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
    this.#emit?.({ type: 'retry', ...this.#eventBase(), attempt: this.#attempts, code, delayMs })
    this.#retries++
    await this.#sleep(delayMs)
  }

  async #sleep(ms: number): Promise<void> {
    await race(this.#context.clock.sleep(ms, this.#cancellation.signal), this.#cancellation)
  }

  #failure(failure: AttemptFailure): ConnectionError | TimeoutError {
    const { timeouts } = this.#context
    const limits = { total: this.#timeoutMs, attempt: timeouts.attemptMs, connect: timeouts.connectMs }
    return toError(failure, {
      asked: this.asked,
      attempts: this.#attempts,
      sent: this.maybeSent ? 'unknown' : 'no',
      advice: this.#call.advice,
      timeoutMs: (kind) => ({ ...limits, headers: timeouts.headersMs, body: timeouts.bodyIdleMs })[kind],
      secrets: this.#secrets,
    })
  }

  #gateError(closed: { window: RateLimitWindow; waitMs: number }): RateLimitError {
    const seconds = Math.ceil(closed.waitMs / 1_000)
    const whose = closed.window === 'user' ? 'your user' : `organization ${this.#call.organization}`
    return new RateLimitError(
      `${this.asked} was not sent: the request limit of ${whose} is used up; the server wants ${seconds} s of rest`,
      {
        ...this.#eventBase(),
        status: 429,
        attempts: this.#attempts,
        scope: closed.window === 'user' ? 'rest_user' : 'rest',
        retryAfterMs: closed.waitMs,
        sent: false,
      },
    )
  }

  #eventBase(): { operationId: string; method: string; path: string } {
    const { operationId, method, path } = this.#call
    return { operationId, method, path }
  }
}

/** Only a refusal for too many requests says in its body how long to wait. */
function withLimits(answer: Answer): RateLimitAnswer {
  if (answer.status !== 429) return answer
  const text = answer.text ?? (answer.bytes === undefined ? undefined : new TextDecoder().decode(answer.bytes))
  return { status: answer.status, header: answer.header, body: looseJson(text) }
}
