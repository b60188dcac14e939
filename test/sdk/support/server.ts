import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as the server saw it. */
interface Seen {
  readonly method: string
  /** Path and query, as they came. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Number of the connection it came on, from 1. */
  readonly connection: number
}

export interface TestServer {
  readonly url: string
  readonly requests: Seen[]
  /** Connections accepted so far. */
  connections(): number
}

/** What a test answers: `index` counts the requests from 0. */
export type Answering = (
  response: ServerResponse,
  seen: Seen,
  index: number,
) => void | Promise<void>

/** An HTTP server on a free port that ends with the test. */
export async function serve(answer: Answering): Promise<TestServer> {
  const requests: Seen[] = []
  const numbers = new Map<Socket, number>()
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const seen: Seen = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
      connection: numbers.get(incoming.socket) ?? 0,
    }
    requests.push(seen)
    await answer(response, seen, requests.length - 1)
  })
  server.on('connection', (socket) => numbers.set(socket, numbers.size + 1))
  const url = await listen(server)
  return { url, requests, connections: () => numbers.size }
}

/** A server that speaks bytes: for answers that no HTTP library would give. */
export async function serveSockets(
  handle: (socket: Socket, index: number) => void,
): Promise<TestServer> {
  let connections = 0
  const server = createSocketServer((socket) => {
    socket.on('error', () => {})
    handle(socket, connections++)
  })
  const url = await listen(server)
  return { url, requests: [], connections: () => connections }
}

async function listen(server: Server): Promise<string> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

/** An address that refuses connections. */
export async function closedPort(): Promise<string> {
  const server = createSocketServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

/** An answer about a build: what it has, the status of a failure, or by hand. */
export type Look = object | number | ((response: ServerResponse) => void)

/** One answer after the other, the last one for ever. */
export function sequence(answers: readonly Look[]): Answering {
  return (response, _, index) => {
    const answer = answers[Math.min(index, answers.length - 1)]
    if (typeof answer === 'function') return answer(response)
    if (typeof answer === 'number') return json(response, answer, { message: 'no' })
    json(response, 200, build(42, answer))
  }
}

/** A build as short as a client must accept it. */
export function build(
  number: number,
  more: object = {},
): { id: string; number: number; state: string } {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    number,
    state: 'scheduled',
    ...more,
  }
}
