import { checkedFunction } from '../base/checked.js'
import { startTimer } from '../base/clock.js'
import { ConfigError } from '../errors/errors.js'
import { Cancellation, race } from './cancellation.js'
import {
  BodyTooLargeError,
  concat,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  TransportTimeout,
} from './transport.js'

/** The fetch of a platform. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * A transport over `fetch`, for edge runtimes and for tests whose mocks replace `globalThis.fetch`.
 * `fetchOf` is asked at every request, so a mock that starts later is used too. The platform
 * decodes bodies; their decoded size is limited. It pools connections as it likes: a request that
 * must not be replayed may meet a connection that is just closing.
 *
 * @throws ConfigError `config` unless `fetchOf` is a function.
 * @example
 * ```ts
 * const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth: token, transport: fetchTransport() })
 * ```
 */
export function fetchTransport(fetchOf: () => Fetch = () => globalThis.fetch): Transport {
  checkedFunction('fetchOf', fetchOf)
  return async (request, options) => {
    const ended = new Cancellation()
    const leave = options.onCancel(() => ended.cancel(options.signal.reason))
    try {
      const fetch = fetchOf()
      if (typeof fetch !== 'function')
        throw new ConfigError('transport', 'This runtime has no fetch: pass a transport')
      const response = await within(request.headersTimeoutMs, 'headers', ended, () =>
        fetch(request.url, requestInit(request, ended.signal)),
      )
      return fetchResponse(response, request.bodyIdleTimeoutMs, ended, leave)
    } catch (error) {
      leave()
      throw error
    }
  }
}

function requestInit(request: TransportRequest, signal: AbortSignal): RequestInit {
  const { method, headers, body } = request
  return {
    method,
    headers,
    redirect: 'manual',
    signal,
    ...(body === undefined ? undefined : { body }),
  }
}

/** fetch has no time limits of its own. */
async function within<T>(
  ms: number,
  kind: 'headers' | 'body',
  ended: Cancellation,
  run: () => Promise<T>,
): Promise<T> {
  const stop = startTimer(ms, () => ended.cancel(new TransportTimeout(kind)))
  try {
    return await race(run(), ended)
  } finally {
    stop()
  }
}

function fetchResponse(
  response: Response,
  idleMs: number,
  ended: Cancellation,
  leave: () => void,
): TransportResponse {
  async function* stream(): AsyncIterable<Uint8Array> {
    const reader = response.body?.getReader()
    try {
      while (reader !== undefined) {
        const { done, value } = await within(idleMs, 'body', ended, () => reader.read())
        if (done) return
        yield value
      }
    } finally {
      leave()
      reader?.cancel().catch(() => {})
    }
  }
  const bytes = async (maxBytes: number): Promise<Uint8Array> => {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of stream()) {
      size += part.byteLength
      if (size > maxBytes) throw new BodyTooLargeError(maxBytes)
      parts.push(part)
    }
    return concat(parts)
  }
  return {
    // A browser hides the status of a redirect that it does not follow; it is one all the same.
    status: response.type === 'opaqueredirect' ? 302 : response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    entries: () => response.headers.entries(),
    text: async (maxBytes) => new TextDecoder().decode(await bytes(maxBytes)),
    bytes,
    stream,
    discard: async () => {
      leave()
      await response.body?.cancel()
    },
  }
}
