import type { OperationId } from '@buildwire/sdk/contract'
import type { Caller, PathParameters } from '../context.js'
import { authorizationHeaders } from '../http/bearer.js'
import { readBytes } from '../http/bytes.js'
import type { QueryPairs } from '../http/query.js'
import type { Target } from '../http/target.js'
import type { Generation } from '../sandbox/sandbox.js'
import type { Exchange } from './exchange.js'

/** What a door knows beside the request itself. */
export interface DoorFacts {
  readonly door: Exchange['door']
  /** The socket's peer; loopback in process. */
  readonly peer: string
  /** Every `Authorization` header as sent, where the door sees raw headers. */
  readonly authorization?: readonly string[] | undefined
}

/** How much of a request body is kept for the log while a handler reads it. */
const keptBytes = 16_384

export interface LiveExchangeSetup {
  readonly id: string
  readonly sandbox: Generation
  readonly target: Target
  readonly facts: DoorFacts
  readonly ip: string
  readonly signal: AbortSignal
  /** Cap on the body of whatever serves the path. */
  readonly bodyLimit: number
}

/** The exchange while it is being answered: the route names its operation, the handler reads its body. */
export class LiveExchange implements Exchange {
  readonly id: string
  readonly sandbox: Generation
  readonly method: string
  readonly path: string
  readonly query: QueryPairs
  readonly headers: Headers
  readonly ip: string
  readonly door: Exchange['door']
  readonly signal: AbortSignal
  readonly at: number
  readonly authorization: readonly string[]
  operation: OperationId | null = null
  parameters: PathParameters = {}
  caller: Caller | undefined
  detail: string | undefined
  ruleId: string | undefined
  unexpected = false
  #request: Request
  #read: Uint8Array[] = []
  #size = 0
  /** Most bytes that the body may have. */
  readonly bodyLimit: number

  constructor(request: Request, setup: LiveExchangeSetup) {
    this.id = setup.id
    this.sandbox = setup.sandbox
    this.method = request.method
    this.path = setup.target.path
    this.query = [...new URLSearchParams(setup.target.search)]
    this.headers = request.headers
    this.ip = setup.ip
    this.door = setup.facts.door
    this.signal = setup.signal
    this.at = setup.sandbox.clock.now()
    this.authorization = authorizationHeaders(request, setup.facts.authorization)
    this.bodyLimit = setup.bodyLimit
    this.#request = request.body === null ? request : this.#tapped(request, request.body)
  }

  /** The request for whoever handles it: its body passes by here, or was read before. */
  get request(): Request {
    return this.#request
  }

  get bodyRead(): Uint8Array {
    return Buffer.concat(this.#read).subarray(0, keptBytes)
  }

  async body(): Promise<Uint8Array | undefined> {
    if (this.#request.body === null) return new Uint8Array()
    const { url, method, headers } = this.#request
    const bytes = await readBytes(this.#request, this.bodyLimit)
    if (!bytes.ok) return undefined
    this.#request = new Request(url, { method, headers, body: bytes.value as Uint8Array<ArrayBuffer> })
    return bytes.value
  }

  #tapped(request: Request, body: ReadableStream<Uint8Array>): Request {
    const tap = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (this.#size < keptBytes) this.#read.push(chunk)
        this.#size += chunk.byteLength
        controller.enqueue(chunk)
      },
    })
    const { url, method, headers } = request
    return new Request(url, { method, headers, body: body.pipeThrough(tap), duplex: 'half' } as RequestInit)
  }
}
