import { must } from '../base/checked.js'
import { startTimer } from '../base/clock.js'
import type { AttemptFacts } from '../base/events.js'
import { tried } from '../base/tried.js'
import { ConfigError, InvalidResponseError, isCiError, type TimeoutKind } from '../errors/errors.js'
import { BodyStream } from '../transport/body-stream.js'
import { type Cancellation, race } from '../transport/cancellation.js'
import { smallBodyBytes } from '../transport/limits.js'
import {
  type BodyEncodingError,
  type BodyTooLargeError,
  isTransportError,
  type TransportRequest,
  type TransportResponse,
} from '../transport/transport.js'
import { requestIdOf } from './api-error.js'
import { AttemptFailure } from './attempt-failure.js'
import { type HttpAnswer, withoutSecrets } from './body.js'
import type { EncodedCall } from './call.js'
import type { ClientContext } from './context.js'
import { checkedHeaders } from './headers.js'

/** One attempt, with everything that it needs. */
export interface PreparedAttempt {
  readonly call: EncodedCall
  readonly context: Pick<ClientContext, 'transport' | 'middleware'>
  /** The largest body that is read, in bytes after decoding. */
  readonly maxBodyBytes: number
  readonly facts: AttemptFacts
  /** Belongs to the attempt, which adds the credentials to its headers. */
  readonly request: TransportRequest
  readonly authorization: string | undefined
  /** The time limit of this attempt in milliseconds, and its name. */
  readonly limitMs: number
  readonly limitKind: TimeoutKind
  /** Texts that no request id may show. */
  readonly secrets: readonly string[]
}

/**
 * Sends one request and reads its answer, of any status. `cancellation` is this attempt's own.
 * @throws AttemptFailure when no whole answer came; InvalidResponseError for an unreadable success;
 * what middleware throws, untouched.
 */
export async function attemptWith(
  attempt: PreparedAttempt,
  cancellation: Cancellation,
): Promise<HttpAnswer> {
  const stop = startTimer(attempt.limitMs, () =>
    cancellation.cancel(new AttemptFailure(undefined, attempt.limitKind)),
  )
  try {
    return await race(exchange(attempt, cancellation), cancellation)
  } catch (error) {
    // The transport may still run. Nothing waits for it, but it is told to end.
    cancellation.cancel(error)
    throw error
  } finally {
    stop()
  }
}

async function exchange(attempt: PreparedAttempt, cancellation: Cancellation): Promise<HttpAnswer> {
  const hasMiddleware = attempt.context.middleware.length > 0
  const response = hasMiddleware
    ? await throughMiddleware(attempt, cancellation)
    : await dispatch(attempt, attempt.request, cancellation)
  const reader = attempt.call.streamed ? 'stream' : 'text'
  if (typeof response?.[reader] !== 'function') throw notAResponse(hasMiddleware)
  if (cancellation.cancelled) {
    response.discard().catch(() => {})
    throw cancellation.reason
  }
  return read(response, attempt)
}

function notAResponse(hasMiddleware: boolean): ConfigError {
  const option = hasMiddleware ? 'middleware' : 'transport'
  const expected = hasMiddleware ? 'what next() gives it' : 'a TransportResponse'
  return new ConfigError(
    option,
    `${option} must return ${expected}; the request may have been sent`,
    { sent: 'unknown' },
  )
}

/**
 * Middleware around the attempt. The credentials are added after it, when its request still goes to
 * the origin of the call.
 */
