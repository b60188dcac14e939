import type { Names } from '../base/checked.js'
import type { Clock } from '../base/clock.js'
import type { CiEventListener } from '../base/events.js'
import type { SignalHub } from '../transport/cancellation.js'
import type { Timeouts } from '../transport/limits.js'
import type { Middleware, Transport } from '../transport/transport.js'
import type { Lifetime } from './lifetime.js'
import type { RateGate } from './rate-limit.js'
import type { ServiceUrl } from './service-url.js'
import type { AccessToken, TokenProvider } from './token-provider.js'

/** What becomes of a `Link` that names another origin. */
export type LinkOrigin = 'refuse' | 'rebase'

/** What every call of one client shares. */
export interface ClientContext {
  readonly api: ServiceUrl
  readonly graphql: ServiceUrl
  readonly provider: TokenProvider | undefined
  /** The provider's only token, when it has just one: it need not be asked each time. */
  readonly fixedToken: AccessToken | undefined
  readonly transport: Transport
  readonly middleware: readonly Middleware[]
  readonly clock: Clock
  readonly random: () => number
  readonly emit: CiEventListener | undefined
  readonly userAgent: string
  readonly timeoutMs: number
  readonly timeouts: Timeouts
  readonly maxRetries: number
  readonly maxRetryAfterMs: number
  readonly maxBodyBytes: number
  readonly linkOrigin: LinkOrigin
  /** Makes the id of the next call, another one for each, of other processes too. */
  readonly nextCallId: () => string
  readonly gate: RateGate
  readonly hub: SignalHub
  readonly lifetime: Lifetime
}

/** How functions beside the client reach its clock and events. */
export const contextOf = Symbol('buildwire.context')

/** What a single call may set. */
export interface CallOptions {
  /** Ends the call at once with `signal.reason`, wherever it is. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call: waits, tokens and attempts. */
  timeoutMs?: number | undefined
  /** Sees the events of this call, beside the client's own listener. */
  onEvent?: CiEventListener | undefined
  /** Added to every request of this call to the service itself. */
  headers?: Readonly<Record<string, string>> | undefined
  /** As the client's option of that name, for this call. */
  maxRetries?: number | undefined
  /** As the client's option of that name, for this call. */
  maxRetryAfterMs?: number | undefined
}

export const callNames: Names<CallOptions> = {
  ...{ signal: true, timeoutMs: true, onEvent: true },
  ...{ headers: true, maxRetries: true, maxRetryAfterMs: true },
}
