import { startTimer } from '../clock.js'
import { ConfigError, InvalidResponseError, type TimeoutKind } from '../errors.js'
import { AttemptFailure } from './attempt-failure.js'
import type { Answer } from './body.js'
import { type Cancellation, race } from './cancellation.js'
import { smallBodyBytes } from './limits.js'
import {
  BodyEncodingError,
  BodyTooLargeError,
  type Middleware,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.js'

/** One HTTP exchange. */
export interface Attempt {
  /** For messages: method and path. */
  readonly asked: string
  readonly request: TransportRequest
  /** The only origin that gets the credentials. */
  readonly origin: string
  readonly authorization: string | undefined
  readonly transport: Transport
  readonly middleware: readonly Middleware[]
  /** The limit that ends this attempt, and what it is called. */
  readonly limitMs: number
  readonly limitKind: TimeoutKind
  /** How much of a success is read. */
  readonly bodyBytes: number
  /** Any status is what the caller wants: the body is then read as bytes, as far as a success. */
  readonly everyStatus: boolean
}

/**
 * Sends one request and reads its answer, whatever its status, or leaves as soon as `cancellation` says so. Nothing
 * stays behind: the timer is cleared, the body is read or its connection destroyed.
 *
 * @throws AttemptFailure when no whole answer came; InvalidResponseError when a success is larger or encoded otherwise
 * than asked; whatever middleware throws, untouched.
 */
export async function attempt(given: Attempt, cancellation: Cancellation): Promise<Answer> {
  const { child, leave } = cancellation.child()
  const stop = startTimer(given.limitMs, () => child.cancel(new AttemptFailure(undefined, given.limitKind)))
  try {
    const response = await race(send(given, child), child, discard)
    return await race(read(response, given), child)
  } catch (error) {
    // A transport that has not ended by now is not waited for, but told.
    child.cancel(error)
    throw error
  } finally {
    stop()
    leave()
  }
}

function send(given: Attempt, cancellation: Cancellation): Promise<TransportResponse> {
  const last = (request: TransportRequest): Promise<TransportResponse> => dispatch(given, request, cancellation)
  if (given.middleware.length === 0) return last(given.request)
  const chain = given.middleware.reduceRight<(request: TransportRequest) => Promise<TransportResponse>>(
    (next, middleware) => async (request) => middleware(request, next),
    last,
  )
  return chain(given.request)
}

/** Adds the credentials after middleware has run and the origin is known to be ours. */
async function dispatch(
  given: Attempt,
  request: TransportRequest,
  cancellation: Cancellation,
): Promise<TransportResponse> {
  if (request !== given.request && originOf(request.url) !== given.origin) {
    throw new ConfigError('middleware', `middleware must send a request for ${given.origin} there, not elsewhere`)
  }
  const headers: Record<string, string> = { ...request.headers }
  if (given.authorization === undefined) delete headers['authorization']
  else headers['authorization'] = given.authorization
  try {
    return await given.transport({ ...request, headers }, cancellation)
  } catch (error) {
    throw error instanceof ConfigError ? error : new AttemptFailure(error)
  }
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

async function read(response: TransportResponse, given: Attempt): Promise<Answer> {
  const { status } = response
  const success = given.everyStatus || (status >= 200 && status < 300)
  const head = { status, header: (name: string) => response.header(name), entries: () => response.entries() }
  try {
    if (given.everyStatus) {
      const bytes = await response.bytes(given.bodyBytes)
      return { ...head, bytes, text: undefined }
    }
    return { ...head, text: await response.text(success ? given.bodyBytes : smallBodyBytes) }
  } catch (error) {
    if (!(error instanceof BodyTooLargeError || error instanceof BodyEncodingError)) throw new AttemptFailure(error)
    // A failure is judged by its status alone; a success that cannot be read is none.
    if (!success) return { ...head, text: undefined }
    throw unreadable(error, given)
  }
}

function unreadable(error: BodyTooLargeError | BodyEncodingError, given: Attempt): InvalidResponseError {
  if (error instanceof BodyEncodingError) {
    return new InvalidResponseError(`${given.asked} was answered with ${error.message}`, {
      expected: 'content-encoding identity or gzip',
      got: error.message,
    })
  }
  const most = `${given.bodyBytes} bytes after decoding`
  return new InvalidResponseError(`${given.asked} was answered with a body above maxBodyBytes, ${most}`, {
    expected: `at most ${most}`,
    got: 'a larger body',
  })
}

function discard(response: TransportResponse): void {
  response.discard().catch(() => {})
}