function throughMiddleware(
  attempt: PreparedAttempt,
  cancellation: Cancellation,
): Promise<TransportResponse> {
  const { origin } = attempt.call
  const last = async (request: TransportRequest): Promise<TransportResponse> => {
    const isReplaced = request !== attempt.request
    if (isReplaced && tried(() => new URL(request.url).origin) !== origin)
      throw must('middleware', `send a request for ${origin} there, not elsewhere`)
    const headers = checkedHeaders('middleware', request.headers)
    delete headers['authorization']
    return dispatch(attempt, { ...request, headers }, cancellation)
  }
  const { callId, operationId, attempt: number } = attempt.facts
  const info = { callId, operationId, attempt: number }
  const chain = attempt.context.middleware.reduceRight<
    (request: TransportRequest) => Promise<TransportResponse>
  >((next, middleware) => async (request) => middleware(request, next, info), last)
  return chain(attempt.request)
}

/** Adds the credentials to a request that nothing else refers to, and sends it. */
async function dispatch(
  { authorization, context }: PreparedAttempt,
  request: TransportRequest,
  cancellation: Cancellation,
): Promise<TransportResponse> {
  if (authorization !== undefined) request.headers['authorization'] = authorization
  try {
    return await context.transport(request, cancellation)
  } catch (error) {
    throw isCiError(error, 'config') ? error : new AttemptFailure(error)
  }
}

async function read(
  response: TransportResponse,
  { call, maxBodyBytes, secrets }: PreparedAttempt,
): Promise<HttpAnswer> {
  const { status } = response
  const { everyStatus, streamed } = call
  const isSuccess = everyStatus || (status >= 200 && status < 300)
  if (streamed && isSuccess)
    return new ReadAnswer(response, undefined, undefined, new BodyStream(response))
  try {
    if (everyStatus) return new ReadAnswer(response, undefined, await response.bytes(maxBodyBytes))
    return new ReadAnswer(response, await response.text(isSuccess ? maxBodyBytes : smallBodyBytes))
  } catch (error) {
    const isUnreadable =
      isTransportError(error, 'BodyTooLargeError') || isTransportError(error, 'BodyEncodingError')
    if (!isUnreadable) throw new AttemptFailure(error)
    // The status alone decides what a failure is; a success needs its body.
    if (!isSuccess) return new ReadAnswer(response, undefined)
    throw unreadable(error, call, response, secrets)
  }
}

class ReadAnswer implements HttpAnswer {
  readonly status: number
  readonly text: string | undefined
  readonly bytes: Uint8Array | undefined
  readonly stream: BodyStream | undefined
  readonly #response: TransportResponse
  #body: { readonly json: unknown } | undefined

  constructor(
    response: TransportResponse,
    text: string | undefined,
    bytes?: Uint8Array,
    stream?: BodyStream,
  ) {
    this.status = response.status
    this.text = text
    this.bytes = bytes
    this.stream = stream
    this.#response = response
  }

  get body(): unknown {
    const text = (): string => this.text ?? new TextDecoder().decode(this.bytes)
    this.#body ??= { json: tried(() => JSON.parse(text())) }
    return this.#body.json
  }

  header(name: string): string | undefined {
    return this.#response.header(name)
  }

  entries(): Iterable<[string, string]> {
    return this.#response.entries()
  }
}

/** The error for a success whose body is too large or cannot be decoded. */
export function unreadable(
  error: BodyTooLargeError | BodyEncodingError,
  { asked, operationId, advice }: EncodedCall,
  answer: Pick<TransportResponse, 'status' | 'header'>,
  secrets: readonly string[],
): InvalidResponseError {
  const facts = {
    operationId,
    advice,
    status: answer.status,
    requestId: requestIdOf(answer, secrets),
  }
  if (isTransportError(error, 'BodyEncodingError')) {
    const got = withoutSecrets(error.message, secrets)
    return new InvalidResponseError(`${asked} was answered with ${got}`, {
      ...facts,
      expected: 'content-encoding identity or gzip',
      got,
    })
  }
  const most = `${error.maxBytes} bytes after decoding`
  const summary = `${asked} was answered with a body above maxBodyBytes, ${most}`
  return new InvalidResponseError(summary, {
    ...facts,
    expected: `at most ${most}`,
    got: 'a larger body',
  })
}
