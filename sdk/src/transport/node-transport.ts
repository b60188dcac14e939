import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request,
} from 'node:http'
import { finished } from 'node:stream'
import { checkedNames } from '../base/checked.js'
import { startTimer } from '../base/clock.js'
import { defaultTimeouts, timeLimit } from './limits.js'
import { bodyEncoding, decoded, decodedParts, utf8 } from './node-body.js'
import {
  BodyTooLargeError,
  type ClosableTransport,
  concat,
  type Transport,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
  TransportTimeout,
} from './transport.js'

/** Requests of one scheme, and the pool of their connections. */
interface SchemeClient {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest
  readonly agent: Agent
}

/** Settings of {@link nodeTransport}. */
export interface NodeTransportOptions {
  /** Milliseconds until a connection must stand. */
  connectTimeoutMs?: number | undefined
}

/**
 * A transport over `node:http` and `node:https` with a keep-alive pool of its own. It loads nothing
 * but Node's core, which is what a short-lived program wants; `undiciTransport` is faster in a
 * long-lived one.
 *
 * @throws ConfigError `config` for a `connectTimeoutMs` that is not a positive number.
 * @example
 * ```ts
 * import { CiClient } from '@buildwire/sdk'
 * import { nodeTransport } from '@buildwire/sdk/node-http'
 *
 * const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth: token, transport: nodeTransport() })
 * ```
 */
export function nodeTransport(options: NodeTransportOptions = {}): ClosableTransport {
  checkedNames('options', options, { connectTimeoutMs: true })
  const connectTimeoutMs = timeLimit(
    'connectTimeoutMs',
    options.connectTimeoutMs,
    defaultTimeouts.connectMs,
  )
  const pool = { keepAlive: true, maxSockets: 128 }
  const plain: SchemeClient = { request, agent: new Agent(pool) }
  let secure: Promise<SchemeClient> | undefined
  const openSecure = async (): Promise<SchemeClient> => {
    const https = await import('node:https')
    return { request: https.request, agent: new https.Agent(pool) }
  }
  const transport: Transport = async (given, control) => {
    const url = new URL(given.url)
    if (url.protocol !== 'https:') return exchange(plain, url, given, control, connectTimeoutMs)
    secure ??= openSecure()
    return exchange(await secure, url, given, control, connectTimeoutMs)
  }
  const close = async (): Promise<void> => {
    plain.agent.destroy()
    ;(await secure)?.agent.destroy()
  }
  return Object.assign(transport, { close })
}

function exchange(
  { request, agent }: SchemeClient,
  url: URL,
  { method, headers, body, freshConnection, headersTimeoutMs, bodyIdleTimeoutMs }: TransportRequest,
  control: TransportOptions,
  connectTimeoutMs: number,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: freshConnection ? false : agent })
    const leave = control.onCancel(() => void outgoing.destroy())
    const stopHeaders = startTimer(headersTimeoutMs, () =>
      outgoing.destroy(new TransportTimeout('headers')),
    )
    let stopConnect = (): void => {}
    const stop = (): void => {
      stopHeaders()
      stopConnect()
    }
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return
      stopConnect = startTimer(connectTimeoutMs, () =>
        outgoing.destroy(new TransportTimeout('connect')),
      )
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => stopConnect())
    })
    const fail = (error: Error): void => {
      stop()
      leave()
      reject(error)
    }
    // Stays for good: a connection that breaks while the body is read reports it here as well.
    outgoing.on('error', fail)
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(new Error('a response with another protocol, which was not requested'))
    })
    outgoing.on('response', (incoming) => {
      stop()
      resolve(nodeResponse(incoming, bodyIdleTimeoutMs, leave))
    })
    outgoing.end(body)
  })
}

function nodeResponse(
  incoming: IncomingMessage,
  idleMs: number,
  leave: () => void,
): TransportResponse {
  // A body that is destroyed unread emits an error, which must not end the process.
  incoming.on('error', () => {})
  const header = (name: string): string | undefined => incoming.headersDistinct[name]?.join(', ')
  const discard = async (): Promise<void> => {
    leave()
    incoming.destroy()
  }
  const guard = (): (() => void) =>
    startTimer(idleMs, () => incoming.destroy(new TransportTimeout('body')))
  async function* parts(): AsyncIterable<Uint8Array> {
    let stop = guard()
    try {
      for await (const part of incoming) {
        stop()
        yield part
        stop = guard()
      }
    } finally {
      stop()
    }
  }
  /** Most bodies are small and read whole: listeners cost less than a loop over promises. */
  const whole = (maxBytes: number): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const read: Uint8Array[] = []
      let size = 0
      let stop = guard()
      incoming.on('data', (part: Buffer) => {
        stop()
        size += part.byteLength
        if (size > maxBytes) return reject(new BodyTooLargeError(maxBytes))
        read.push(part)
        stop = guard()
      })
      finished(incoming, (error) => {
        stop()
        if (error == null) resolve(concat(read))
        else reject(error)
      })
    })
  async function* stream(isPacked = false): AsyncIterable<Uint8Array> {
    try {
      const encoding = isPacked ? undefined : header('content-encoding')
      yield* decodedParts(parts(), encoding, incoming.statusCode ?? 0)
    } finally {
      await discard()
    }
  }
  const bytes = async (maxBytes: number): Promise<Buffer> => {
    try {
      const encoding = bodyEncoding(header('content-encoding'))
      return await decoded(await whole(maxBytes), encoding, maxBytes)
    } finally {
      await discard()
    }
  }
  return {
    status: incoming.statusCode ?? 0,
    header,
    *entries() {
      for (const [name, values] of Object.entries(incoming.headersDistinct)) {
        for (const value of values ?? []) yield [name, value]
      }
    },
    text: async (maxBytes) => utf8(await bytes(maxBytes)),
    bytes,
    stream,
    discard,
  }
}
