import type { AttemptInfo } from '../base/events.js'

/**
 * An undici dispatcher, such as an agent or a mock, by its shape: types of undici would need those
 * of Node.
 */
export interface UndiciDispatcher {
  dispatch(options: object, handler: object): boolean
}

/** One HTTP request as a transport gets it: complete, absolute, with every header in lower case. */
export interface TransportRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
  /**
   * Open a connection for this request alone: an idle one may be closing while we write, and this
   * one must not be replayed.
   */
  freshConnection: boolean
  headersTimeoutMs: number
  bodyIdleTimeoutMs: number
}

/** Tells a transport that its answer is not needed any more. */
export interface TransportOptions {
  /** Made on first read; `onCancel` is cheaper where an API does not need an AbortSignal. */
  readonly signal: AbortSignal
  /** Calls `listener` once when the request is to end; returns what removes it. */
  onCancel(listener: () => void): () => void
}

/**
 * One HTTP answer. Exactly one of `text`, `bytes`, `stream` and `discard` must be called, or its
 * connection stays occupied.
 */
export interface TransportResponse {
  status: number
  /**
   * The header's value, repeats joined by `', '`; undefined when absent. `name` is in lower case.
   */
  header(name: string): string | undefined
  entries(): Iterable<[string, string]>
  /**
   * The decoded body. @throws {@link BodyTooLargeError} above `maxBytes` decoded bytes; the
   * connection is destroyed then.
   */
  text(maxBytes: number): Promise<string>
  bytes(maxBytes: number): Promise<Uint8Array>
  /**
   * The decoded body part by part, as fast as it is read; leaving the loop destroys the connection.
   * Asked for with `accept-encoding: identity`, which a server may ignore. With `isPacked`, a body
   * of gzip is given as it is; a transport that cannot do this gives it decoded.
   * @throws {@link BodyEncodingError} for an encoding other than gzip, for broken gzip, and for a
   * range of a gzip body.
   */
  stream(isPacked?: boolean): AsyncIterable<Uint8Array>
  discard(): Promise<void>
}

/**
 * The seam between the SDK and the network: one request in, one answer out, whatever its status. It
 * never follows a redirect and never retries.
 *
 * @example
 * ```ts
 * const logged: Transport = async (request, options) => {
 *   console.error(request.method, new URL(request.url).pathname)
 *   return inner(request, options)
 * }
 * ```
 */
export type Transport = (
  request: TransportRequest,
  options: TransportOptions,
) => Promise<TransportResponse>

/** A transport that owns connections. */
export interface ClosableTransport extends Transport {
  /** Ends idle and running connections; safe to call twice. */
  close(): Promise<void>
}

/**
 * Wraps each attempt; sees and may change the request, but never the `authorization` header, which
 * is added after it. What it throws reaches the caller as it is, and is not retried.
 *
 * @example
 * ```ts
 * const traced: Middleware = (request, next, { callId, attempt }) =>
 *   next({ ...request, headers: { ...request.headers, 'x-trace': `${callId}/${attempt}` } })
 * ```
 */
export type Middleware = (
  request: TransportRequest,
  next: (request: TransportRequest) => Promise<TransportResponse>,
  info: AttemptInfo,
) => Promise<TransportResponse>

const brand = Symbol.for('buildwire.transport-error')

/** The constructor sets the brand: a bundler keeps statements outside of classes, used or not. */
class BrandedError extends Error {
  constructor(message: string) {
    super(message)
    Object.defineProperty(this, brand, { value: true })
  }
}

/**
 * What a transport of ours throws when a time limit ends its request.
 *
 * @example
 * ```ts
 * const silence = new TransportTimeout('headers')
 * ```
 */
export class TransportTimeout extends BrandedError {
  override readonly name = 'TransportTimeout'
  readonly kind: 'connect' | 'headers' | 'body'
  constructor(kind: 'connect' | 'headers' | 'body') {
    super(`${kind} timeout`)
    this.kind = kind
  }
}

/**
 * A body that is larger than the caller's limit after decoding.
 *
 * @example
 * ```ts
 * const tooLarge = new BodyTooLargeError(65_536)
 * ```
 */
export class BodyTooLargeError extends BrandedError {
  override readonly name = 'BodyTooLargeError'
  readonly maxBytes: number
  constructor(maxBytes: number) {
    super(`the body is larger than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

/**
 * A `content-encoding` that we did not ask for, or a body that is not what its encoding says.
 *
 * @example
 * ```ts
 * const refused = new BodyEncodingError('the content-encoding br, which was not asked for')
 * ```
 */
export class BodyEncodingError extends BrandedError {
  override readonly name = 'BodyEncodingError'
}

interface TransportErrorByName {
  readonly TransportTimeout: TransportTimeout
  readonly BodyTooLargeError: BodyTooLargeError
  readonly BodyEncodingError: BodyEncodingError
}

/** Whether this is one of the errors above, from any copy of the package. */
export function isTransportError<N extends keyof TransportErrorByName>(
  error: unknown,
  name: N,
): error is TransportErrorByName[N] {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false
  return 'name' in error && error.name === name
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
