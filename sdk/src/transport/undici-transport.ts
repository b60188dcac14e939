import type { Dispatcher } from 'undici'
import { checkedMethods, checkedNames } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'
import { safeCause } from '../errors/redact.js'
import { defaultTimeouts, timeLimit } from './limits.js'
import type {
  ClosableTransport,
  TransportOptions,
  TransportRequest,
  TransportResponse,
  UndiciDispatcher,
} from './transport.js'
import { UndiciExchange } from './undici-exchange.js'

type Undici = typeof import('undici')

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
  let pools: Promise<Pools> | undefined
  let ready: Pools | undefined
  const open = async (): Promise<Pools> => {
    ready = makePools(await load(), dispatcher, connectTimeoutMs)
    return ready
  }
  const transport = (
    request: TransportRequest,
    control: TransportOptions,
  ): Promise<TransportResponse> => {
    if (ready !== undefined) return dispatch(ready, request, control)
    pools ??= open()
    return pools.then((opened) => dispatch(opened, request, control))
  }
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await (await pools)?.close()
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

async function load(): Promise<Undici> {
  try {
    return await import('undici')
  } catch (error) {
    const what =
      'undici cannot be loaded: install it, or give a transport, such as fetchTransport()'
    throw new ConfigError('transport', what, { cause: safeCause(error, []) })
  }
}

interface Pools {
  readonly undici: Undici
  readonly kept: UndiciDispatcher
  readonly fresh: UndiciDispatcher
  close(): Promise<unknown>
}

function makePools(
  undici: Undici,
  dispatcher: UndiciDispatcher | undefined,
  connectTimeoutMs: number,
): Pools {
  if (dispatcher !== undefined)
    return { undici, kept: dispatcher, fresh: dispatcher, close: async () => {} }
  const connect = { timeout: Number.isFinite(connectTimeoutMs) ? connectTimeoutMs : 0 }
  const kept = new undici.Agent({ connections: 128, keepAliveTimeout: 4_000, connect })
  // Without pipelining a connection serves one request and closes.
  const fresh = new undici.Agent({ connections: 128, pipelining: 0, connect })
  return { undici, kept, fresh, close: () => Promise.all([kept.close(), fresh.close()]) }
}

function dispatch(
  { undici, kept, fresh }: Pools,
  request: TransportRequest,
  control: TransportOptions,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const exchange = new UndiciExchange(undici, control, resolve, reject)
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
    const pool = request.freshConnection ? fresh : kept
    pool.dispatch(options, exchange)
  })
}

/** undici spells "no limit" as 0. */
function undiciLimit(ms: number): number {
  return Number.isFinite(ms) ? ms : 0
}
