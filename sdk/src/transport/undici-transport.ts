import type { Dispatcher } from 'undici'
import { checkedMethods, checkedNames } from '../base/checked.js'
import { defaultTimeouts, timeLimit } from './limits.js'
import { isWithoutRequire, loadUndici, type Undici, undiciRefused } from './load-undici.js'
import type {
  ClosableTransport,
  TransportOptions,
  TransportRequest,
  TransportResponse,
  UndiciDispatcher,
} from './transport.js'
import { UndiciExchange } from './undici-exchange.js'

/** Settings of {@link undiciTransport}. */
export interface UndiciTransportOptions {
  /**
   * Gets every request and is never closed by us, such as undici's `EnvHttpProxyAgent` or
   * `MockAgent`.
   */
  dispatcher?: UndiciDispatcher | undefined
  /** Milliseconds until a connection must stand; a given dispatcher has its own limit. */
  connectTimeoutMs?: number | undefined
}

/**
 * The default transport: undici on its own connection pool (128 connections per origin), and a
 * connection of its own for each request that must not be replayed. undici is loaded by the first
 * request.
 *
 * @throws ConfigError `config` for a `dispatcher` without `dispatch()`, or a `connectTimeoutMs`
 * that is not a positive number.
 * @example
 * ```ts
 * const transport = undiciTransport({ connectTimeoutMs: 2_000 })
 * ```
 */
export function undiciTransport(options: UndiciTransportOptions = {}): ClosableTransport {
  const { dispatcher } = checkedNames('options', options, {
    dispatcher: true,
    connectTimeoutMs: true,
  })
  checkedMethods('dispatcher', dispatcher, 'dispatch')
  const connectTimeoutMs = timeLimit(
    'connectTimeoutMs',
    options.connectTimeoutMs,
    defaultTimeouts.connectMs,
  )
  if (dispatcher !== undefined) return withoutPools(dispatcher)
  let opening: Promise<ClosableTransport> | undefined
  let opened: ClosableTransport | undefined
  const open = async (): Promise<ClosableTransport> => {
    opened = await openPools(connectTimeoutMs)
    return opened
  }
  const transport = async (
    request: TransportRequest,
    control: TransportOptions,
  ): Promise<TransportResponse> => {
    if (opened !== undefined) return opened(request, control)
    opening ??= open()
    return (await opening)(request, control)
  }
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await (await opening)?.close()
  }
  return Object.assign(transport, {
    close: () => {
      closing ??= close()
      return closing
    },
  })
}

/** The default transport on Node. */
export function ownTransport(connectTimeoutMs: number): ClosableTransport {
  return undiciTransport({ connectTimeoutMs })
}

function withoutPools(dispatcher: UndiciDispatcher): ClosableTransport {
  const transport = (request: TransportRequest, control: TransportOptions) =>
    dispatch(dispatcher, request, control)
  return Object.assign(transport, { close: async () => {} })
}

/**
 * Our own pools. A bundle that cannot run undici gets the same over `node:http`.
 *
 * @throws ConfigError
 */
async function openPools(connectTimeoutMs: number): Promise<ClosableTransport> {
  try {
    return undiciPools(await loadUndici(), connectTimeoutMs)
  } catch (error) {
    if (!isWithoutRequire(error)) throw undiciRefused(error)
    const { nodeTransport } = await import('./node-transport.js')
    return nodeTransport({ connectTimeoutMs })
  }
}

function undiciPools({ Agent }: Undici, connectTimeoutMs: number): ClosableTransport {
  const connect = { timeout: Number.isFinite(connectTimeoutMs) ? connectTimeoutMs : 0 }
  const kept = new Agent({ connections: 128, keepAliveTimeout: 4_000, connect })
  // Without pipelining a connection serves one request and closes.
  const fresh = new Agent({ connections: 128, pipelining: 0, connect })
  const transport = (request: TransportRequest, control: TransportOptions) =>
    dispatch(request.freshConnection ? fresh : kept, request, control)
  const close = async (): Promise<void> => {
    await Promise.all([kept.close(), fresh.close()])
  }
  return Object.assign(transport, { close })
}

function dispatch(
  dispatcher: UndiciDispatcher,
  request: TransportRequest,
  control: TransportOptions,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const exchange = new UndiciExchange(control, resolve, reject)
    const path = request.url.indexOf('/', request.url.indexOf('//') + 2)
    const options: Dispatcher.DispatchOptions = {
      origin: path === -1 ? request.url : request.url.slice(0, path),
      path: path === -1 ? '/' : request.url.slice(path),
      method: request.method as Dispatcher.HttpMethod,
      headers: request.headers,
      body: request.body ?? null,
      headersTimeout: undiciLimit(request.headersTimeoutMs),
      bodyTimeout: undiciLimit(request.bodyIdleTimeoutMs),
    }
    dispatcher.dispatch(options, exchange)
  })
}

/** undici spells "no limit" as 0. */
function undiciLimit(ms: number): number {
  return Number.isFinite(ms) ? ms : 0
}
