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
import { countLimit, timeLimit } from '../transport/limits.js'
import { isTransportError, type TransportRequest } from '../transport/transport.js'
import { apiError, gateError, requestIdOf } from './api-error.js'
import { AnswerInfo, type ResponseInfo } from './api-promise.js'
import { attemptWith, type PreparedAttempt, unreadable } from './attempt.js'
import { AttemptFailure, toError } from './attempt-failure.js'
import { aboutAnswer, type HttpAnswer } from './body.js'
import type { AnswerReader, EncodedCall, OAuthRow, RefusedCall } from './call.js'
import type { CallOptions } from './client-options.js'
import type { ClientContext } from './context.js'
import { addedHeaders } from './headers.js'
import { type ClosedWindow, serverWait } from './rate-limit.js'
import { isAmbiguous, isRedirect } from './retry.js'
import { type AccessToken, isBearerToken } from './token-provider.js'

/**
 * What one call does: it gets a token, makes an attempt, waits, and says what an answer or a failure
 * means. `RetryLoop` decides when it does so again.
 */
export class RunningCall {
  /** An attempt of this call may have been carried out although no success came back. */
  maybeSent = false
  readonly callId: string
  readonly call: EncodedCall
  readonly context: ClientContext
  /** Undefined without listeners, so that no event is built in vain. */
  readonly emit: CiEventListener | undefined
  readonly #hasSignal: boolean
  readonly #timeoutMs: number
  readonly #maxBodyBytes: number
  readonly #headers: Readonly<Record<string, string>> | undefined
  readonly #started: number
  readonly #secrets: string[] = []
  #body: string | undefined
  #attempts: number
  /** The current wait, request for a token, or attempt. */
  #phase: Cancellation | undefined
  #left: { readonly reason: unknown } | undefined

  /** With `before`, the new call continues its id and its count of attempts. */
  constructor(
    context: ClientContext,
    call: EncodedCall,
    options: CallOptions,
    before?: RunningCall,
  ) {
    this.callId = before?.callId ?? context.nextCallId()
    this.context = context
    this.call = call
    this.emit =
      options.onEvent === undefined ? context.emit : joinListeners(context.emit, options.onEvent)
    this.#body = call.body
    this.#attempts = before === undefined ? 0 : before.#attempts
    this.#hasSignal = options.signal !== undefined
    this.#timeoutMs = timeLimit('timeoutMs', options.timeoutMs, context.timeoutMs)
    this.#maxBodyBytes = countLimit('maxBodyBytes', options.maxBodyBytes, context.maxBodyBytes, 1)
    this.#headers = addedHeaders(options.headers)
    this.#started = context.clock.monotonic()
  }

  /** Ends the call, because its caller has aborted. */
  leave(reason: unknown): void {
    this.#left = { reason }
    this.#phase?.cancel(reason)
  }

  /** Milliseconds of the call's time that are left. */
  remaining(): number {
    return this.#timeoutMs - (this.context.clock.monotonic() - this.#started)
  }

