import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { bytesOf } from '../../request/answer.js'
import { unnamedHost } from '../../request/authority.js'
import type { Client, DoorFacts } from '../../request/exchange.js'
import { FaultError } from '../../rules/perform.js'
import type { Limits } from '../../sandbox/options.js'
import { type Adapter, loadAdapter } from './adapter.js'
import { playFault } from './socket-fault.js'

export interface ListenOptions {
  /** Default 0: a free port. */
  readonly port?: number | undefined
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
}

/** A server on a port. */
export interface Listening {
  readonly url: string
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

/** Answers a request that came over a socket. `target` is the request target as sent. */
export type Answerer = (request: Request, facts: DoorFacts, target: string) => Promise<Response>

/**
 * Opens the port. `now` dates the answers that this adapter gives itself.
 *
 * @throws the system's error (EADDRINUSE, EACCES, …)
 */
export async function listenOnPort(
  answer: Answerer,
  limits: Limits,
  options: ListenOptions,
  now: () => number,
) {
  const server = await makeServer(answer, limits, options, now)
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  return {
    url: new URL(`${options.tls ? 'https' : 'http'}://${urlHost(host)}:${port}`).origin,
    host,
    port,
    /** Accepts no new connections and closes idle ones. Resolves when the last one has closed. */
    drain() {
      server.close()
      server.closeIdleConnections()
      return closed
    },
    destroy: () => server.closeAllConnections(),
  }
}

export type NodeDoor = Awaited<ReturnType<typeof listenOnPort>>

/** The host of a URL for a bound address: loopback for any-address, brackets around IPv6. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

async function makeServer(
  answer: Answerer,
  limits: Limits,
  { tls }: ListenOptions,
  now: () => number,
): Promise<Server> {
  const settings = {
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    // The listener below refuses a missing Host, in JSON.
    requireHostHeader: false,
  }
  const refuse: Refuse = (status, message) => refusal(status, message, now())
  const handle = listener(answer, refuse, bodyOf)
  const handleExpecting = listener(answer, refuse, expectedBodyOf)
  const server = tls
    ? (await import('node:https')).createServer({ ...settings, ...tls }, handle)
    : createServer(settings, handle)
  server.maxConnections = limits.connections
  server.on('clientError', (error, socket) => refuseUnparsed(error, socket, refuse))
  server.on('connect', (_incoming, socket) =>
    socket.end(asBytes(refuse(405, 'Method not allowed'))),
  )
  server.on('checkContinue', (incoming, outgoing) => handleExpecting(incoming, outgoing))
  server.on('checkExpectation', ({ socket, method }) =>
    socket.end(asBytes(refuse(417, 'Expectation failed'), method)),
  )
  return server
}

type Refuse = (status: number, message: string) => Refusal

type ReadBody = (message: IncomingMessage, reply: ServerResponse) => AsyncIterable<Uint8Array>

/**
 * The body of a request. The connection stays open for the answer if the body is not read whole.
 */
const bodyOf: ReadBody = (message) => message.iterator({ destroyOnReturn: false })

/**
 * The body of a client that expects 100-continue (RFC 9110 §10.1.1), which the first read sends.
 */
async function* expectedBodyOf(
  message: IncomingMessage,
  reply: ServerResponse,
): AsyncIterable<Uint8Array> {
  reply.writeContinue()
  yield* bodyOf(message, reply)
}

function listener(answer: Answerer, refuse: Refuse, readBody: ReadBody): RequestListener {
  let loaded: RequestListener | undefined
  return (incoming, outgoing) => {
    noteAnswer(incoming.socket, outgoing)
    if (loaded !== undefined) return loaded(incoming, outgoing)
    void loadAdapter().then((made) => {
      loaded ??= adapted(made, answer, refuse, readBody)
      if (!outgoing.closed) loaded(incoming, outgoing)
    })
  }
}

function adapted(
  { getRequestListener, RESPONSE_ALREADY_SENT }: Adapter,
  answer: Answerer,
  refuse: Refuse,
  readBody: ReadBody,
): RequestListener {
  const badRequest = () => asResponse(refuse(400, 'Bad request'))
  const listen = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const message = incoming as IncomingMessage
      if (!isUsableHost(message) || !isUsableTarget(message.url ?? '/')) return badRequest()
      const client = new SocketClient(outgoing as ServerResponse)
      const facts: DoorFacts = {
        client,
        peer: message.socket.remoteAddress ?? '',
        authorization: rawValues(message, 'authorization'),
        chunks: carriesBody(message) ? readBody(message, outgoing as ServerResponse) : undefined,
      }
      try {
        const response = await answer(request, facts, message.url ?? '/')
        const content = bytesOf(response)
        if (content === undefined) return response
        const reply = outgoing as ServerResponse
        reply.writeHead(response.status, Object.fromEntries(response.headers)).end(content)
        return RESPONSE_ALREADY_SENT
      } catch (error) {
        if (!(error instanceof FaultError)) throw error
        playFault(message.socket, error.fault, client.signal)
        return RESPONSE_ALREADY_SENT
      }
    },
    // A request of HTTP/1.0 may lack Host; its URL then has this host name.
    { overrideGlobalObjects: false, errorHandler: badRequest, hostname: unnamedHost },
  )
  return (incoming, outgoing) => void listen(incoming, outgoing)
}

