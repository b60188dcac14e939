import { backoff } from '../base/backoff.js'
import { startTimer } from '../base/clock.js'
import { type AttemptFacts, type CiEventListener, joinListeners } from '../base/events.js'
import {
  type ApiError,
  ConfigError,
  type ConnectionError,
  isCiError,
  type OAuthError,
  type Sent,
  type TimeoutError,
} from '../errors/errors.js'
import type { BodyStream } from '../transport/body-stream.js'
import { Cancellation, race } from '../transport/cancellation.js'
import { countLimit, retryAfterLimit, timeLimit } from '../transport/limits.js'
import { BodyEncodingError, type TransportRequest } from '../transport/transport.js'
import { apiError, gateError, requestIdOf } from './api-error.js'
import { AnswerInfo, type ResponseInfo } from './api-promise.js'
import { type Attempt, attemptWith, unreadable } from './attempt.js'
import { AttemptFailure, toError } from './attempt-failure.js'
import { type Answer, aboutAnswer } from './body.js'
import type { Call, OAuthRow, Read, Refused } from './call.js'
import type { CallOptions, ClientContext } from './context.js'
import { addedHeaders } from './headers.js'
import { type ClosedWindow, serverWait } from './rate-limit.js'
import { isAmbiguous, isRedirect, isTransient, retryRule } from './retry.js'
import { type AccessToken, isBearerToken } from './token-provider.js'

/** One call on its way: gate, token, attempt, and again where that is safe and of use. */
export class Run {
  /** An attempt of this call may have been carried out although no success came back. */
  maybeSent = false
  /** The last attempt that got no whole answer. */
  failed: AttemptFailure | undefined
  readonly callId: string
  readonly #context: ClientContext
  readonly #call: Call
  readonly #withSignal: boolean
  readonly #timeoutMs: number
  readonly #maxRetries: number
  readonly #maxRetryAfterMs: number
  readonly #headers: Readonly<Record<string, string>> | undefined
  readonly #started: number
  readonly #emit: CiEventListener | undefined
  readonly #secrets: string[] = []
  #token: AccessToken | undefined
  #body: string | undefined
  #attempts: number
  #retries = 0
  /** What is going on now: a wait, a token, an attempt. */
  #phase: Cancellation | undefined
  #left: { readonly reason: unknown } | undefined

