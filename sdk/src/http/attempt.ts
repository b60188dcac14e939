import { must } from '../base/checked.js'
import { startTimer } from '../base/clock.js'
import type { AttemptFacts } from '../base/events.js'
import { tried } from '../base/tried.js'
import { ConfigError, InvalidResponseError, type TimeoutKind } from '../errors/errors.js'
import { BodyStream } from '../transport/body-stream.js'
import { type Cancellation, race } from '../transport/cancellation.js'
import { smallBodyBytes } from '../transport/limits.js'
import {
  BodyEncodingError,
  BodyTooLargeError,
  type TransportRequest,
  type TransportResponse,
} from '../transport/transport.js'
import { requestIdOf } from './api-error.js'
import { AttemptFailure } from './attempt-failure.js'
import type { Answer } from './body.js'
import type { Call } from './call.js'
import type { ClientContext } from './context.js'
import { checkedHeaders } from './headers.js'

export interface Attempt {
  readonly call: Call
  readonly context: Pick<ClientContext, 'transport' | 'middleware' | 'maxBodyBytes'>
  readonly about: AttemptFacts
  /** Belongs to the attempt, which fills in the credentials. */
  readonly request: TransportRequest
  readonly authorization: string | undefined
  /** The limit that ends this attempt, and what it is called. */
  readonly limitMs: number
  readonly limitKind: TimeoutKind
  /** What no request id may show. */
  readonly secrets: readonly string[]
}

/**
 * Sends one request and reads its answer, whatever its status, or leaves as soon as `own`, this
 * attempt's cancellation, says so.
 * @throws AttemptFailure when no whole answer came; InvalidResponseError for an unreadable success;
 * what middleware throws, untouched.
 */
export async function attemptWith(given: Attempt, own: Cancellation): Promise<Answer> {
  const stop = startTimer(given.limitMs, () =>
    own.cancel(new AttemptFailure(undefined, given.limitKind)),
  )
  try {
    return await race(exchange(given, own), own)
  } catch (error) {
    // A transport that has not ended by now is not waited for, but told.
    own.cancel(error)
    throw error
  } finally {
    stop()
  }
}

async function exchange(given: Attempt, own: Cancellation): Promise<Answer> {
  const wraps = given.context.middleware.length > 0
  const response = await (wraps ? wrapped(given, own) : dispatch(given, given.request, own))
  if (typeof response?.[given.call.streamed ? 'stream' : 'text'] !== 'function') {
    const [option, what] = wraps
      ? ['middleware', 'what next() gives it']
      : ['transport', 'a TransportResponse']
    throw new ConfigError(option, `${option} must return ${what}; the request may have been sent`, {
      sent: 'unknown',
    })
  }
  if (own.cancelled) {
    response.discard().catch(() => {})
    throw own.reason
  }
  return read(response, given)
}

/**
 * Middleware around the attempt; the credentials are added after it, once the origin is known to be
 * ours.
 */
function wrapped(given: Attempt, own: Cancellation): Promise<TransportResponse> {
  const { origin } = given.call
  const last = async (request: TransportRequest): Promise<TransportResponse> => {
    if (request !== given.request && tried(() => new URL(request.url).origin) !== origin) {
      throw must('middleware', `send a request for ${origin} there, not elsewhere`)
    }
    const headers = checkedHeaders('middleware', request.headers)
    delete headers['authorization']
    return dispatch(given, { ...request, headers }, own)
  }
  const { callId, operationId, attempt } = given.about
  const info = { callId, operationId, attempt }
  const chain = given.context.middleware.reduceRight<
    (request: TransportRequest) => Promise<TransportResponse>
  >((next, middleware) => async (request) => middleware(request, next, info), last)
  return chain(given.request)
}

/** Fills the credentials into a request that nobody else holds, and sends it. */
async function dispatch(
  given: Attempt,
  request: TransportRequest,
  own: Cancellation,
): Promise<TransportResponse> {
  if (given.authorization !== undefined) request.headers['authorization'] = given.authorization
  try {
    return await given.context.transport(request, own)
  } catch (error) {
    throw error instanceof ConfigError ? error : new AttemptFailure(error)
  }
}

async function read(response: TransportResponse, given: Attempt): Promise<Answer> {
  const { status } = response
  const { everyStatus, streamed } = given.call
  const { maxBodyBytes } = given.context
  const success = everyStatus || (status >= 200 && status < 300)
  if (streamed && success)
    return new ReadAnswer(response, undefined, undefined, new BodyStream(response))
  try {
    if (everyStatus) return new ReadAnswer(response, undefined, await response.bytes(maxBodyBytes))
    return new ReadAnswer(response, await response.text(success ? maxBodyBytes : smallBodyBytes))
  } catch (error) {
    if (!(error instanceof BodyTooLargeError || error instanceof BodyEncodingError))
      throw new AttemptFailure(error)
    // A failure is judged by its status alone; a success that cannot be read is none.
    if (!success) return new ReadAnswer(response, undefined)
    throw unreadable(error, given.call, response, given.secrets)
  }
}

class ReadAnswer implements Answer {
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
    this.#body ??= {
      json: tried(() => JSON.parse(this.text ?? new TextDecoder().decode(this.bytes))),
    }
    return this.#body.json
  }

  header(name: string): string | undefined {
    return this.#response.header(name)
  }

  entries(): Iterable<[string, string]> {
    return this.#response.entries()
  }
}

export function unreadable(
  error: BodyTooLargeError | BodyEncodingError,
  { asked, operationId, advice }: Call,
  answer: Pick<TransportResponse, 'status' | 'header'>,
  secrets: readonly string[],
): InvalidResponseError {
  const facts = {
    operationId,
    advice,
    status: answer.status,
    requestId: requestIdOf(answer, secrets),
  }
  if (error instanceof BodyEncodingError) {
    const told = { expected: 'content-encoding identity or gzip', got: error.message }
    return new InvalidResponseError(`${asked} was answered with ${error.message}`, {
      ...facts,
      ...told,
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