/** The answers that each connection still has to send, in the order of their requests. */
const openAnswers = new WeakMap<Duplex, Set<ServerResponse>>()

function noteAnswer(socket: Socket, outgoing: ServerResponse): void {
  const answers = openAnswers.get(socket) ?? new Set()
  openAnswers.set(socket, answers.add(outgoing))
  outgoing.once('close', () => answers.delete(outgoing))
}

/** The client of a request. Its signal is created when needed, because most are never read. */
class SocketClient implements Client {
  left = false
  #leaving: AbortController | undefined

  constructor(outgoing: ServerResponse) {
    outgoing.once('close', () => {
      this.left = true
      this.#leaving?.abort(gaveUp())
    })
  }

  get signal(): AbortSignal {
    if (this.left) return AbortSignal.abort(gaveUp())
    this.#leaving ??= new AbortController()
    return this.#leaving.signal
  }
}

function gaveUp(): Error {
  return new Error('The client gave up')
}

function carriesBody({ method }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function rawValues({ rawHeaders }: IncomingMessage, wanted: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted)
}

/**
 * Whether there is exactly one Host, which a URL can have; HTTP/1.0 may omit it (RFC 9112 §3.2).
 */
function isUsableHost(message: IncomingMessage): boolean {
  const [host = '', ...more] = rawValues(message, 'host')
  if (more.length > 0) return false
  return host === '' ? message.httpVersion === '1.0' : URL.canParse(`http://${host}`)
}

/** A path, or the absolute form of RFC 9112 without credentials, which Request refuses. */
function isUsableTarget(target: string): boolean {
  return target.startsWith('/') || /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(target)
}

const parserAnswers: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
}

/** Answers a request that Node's parser refused: writes a JSON response to the socket. */
function refuseUnparsed(
  error: Error & { code?: string; rawPacket?: Buffer },
  socket: Duplex,
  refuse: Refuse,
): void {
  const { bytesWritten = 0 } = socket as Socket
  const isReset = error.code === 'ECONNRESET' || !socket.writable
  // A complete request before the broken bytes may have changed state, so its answer is sent first.
  const last = [...(openAnswers.get(socket) ?? [])].filter(({ req }) => req.complete).at(-1)
  if (last !== undefined && !isReset) {
    last.shouldKeepAlive = false
    last.once('finish', () => (socket as Socket).destroySoon())
    return
  }
  const { _httpMessage: present } = socket as Socket & { _httpMessage?: unknown }
  const isWithinAnswer = bytesWritten > 0 && Boolean(present)
  // A second answer inside a half-sent one would be unreadable.
  if (isReset || isWithinAnswer) {
    socket.destroy()
    return
  }

  const [status, message] = parserAnswers[error.code ?? ''] ?? [400, 'Bad request']
  const [method] = error.rawPacket?.toString('latin1', 0, 5).split(' ') ?? []
  socket.end(asBytes(refuse(status, message), method))
}

/** An answer that this adapter gives before there is a `Request`: in JSON, dated by the clock. */
function refusal(status: number, message: string, now: number) {
  return {
    status,
    body: JSON.stringify({ message }),
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      Date: new Date(now).toUTCString(),
      Connection: 'close',
    },
  }
}

type Refusal = ReturnType<typeof refusal>

function asResponse({ status, body, headers }: Refusal): Response {
  return new Response(body, { status, headers })
}

/** The bytes of the whole answer. An answer to HEAD has Content-Length but no body. */
function asBytes({ status, body, headers }: Refusal, method?: string): Buffer {
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${method === 'HEAD' ? '' : body}`,
  )
}
