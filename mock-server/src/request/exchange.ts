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
 * The three public URLs, with the prefix of the sandbox. All URLs in records are made from these,
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
  /** With the host of the request, if it is one of the server's. */
  readonly urls: Urls
  readonly allUrls: readonly Urls[]
  readonly lifecycle: Lifecycle
  /** True: unknown properties of a body are refused instead of ignored. */
  readonly strict: boolean
  readonly printed: { readonly listed: PrintedBuilds; readonly alone: PrintedBuilds }
  /** The key that signs temporary links. Each sandbox of each process has its own. */
  readonly linkKey: string
  readonly oauth: OAuthState
}

/** The user and the rights of a token at present. Set before a handler that requires a token. */
export type Caller = TokenUse

export interface HandlerAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** `body` is sent as JSON, `text` and `json` as they are. Without these the body is empty. */
  readonly body?: unknown
  readonly text?: string | Uint8Array
  readonly json?: Uint8Array
}

/** The client of a request; it may disconnect before the answer. */
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
 * `Headers` joins repeated fields with commas. Credentials contain no comma, so a second credential
 * is found by splitting there.
 */
function authorizationOf(request: Request, raw?: readonly string[]): readonly string[] {
  return (
    raw ?? request.headers.get('authorization')?.split(/,\s*(?=(?:bearer|basic)(?: |$))/i) ?? []
  )
}

/** The number of bytes of a request body that are kept for the log. */
const keptBytes = 16_384

export type PathParameters = Readonly<Record<string, string>>

interface ExchangeSetup<S extends SandboxContext>
  extends Pick<Exchange<S>, 'id' | 'sandbox' | 'kind' | 'ip'> {
  readonly target: RequestTarget
  readonly facts: DoorFacts
  readonly bodyLimit: number
}

/**
 * One request while the server handles it. The route sets its operation; handlers read its body.
 */
export class Exchange<S extends SandboxContext = SandboxContext> {
  /** The `X-Request-Id` of the answer. */
  readonly id: string
  readonly sandbox: S
  readonly kind: PathKind
  readonly method: string
  /** In normal form, without the prefix of the sandbox. */
  readonly path: string
  /** Decoded, in the order of the request. */
  readonly query: QueryPairs
  readonly headers: Headers
  readonly ip: string
  readonly client: Client
  /** The time of the sandbox clock when the request arrived, epoch ms. */
  readonly now: number
  readonly authorization: readonly string[]
  /** The operation of the route; null for pages, documents and unknown paths. */
  operation: OperationId | null = null
  parameters: PathParameters = {}
  /**
   * Set while the request is handled: the caller, the reason of a refusal, the rule that answered,
   * and whether the request is unexpected in a test.
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

  /** The request for a handler. Its body can be read even if the server has read it before. */
  get request(): Request {
    return this.#again ?? this.#incoming
  }

  get bodyRead(): Uint8Array {
    return Buffer.concat(this.#read).subarray(0, keptBytes)
  }

  /** The bytes of the body, read at the first call; refused if too many or incomplete. */
  bytes(): Promise<Decision<Uint8Array>> {
    let keptSize = 0
    this.#bytes ??= readBytes(
      this.headers,
      this.#chunks ?? this.#incoming.body,
      this.#bodyLimit,
      (chunk) => {
        if (keptSize < keptBytes) this.#read.push(chunk)
        keptSize += chunk.byteLength
      },
    )
    return this.#bytes
  }

  /** Reads the whole body and keeps it for the handler; undefined if too large or incomplete. */
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

/** A request as its handler gets it: the caller is set if the operation requires a token. */
export type RequestContext = Exchange & { readonly caller: Caller }

export type RequestHandler = (
  context: RequestContext,
) => Decision<HandlerAnswer> | Promise<Decision<HandlerAnswer>>

export type Handlers = { readonly [K in OperationId]: RequestHandler }
