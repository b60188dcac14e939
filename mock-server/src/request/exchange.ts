import type { OperationId } from '@buildwire/sdk/contract'
import type { Clock } from '../base/clock.js'
import type { Ids } from '../base/ids.js'
import type { TokenUse } from '../domain/access-token.js'
import type { Decision } from '../domain/decision.js'
import { readBytes } from '../http/body.js'
import type { PrintedBuilds } from '../http/printed-builds.js'
import type { QueryPairs } from '../http/query.js'
import type { PathKind, RequestTarget } from '../http/target.js'
import type { OAuthState } from '../oauth/oauth-state.js'
import type { Lifecycle } from '../records/records.js'
import type { Settings } from '../seed/settings.js'
import type { Store } from '../store/store.js'

/**
 * The three public URLs (with the sandbox's prefix): every URL in a record is made from these,
 * never from `Host`.
 */
export interface Urls {
  readonly baseUrl: string
  readonly authUrl: string
  readonly webUrl: string
}

export interface SandboxContext {
  readonly id: string
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly settings: Settings
  /** Under the name that the request came to, where it is one of the server's. */
  readonly urls: Urls
  readonly allUrls: readonly Urls[]
  readonly lifecycle: Lifecycle
  /** Whether unknown properties of a body are refused instead of ignored. */
  readonly strict: boolean
  readonly printed: { readonly listed: PrintedBuilds; readonly alone: PrintedBuilds }
  /**
   * Signs links that are valid by themselves for a moment; no other sandbox and no other process
   * has it.
   */
  readonly linkKey: string
  readonly oauth: OAuthState
}

/**
 * Who calls, and what the token is worth right now: set before a handler runs whenever the
 * operation wants one.
 */
export type Caller = TokenUse

export interface HandlerAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Sent as JSON; a string under `text`, or its bytes, is sent as it is. Neither: an empty body.
   */
  readonly body?: unknown
  readonly text?: string | Uint8Array
  readonly json?: Uint8Array
}

/** Who waits for an answer, and may not wait to its end. */
export interface Client {
  readonly left: boolean
  readonly signal: AbortSignal
}

export interface DoorFacts {
  readonly client: Client
  /** The socket's peer; loopback in process. */
  readonly peer: string
  /** Every `Authorization` header as sent, where the door sees raw headers. */
  readonly authorization?: readonly string[] | undefined
  readonly chunks?: AsyncIterable<Uint8Array> | undefined
}

export type InProcessFacts = Omit<DoorFacts, 'client'>

export function clientOf(signal: AbortSignal): Client {
  return {
    get left() {
      return signal.aborted
    },
    signal,
  }
}

/**
 * Of a joined view the second credential still shows: neither a b64token nor Basic credentials hold
 * a comma.
 */
function authorizationOf(request: Request, raw?: readonly string[]): readonly string[] {
  return (
    raw ?? request.headers.get('authorization')?.split(/,\s*(?=(?:bearer|basic)(?: |$))/i) ?? []
  )
}

/** How much of a request body is kept for the log while a handler reads it. */
const keptBytes = 16_384

export type PathParameters = Readonly<Record<string, string>>

interface ExchangeSetup<S extends SandboxContext>
  extends Pick<Exchange<S>, 'id' | 'sandbox' | 'kind' | 'ip'> {
  readonly target: RequestTarget
  readonly facts: DoorFacts
  readonly bodyLimit: number
}

/**
 * One request on its way through the server: the route names its operation, the handler reads its
 * body.
 */
export class Exchange<S extends SandboxContext = SandboxContext> {
  /** The `X-Request-Id` of the answer. */
  readonly id: string
  readonly sandbox: S
  readonly kind: PathKind
  readonly method: string
  /** Each segment encoded in the one way, without the sandbox's prefix. */
  readonly path: string
  /** Decoded, in the order sent. */
  readonly query: QueryPairs
  readonly headers: Headers
  readonly ip: string
  readonly client: Client
  /** Wall time of the sandbox's clock when the request came, epoch ms. */
  readonly now: number
  readonly authorization: readonly string[]
  /**
   * The operation that the route belongs to; null for pages, documents and paths that nothing
   * serves.
   */
  operation: OperationId | null = null
  parameters: PathParameters = {}
  /**
   * Set on the way: who called, why it was refused, which rule answered, and whether a test should
   * wonder about it.
   */
  caller: Caller | undefined
  detail: string | undefined
  ruleId: string | undefined
  unexpected = false
  readonly #incoming: Request
  readonly #chunks: AsyncIterable<Uint8Array> | undefined
  readonly #bodyLimit: number
  readonly #read: Uint8Array[] = []
  #bytes: Promise<Decision<Uint8Array>> | undefined
  #again: Request | undefined

  constructor(
    request: Request,
    { id, sandbox, kind, target, facts, ip, bodyLimit }: ExchangeSetup<S>,
  ) {
    this.id = id
    this.sandbox = sandbox
    this.kind = kind
    this.method = request.method
    this.path = target.path
    this.query = [...new URLSearchParams(target.search)]
    this.headers = request.headers
    this.ip = ip
    this.client = facts.client
    this.now = sandbox.clock.now()
    this.authorization = authorizationOf(request, facts.authorization)
    this.#bodyLimit = bodyLimit
    this.#incoming = request
    this.#chunks = facts.chunks
  }

  /** The request for whoever handles it, its body to be read once more where it was read before. */
  get request(): Request {
    return this.#again ?? this.#incoming
  }

  get bodyRead(): Uint8Array {
    return Buffer.concat(this.#read).subarray(0, keptBytes)
  }

  /**
   * The bytes of the body, read when first asked for; refused where they are too many or not
   * complete.
   */
  bytes(): Promise<Decision<Uint8Array>> {
    let kept = 0
    this.#bytes ??= readBytes(
      this.headers,
      this.#chunks ?? this.#incoming.body,
      this.#bodyLimit,
      (chunk) => {
        if (kept < keptBytes) this.#read.push(chunk)
        kept += chunk.byteLength
      },
    )
    return this.#bytes
  }

  /**
   * The whole body, read now and kept for the handler; undefined when it is larger than its cap or
   * incomplete.
   */
  async body(): Promise<Uint8Array | undefined> {
    const bytes = await this.bytes()
    if (!bytes.ok) return undefined
    const { method, headers } = this
    const bodiless = method === 'GET' || method === 'HEAD'
    const body = bodiless ? null : (bytes.value as Uint8Array<ArrayBuffer>)
    this.#again ??= new Request(this.#incoming.url, { method, headers, body })
    return bytes.value
  }
}

/**
 * A request as its operation's handler gets it: the caller is known wherever the operation wants a
 * bearer token.
 */
export type RequestContext = Exchange & { readonly caller: Caller }

export type RequestHandler = (
  context: RequestContext,
) => Decision<HandlerAnswer> | Promise<Decision<HandlerAnswer>>

export type Handlers = { readonly [K in OperationId]: RequestHandler }