  info(answer: HttpAnswer): ResponseInfo {
    return new AnswerInfo(answer, this.#attempts, this.#since(this.#started), this.#secrets)
  }

  /** The current attempt, as events name it. */
  attemptFacts(): AttemptFacts {
    const { operationId, method, path } = this.call
    return { callId: this.callId, operationId, method, path, attempt: this.#attempts }
  }

  /** The error with this call's id, unless it has the id of another call. */
  withCallId<T>(error: T): T {
    return isCiError(error) && error.callId === undefined
      ? Object.assign(error, { callId: this.callId })
      : error
  }

  async getToken(): Promise<AccessToken | undefined> {
    const { provider } = this.context
    if (provider === undefined) return undefined
    // An AbortSignal costs more than a cached token, so it is only made for a caller with a signal.
    const token = await this.#withinTime((phase) =>
      provider.getToken(this.#hasSignal ? { signal: phase.signal } : undefined),
    )
    if (isBearerToken(token?.value)) return token
    throw new ConfigError(
      'auth',
      'auth gave no usable token: 1 to 8192 of A-Z a-z 0-9 . _ ~ + / -, then any =',
    )
  }

  /** Makes the form of the next attempt the body of the request. */
  async fillForm(oauth: OAuthRow): Promise<void> {
    const { fields, secrets } = await this.#withinTime(() => oauth.form())
    for (const secret of secrets) this.#hide(secret)
    this.#body = new URLSearchParams(fields).toString()
  }

  /** Sends the request once. @throws AttemptFailure when no whole answer came */
  attempt(token: AccessToken | undefined): Promise<HttpAnswer> {
    const { timeouts, lifetime } = this.context
    const phase = this.#begin()
    if (lifetime.closed()) throw this.#closedError()
    const leftMs = this.remaining()
    if (leftMs <= 0) throw this.failure(new AttemptFailure(undefined, 'total'))

    const endsWithCall = leftMs <= timeouts.attemptMs
    const limitMs = endsWithCall ? leftMs : timeouts.attemptMs
    this.#attempts += 1
    if (token !== undefined) this.#hide(token.value)
    const prepared: PreparedAttempt = {
      call: this.call,
      context: this.context,
      maxBodyBytes: this.#maxBodyBytes,
      facts: this.attemptFacts(),
      request: this.#request(limitMs),
      authorization: token === undefined ? undefined : `Bearer ${token.value}`,
      limitMs,
      limitKind: endsWithCall ? 'total' : 'attempt',
      secrets: this.#secrets,
    }
    return this.emit === undefined
      ? attemptWith(prepared, phase)
      : this.#attemptWithEvents(prepared, phase, this.emit)
  }

  async sleep(ms: number): Promise<void> {
    const phase = this.#begin()
    await race(this.context.clock.sleep(ms, phase.signal), phase)
  }

  isSuccess(answer: HttpAnswer): boolean {
    const { also, oauth, redirects } = this.call
    const { status } = answer
    const isWantedRedirect = redirects === true && isRedirect(status)
    const isGood = (status >= 200 && status < 300) || status === also || isWantedRedirect
    return isGood && oauth?.refuses(answer) !== true
  }

  /**
   * The data of a success. A success that cannot be read was still carried out: the error says so,
   * and how to find the result.
   */
  read<T>(read: AnswerReader<T>, answer: HttpAnswer): T {
    try {
      return read(answer, this.call)
    } catch (error) {
      answer.stream?.cancel()
      throw this.withCallId(aboutAnswer(error, this.call, this.info(answer), this.#secrets))
    }
  }

  /**
   * Gives an unread body to its reader. From here on only the idle time-out, the caller's signal
   * and, for a `bounded` call, its time end the body; then `ended` is called.
   */
  handOver(answer: HttpAnswer, stream: BodyStream, ended: () => void): void {
    const { asked, bounded } = this.call
    const toReadError = (error: unknown): unknown => {
      if (isTransportError(error, 'BodyEncodingError'))
        return this.withCallId(unreadable(error, this.call, answer, this.#secrets))
      this.maybeSent = true
      return this.failure(new AttemptFailure(error))
    }

    const phase = this.#phase ?? new Cancellation()
    const stop = this.#startTimeLimit(
      phase,
      bounded === true ? this.remaining() : Number.POSITIVE_INFINITY,
    )
    stream.guard({
      phase,
      idleMs: this.context.timeouts.bodyIdleMs,
      asked,
      toError: toReadError,
      ended: () => {
        stop()
        ended()
      },
    })
  }

  /** The wait that the server asks for in this answer, in milliseconds; 0 when it asks for none. */
  serverWait(answer: HttpAnswer): number {
    return serverWait(answer, this.context.clock.now())
  }

  /** The error for an answer that is not a success. */
  refusal(answer: HttpAnswer): ApiError | OAuthError {
    const { status } = answer
    const { oauth } = this.call
    const maybeDone = this.maybeSent || isAmbiguous(status) || status === 303
    const refused = {
      ...this.#facts(maybeDone ? 'unknown' : 'yes'),
      retryAfterMs: this.serverWait(answer),
    }
    const error = oauth?.refuses(answer)
      ? oauth.toError(answer, refused)
      : apiError(answer, refused, this.context.api.prefix)
    return this.withCallId(error)
  }

  /** The error for a failed attempt, when no other attempt is made. */
  failure(failure: AttemptFailure): ConnectionError | TimeoutError | ConfigError {
    const { connectMs, headersMs, bodyIdleMs, attemptMs } = this.context.timeouts
    const limits = {
      connect: connectMs,
      headers: headersMs,
      body: bodyIdleMs,
      attempt: attemptMs,
      total: this.#timeoutMs,
    }
    return this.withCallId(toError(failure, this.#facts(this.maybeSent ? 'unknown' : 'no'), limits))
  }

  /** The error for a request that is not sent, because its request window opens too late. */
  gateError(closed: ClosedWindow): ApiError {
    return this.withCallId(gateError(closed, this.call, this.maybeSent, this.#attempts))
  }

  /** Does what an attempt needs first, within the call's time. */
  async #withinTime<T>(prepare: (phase: Cancellation) => PromiseLike<T>): Promise<T> {
    const phase = this.#begin()
    const stop = this.#startTimeLimit(phase, this.remaining())
    try {
      return await race(Promise.resolve(prepare(phase)), phase)
    } finally {
      stop()
    }
  }

  #startTimeLimit(phase: Cancellation, ms: number): () => void {
    return startTimer(ms, () => phase.cancel(this.failure(new AttemptFailure(undefined, 'total'))))
  }

  async #attemptWithEvents(
    prepared: PreparedAttempt,
    phase: Cancellation,
    emit: CiEventListener,
  ): Promise<HttpAnswer> {
    const { facts } = prepared
    const started = this.context.clock.monotonic()
    emit({ type: 'request', ...facts })
    try {
      const answer = await attemptWith(prepared, phase)
      const durationMs = this.#since(started)
      const requestId = requestIdOf(answer, this.#secrets)
      emit({ type: 'response', ...facts, status: answer.status, durationMs, requestId })
      return answer
    } catch (error) {
      emit({ type: 'response', ...facts, durationMs: this.#since(started) })
      throw error
    }
  }

  #begin(): Cancellation {
    if (this.#left !== undefined) throw this.#left.reason
    this.#phase = new Cancellation()
    return this.#phase
  }

  #request(limitMs: number): TransportRequest {
    const { accept, contentType = 'application/json', headers, method, url } = this.call
    const { retrySafe, oauth } = this.call
    const { timeouts, userAgent } = this.context
    const body = this.#body
    const longestMs = oauth === undefined ? Number.POSITIVE_INFINITY : Math.max(1, limitMs)
    const ours: Record<string, string> = {
      accept,
      // Compressing a secret beside chosen text leaks it through the length (BREACH), so an OAuth
      // endpoint is asked for no compression.
      'accept-encoding': oauth === undefined ? 'gzip' : 'identity',
      'user-agent': userAgent,
    }
    return {
      method,
      url,
      // Some services drop a body without a content type.
      headers: {
        ...ours,
        ...this.#headers,
        ...(body !== undefined && { 'content-type': contentType }),
        ...headers,
      },
      body,
      freshConnection: !retrySafe || oauth !== undefined,
      headersTimeoutMs: Math.min(longestMs, timeouts.headersMs),
      bodyIdleTimeoutMs: Math.min(longestMs, timeouts.bodyIdleMs),
    }
  }

  #closedError(): ConfigError {
    const again = this.maybeSent ? ' again; an earlier attempt may have arrived' : ''
    return new ConfigError(
      'client',
      `This client was closed before ${this.call.asked} could be sent${again}`,
      { sent: this.maybeSent ? 'unknown' : 'no' },
    )
  }

  /** Keeps a secret out of errors and events. */
  #hide(secret: string): void {
    if (!this.#secrets.includes(secret)) this.#secrets.push(secret)
  }

  #since(started: number): number {
    return Math.round(this.context.clock.monotonic() - started)
  }

  #facts(sent: Sent): Omit<RefusedCall, 'retryAfterMs'> {
    return { call: this.call, attempts: this.#attempts, sent, secrets: this.#secrets }
  }
}
