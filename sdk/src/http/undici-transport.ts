import { EventEmitter } from 'node:events'
import type { Dispatcher } from 'undici'
import { ConfigError } from '../errors.js'
import { bodyEncoding, readBytes, utf8 } from './node-body.js'
import type { ClosableTransport, TransportOptions, TransportRequest, TransportResponse } from './transport.js'

type Undici = typeof import('undici')

/** Settings of {@link undiciTransport}. */
export interface UndiciTransportOptions {
  /** Gets every request and is never closed by us, such as undici's `EnvHttpProxyAgent` or `MockAgent`. */
  dispatcher?: Dispatcher | undefined
  /** Milliseconds until a connection must stand; a given dispatcher has its own limit. */
  connectTimeoutMs?: number | undefined
}

/**
 * The default transport: undici's `request` on its own connection pool (128 connections per origin), and a connection
 * of its own for each request that must not be replayed. undici is loaded by the first request.
 *
 * @throws ConfigError `config` when `dispatcher` is no undici dispatcher.
 * @example
 * ```ts
 * const transport = undiciTransport({ connectTimeoutMs: 2_000 })
 * ```
 */
export function undiciTransport(options: UndiciTransportOptions = {}): ClosableTransport {
  const { dispatcher, connectTimeoutMs = 10_000 } = options
  if (dispatcher !== undefined && typeof dispatcher?.dispatch !== 'function') {
    throw new ConfigError('dispatcher', 'dispatcher must be an undici Dispatcher: an object with dispatch()')
  }
  let pools: Promise<Pools> | undefined
  let ready: Pools | undefined
  const open = async (): Promise<Pools> => {
    ready = makePools(await import('undici'), dispatcher, connectTimeoutMs)
    return ready
  }
  const transport = (request: TransportRequest, control: TransportOptions): Promise<TransportResponse> => {
    if (ready !== undefined) return dispatch(ready, request, control)
    pools ??= open()
    return pools.then((opened) => dispatch(opened, request, control))
  }
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    const made = await pools
    if (dispatcher === undefined) await Promise.all([made?.kept.close(), made?.fresh.close()])
  }
  return Object.assign(transport, {
    close: () => {
      closing ??= close()
      return closing
    },
  })
}

interface Pools {
  readonly undici: Undici
  readonly kept: Dispatcher
  readonly fresh: Dispatcher
}

function makePools(undici: Undici, dispatcher: Dispatcher | undefined, connectTimeoutMs: number): Pools {
  if (dispatcher !== undefined) return { undici, kept: dispatcher, fresh: dispatcher }
  const connect = { timeout: Number.isFinite(connectTimeoutMs) ? connectTimeoutMs : 0 }
  return {
    undici,
    kept: new undici.Agent({ connections: 128, keepAliveTimeout: 4_000, connect }),
    // Without pipelining a connection serves one request and closes.
    fresh: new undici.Agent({ connections: 128, pipelining: 0, connect }),
  }
}

async function dispatch(
  { undici, kept, fresh }: Pools,
  request: TransportRequest,
  control: TransportOptions,
): Promise<TransportResponse> {
  // An emitter serves undici as a signal and costs a fraction of an AbortController.
  const signal = new EventEmitter()
  const leave = control.onCancel(() => void signal.emit('abort'))
  try {
    const response = await undici.request(request.url, {
      method: request.method as Dispatcher.HttpMethod,
      headers: request.headers,
      body: request.body ?? null,
      signal,
      dispatcher: request.freshConnection ? fresh : kept,
      headersTimeout: undiciLimit(request.headersTimeoutMs),
      bodyTimeout: undiciLimit(request.bodyIdleTimeoutMs),
    })
    return new UndiciResponse(response, leave)
  } catch (error) {
    leave()
    throw error
  }
}

/** undici spells "no limit" as 0. */
function undiciLimit(ms: number): number {
  return Number.isFinite(ms) ? ms : 0
}

class UndiciResponse implements TransportResponse {
  readonly status: number
  readonly #headers: Dispatcher.ResponseData['headers']
  readonly #body: Dispatcher.ResponseData['body']
  readonly #leave: () => void

  constructor(response: Dispatcher.ResponseData, leave: () => void) {
    this.status = response.statusCode
    this.#headers = response.headers
    this.#body = response.body
    this.#leave = leave
    // A body that is destroyed unread reports that as an error, which nobody needs.
    this.#body.on('error', () => {})
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  *entries(): Iterable<[string, string]> {
    for (const [name, value] of Object.entries(this.#headers)) {
      for (const one of Array.isArray(value) ? value : [value ?? '']) yield [name, one]
    }
  }

  async text(maxBytes: number): Promise<string> {
    if (!this.#isSmallAndPlain(maxBytes)) return utf8(await this.bytes(maxBytes))
    try {
      return await this.#body.text()
    } finally {
      this.#leave()
    }
  }

  async bytes(maxBytes: number): Promise<Uint8Array> {
    try {
      if (this.#isSmallAndPlain(maxBytes)) return new Uint8Array(await this.#body.arrayBuffer())
      return await readBytes(this.#body, bodyEncoding(this.header('content-encoding')), maxBytes)
    } catch (error) {
      this.#body.destroy()
      throw error
    } finally {
      this.#leave()
    }
  }

  async discard(): Promise<void> {
    this.#leave()
    this.#body.destroy()
  }

  /** undici's own readers are faster, and safe where the length is known and nothing is decoded. */
  #isSmallAndPlain(maxBytes: number): boolean {
    const length = this.header('content-length')
    return length !== undefined && Number(length) <= maxBytes && this.header('content-encoding') === undefined
  }
}