  /** `before` is the run that asked for the same answer last. */
  constructor(context: ClientContext, call: Call, options: CallOptions, before?: Run) {
    this.callId = before?.callId ?? context.nextCallId()
    this.#context = context
    this.#call = call
    this.#body = call.body
    this.#attempts = before === undefined ? 0 : before.#attempts
    this.#withSignal = options.signal !== undefined
    this.#timeoutMs = timeLimit('timeoutMs', options.timeoutMs, context.timeoutMs)
    this.#maxRetries = countLimit('maxRetries', options.maxRetries, context.maxRetries)
    this.#maxRetryAfterMs = retryAfterLimit(options.maxRetryAfterMs, context.maxRetryAfterMs)
    this.#headers = addedHeaders(options.headers)
    this.#started = context.clock.monotonic()
    this.#emit =
      options.onEvent === undefined ? context.emit : joinListeners(context.emit, options.onEvent)
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
    return new AnswerInfo(answer, this.#attempts, this.#since(this.#started), this.#secrets)
  }

  /** The error with this call's id, unless it is of another call. */
  told<T>(error: T): T {
    return isCiError(error) && error.callId === undefined
      ? Object.assign(error, { callId: this.callId })
      : error
  }

  /** The last answer, when another attempt is not allowed, not of use, or not needed. */
  async answer(): Promise<Answer> {
    const { oauth } = this.#call
    let renewed = false
    for (;;) {
      const closed =
        oauth === undefined ? this.#context.gate.closed(this.#call.organization) : undefined
      if (closed !== undefined) {
        await this.#waitAtGate(closed)
        continue
      }
      const token = this.#token ?? this.#context.fixedToken ?? (await this.#getToken())
      this.#token = undefined
      if (oauth !== undefined) this.#body = await this.#form(oauth)
      let answer: Answer
      try {
        answer = await this.#attempt(token)
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error
        await this.#waitAfterFailure(error)
        continue
      }
      if (oauth === undefined) this.#context.gate.observe(answer, this.#call.organization)
      else if (oauth.again?.(answer)) continue
      if (answer.status === 401 && !renewed && token !== undefined) {
        // A 401 was not processed, so even an unsafe operation goes again, once, with another
        // token.
        this.#context.provider?.invalidate(token)
        this.#token = await this.#getToken()
        if (this.#token?.value === token.value) return answer
        renewed = true
      } else if (this.isSuccess(answer) || !(await this.#waitAfterAnswer(answer))) {
        return answer
      }
    }
  }

  isSuccess(answer: Answer): boolean {
    const { also, oauth, redirects } = this.#call
    const { status } = answer
    const good =
      (status >= 200 && status < 300) ||
      status === also ||
      (redirects === true && isRedirect(status))
    return good && oauth?.refuses(answer) !== true
  }

  /**
   * What `read` makes of a success; one that cannot be read is one all the same: the error says
   * which, and how to look for it.
   */
  read<T>(read: Read<T>, answer: Answer): T {
    try {
      return read(answer, this.#call)
    } catch (error) {
      answer.stream?.cancel()
      throw this.told(aboutAnswer(error, this.#call, this.info(answer)))
    }
  }

  /**
   * Hands an unread body to its reader: from here on silence and the caller's signal end it.
   * `ended` runs then.
   */
  handOver(answer: Answer, stream: BodyStream, ended: () => void): void {
    const { asked, bounded } = this.#call
    const toError = (error: unknown): unknown => {
      if (error instanceof BodyEncodingError)
        return this.told(unreadable(error, this.#call, answer, this.#secrets))
      this.maybeSent = true
      return this.#failure(new AttemptFailure(error))
    }
    const phase = this.#phase ?? new Cancellation()
    const limitMs = bounded === true ? this.remaining() : Number.POSITIVE_INFINITY
    const stop = startTimer(limitMs, () =>
      phase.cancel(this.#failure(new AttemptFailure(undefined, 'total'))),
    )
    const over = (): void => {
      stop()
      ended()
    }
    stream.guard({ phase, idleMs: this.#context.timeouts.bodyIdleMs, asked, toError, ended: over })
  }

  /** The wait that the server asks for in this answer, in milliseconds; 0 when it asks for none. */
  serverWait(answer: Answer): number {
    return serverWait(answer, this.#context.clock.now())
  }

  refusal(answer: Answer): ApiError | OAuthError {
    const { status } = answer
    const { oauth } = this.#call
    const maybeDone = this.maybeSent || isAmbiguous(status) || status === 303
    const refused = {
      ...this.#facts(maybeDone ? 'unknown' : 'yes'),
      retryAfterMs: this.serverWait(answer),
    }
    const { prefix } = this.#context.api
    return this.told(
      oauth?.refuses(answer) ? oauth.toError(answer, refused) : apiError(answer, refused, prefix),
    )
  }

  /** Waits until the server's own window is open, or says at once that it opens too late. */
  async #waitAtGate(closed: ClosedWindow): Promise<void> {
    const delayMs = closed.waitMs + this.#context.random() * 1_000
    if (closed.waitMs > this.#maxRetryAfterMs || delayMs >= this.remaining())
      throw this.told(gateError(closed, this.#call, this.maybeSent, this.#attempts))
    this.#emit?.({ type: 'rate_limit', callId: this.callId, window: closed.window, delayMs })
    await this.#sleep(delayMs)
  }

  async #getToken(): Promise<AccessToken | undefined> {
    const { provider } = this.#context
    if (provider === undefined) return undefined
    // An AbortSignal costs more than a cached token: only who can abort pays for it.
    const token = await this.#prepared((phase) =>
      provider.getToken(this.#withSignal ? { signal: phase.signal } : undefined),
    )
    if (isBearerToken(token?.value)) return token
    throw new ConfigError(
      'auth',
      'auth gave no usable token: 1 to 8192 of A-Z a-z 0-9 . _ ~ + / -, then any =',
    )
  }

  async #form(oauth: OAuthRow): Promise<string> {
    const { fields, secrets } = await this.#prepared(() => oauth.form())
    this.#secrets.push(...secrets.filter((secret) => !this.#secrets.includes(secret)))
    return new URLSearchParams(fields).toString()
  }

  /** What an attempt needs, within the call's time. */
  async #prepared<T>(prepare: (phase: Cancellation) => PromiseLike<T>): Promise<T> {
    const phase = this.#begin()
    const stop = startTimer(this.remaining(), () =>
      phase.cancel(this.#failure(new AttemptFailure(undefined, 'total'))),
    )
    try {
      return await race(Promise.resolve(prepare(phase)), phase)
    } finally {
      stop()
    }
  }

  #attempt(token: AccessToken | undefined): Promise<Answer> {
    const { timeouts } = this.#context
    const phase = this.#begin()
    if (this.#context.lifetime.closed()) {
      const again = this.maybeSent ? ' again; an earlier attempt may have arrived' : ''
      const sent = this.maybeSent ? 'unknown' : 'no'
      throw new ConfigError(
        'client',
        `This client was closed before ${this.#call.asked} could be sent${again}`,
        {
          sent,
        },
      )
    }
    const left = this.remaining()
    if (left <= 0) throw this.#failure(new AttemptFailure(undefined, 'total'))
    const total = left <= timeouts.attemptMs
    const limitMs = total ? left : timeouts.attemptMs
    this.#attempts += 1
    const about = this.#about()
    if (token !== undefined && !this.#secrets.includes(token.value)) this.#secrets.push(token.value)
    const given: Attempt = {
      call: this.#call,
      context: this.#context,
      about,
      limitMs,
      secrets: this.#secrets,
      request: this.#request(limitMs),
      authorization: token === undefined ? undefined : `Bearer ${token.value}`,
      limitKind: total ? 'total' : 'attempt',
    }
    return this.#emit === undefined ? attemptWith(given, phase) : this.#observed(given, phase)
  }

  /** The attempt between its two events. */
  async #observed(given: Attempt, phase: Cancellation): Promise<Answer> {
    const { about } = given
    const started = this.#context.clock.monotonic()
    this.#emit?.({ type: 'request', ...about })
    try {
      const answer = await attemptWith(given, phase)
      const durationMs = this.#since(started)
      const requestId = requestIdOf(answer, this.#secrets)
      this.#emit?.({ type: 'response', ...about, status: answer.status, durationMs, requestId })
      return answer
    } catch (error) {
      this.#emit?.({ type: 'response', ...about, durationMs: this.#since(started) })
      throw error
    }
  }

  #begin(): Cancellation {
    if (this.#left !== undefined) throw this.#left.reason
    this.#phase = new Cancellation()
    return this.#phase
  }

  #request(limitMs: number): TransportRequest {
    const {
      accept,
      contentType = 'application/json',
      headers,
      method,
      url,
      retrySafe,
      oauth,
    } = this.#call
    const { timeouts, userAgent } = this.#context
    const body = this.#body
    // A length that follows what is compressed tells about a secret beside it.
    const encoding = oauth === undefined ? 'gzip' : 'identity'
    const mostMs = oauth === undefined ? Number.POSITIVE_INFINITY : Math.max(1, limitMs)
    const own: Record<string, string> = {
      accept,
      'accept-encoding': encoding,
      'user-agent': userAgent,
    }
    return {
      method,
      url,
      // A body always says what it is: some services drop it otherwise.
      headers: {
        ...own,
        ...this.#headers,
        ...(body !== undefined && { 'content-type': contentType }),
        ...headers,
      },
      body,
      freshConnection: !retrySafe || oauth !== undefined,
      headersTimeoutMs: Math.min(mostMs, timeouts.headersMs),
      bodyIdleTimeoutMs: Math.min(mostMs, timeouts.bodyIdleMs),
    }
  }

  /** Returns when another attempt is due; throws the typed error when none is. */
  async #waitAfterFailure(failure: AttemptFailure): Promise<void> {
    this.failed = failure
    if (failure.sent === 'unknown') this.maybeSent = true
    const { random } = this.#context
    const allowed = failure.retryable && (failure.sent === 'no' || this.#call.retrySafe)
    const delayMs = backoff(retryRule, this.#retries, random)
    if (!allowed || this.#retries >= this.#maxRetries || delayMs >= this.remaining())
      throw this.#failure(failure)
    await this.#retryAfter(delayMs, failure.code)
  }

  /** Whether another attempt is due; waits for it when it is. */
  async #waitAfterAnswer(answer: Answer): Promise<boolean> {
    const { random } = this.#context
    const { status } = answer
    if (isAmbiguous(status)) this.maybeSent = true
    const { retrySafe, everyStatus, oauth } = this.#call
    const passing = oauth === undefined ? isTransient(status) : oauth.mayPass(answer)
    const allowed = passing && (retrySafe || (status === 429 && !everyStatus))
    if (!allowed || this.#retries >= this.#maxRetries) return false
    const waitMs = this.serverWait(answer)
    const delayMs =
      waitMs > 0 ? waitMs + random() * 1_000 : backoff(retryRule, this.#retries, random)
    if (waitMs > this.#maxRetryAfterMs || delayMs >= this.remaining()) return false
    await this.#retryAfter(delayMs, this.#emit === undefined ? '' : this.refusal(answer).code)
    return true
  }

  async #retryAfter(delayMs: number, code: string): Promise<void> {
    this.#emit?.({ type: 'retry', ...this.#about(), code, delayMs })
    this.#retries++
    await this.#sleep(delayMs)
  }

  async #sleep(ms: number): Promise<void> {
    const phase = this.#begin()
    await race(this.#context.clock.sleep(ms, phase.signal), phase)
  }

  #since(started: number): number {
    return Math.round(this.#context.clock.monotonic() - started)
  }

  #failure(failure: AttemptFailure): ConnectionError | TimeoutError | ConfigError {
    const { connectMs, headersMs, bodyIdleMs, attemptMs } = this.#context.timeouts
    const limits = {
      connect: connectMs,
      headers: headersMs,
      body: bodyIdleMs,
      attempt: attemptMs,
      total: this.#timeoutMs,
    }
    return this.told(toError(failure, this.#facts(this.maybeSent ? 'unknown' : 'no'), limits))
  }

  #facts(sent: Sent): Omit<Refused, 'retryAfterMs'> {
    return { call: this.#call, attempts: this.#attempts, sent, secrets: this.#secrets }
  }

  #about(): AttemptFacts {
    const { operationId, method, path } = this.#call
    return { callId: this.callId, operationId, method, path, attempt: this.#attempts }
  }
}
