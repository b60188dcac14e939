import type { OperationId } from '@buildwire/sdk/contract'
import type { Caller, PathParameters, SandboxContext } from '../context.js'
import type { QueryPairs } from '../http/query.js'
import type { RequestEntry } from '../request-log/entry.js'
import type { Rules } from '../rules/rules.js'

/** Who waits for an answer, and may not wait to its end. */
export interface Client {
  readonly left: boolean
  /** Ends when the client leaves; made when somebody asks for it. */
  readonly signal: AbortSignal
}

/** One request on its way through the server, as rules and the request log see it. */
export interface Exchange {
  /** The `X-Request-Id` of the answer. */
  readonly id: string
  readonly sandbox: SandboxContext
  /** The operation that the route belongs to; null for pages, documents and paths that nothing serves. */
  readonly operation: OperationId | null
  readonly parameters: PathParameters
  readonly method: string
  /** Decoded nowhere, without the sandbox's prefix. */
  readonly path: string
  readonly query: QueryPairs
  readonly headers: Headers
  readonly ip: string
  /** Whether the request came over a socket: then faults of the socket can be shown. */
  readonly door: 'listen' | 'fetch' | 'dispatcher' | 'msw'
  readonly client: Client
  /** Wall time of the sandbox's clock when the request came, epoch ms. */
  readonly at: number
  /** The whole body, read now and kept for the handler; undefined when it is larger than its cap or incomplete. */
  body(): Promise<Uint8Array | undefined>
  /** What was read of the body so far, at most the log's share of it. */
  readonly bodyRead: Uint8Array
  /** Set on the way: who called, why it was refused, which rule answered, and whether a test should wonder about it. */
  caller: Caller | undefined
  detail: string | undefined
  ruleId: string | undefined
  unexpected: boolean
}

/** What stands between a route and its real answer: rules, and the log of all that was asked and answered. */
export interface Overlay {
  /** Answers the exchange, by `real()` unless a rule has it otherwise; a rejection is a broken connection. */
  answer(exchange: Exchange, real: () => Promise<Response>): Promise<Response>
  /** Ends waits: in a reset with its refusal, else as a broken connection. */
  close(reset: boolean): void
}

/** One exchange as the server saw it. */
export interface Sight {
  readonly exchange: Exchange
  readonly entry: RequestEntry
  /** When it came and when it was answered, ms of the host's monotonic clock. */
  readonly startedAt: number
  readonly answeredAt: number
  /** The whole body of the answer. */
  readonly body: Uint8Array
}

/** Who examines a client: with rules that go before all others and outlive a reset, and by all that the server sees. */
export interface Examiner {
  readonly rules: Pick<Rules, 'take' | 'wantsBody'>
  /** Called before the answer leaves. */
  see(sight: Sight): void
}
