import type { Names } from '../base/checked.js'
import type { Clock } from '../base/clock.js'
import type { CiEventListener } from '../base/events.js'
import type { Timeouts } from '../transport/limits.js'
import type { Middleware, Transport, UndiciDispatcher } from '../transport/transport.js'
import type { TokenProvider } from './token-provider.js'

/** What the client does with a `Link` to another origin. */
export type LinkOrigin = 'refuse' | 'rebase'

/** The options of a {@link CiClient}: its service, its credentials, its limits. */
export interface CiClientOptions {
  /** The REST API, without `/v2`; a path prefix is kept. https, or http to this machine. */
  baseUrl: string | URL
  /** The GraphQL endpoint. @default `${baseUrl}/graphql` */
  graphqlUrl?: string | URL | undefined
  /** An access token, or a provider of tokens; without it requests carry no credentials. */
  auth?: string | TokenProvider | undefined
  /**
   * How requests travel. At most one of `transport` and `dispatcher`. @default undiciTransport()
   */
  transport?: Transport | undefined
  /**
   * An undici dispatcher for the default transport, such as a proxy agent or a mock; never closed
   * by the client.
   */
  dispatcher?: UndiciDispatcher | undefined
  /**
   * Milliseconds for a whole call: waits, tokens and attempts. `Infinity` for no limit. @default
   * 180000
   */
  timeoutMs?: number | undefined
  /**
   * Milliseconds for the phases of one attempt: 10 000 to connect, 30 000 to headers, 30 000 of
   * silence, 60 000 in all.
   */
  timeouts?: { [K in keyof Timeouts]?: number | undefined } | undefined
  /**
   * How often a call is repeated after failures that another attempt may change and where repeating
   * is safe. @default 2
   */
  maxRetries?: number | undefined
  /**
   * The longest wait a server may ask for, in milliseconds; a longer one is thrown at once.
   * @default 60000
   */
  maxRetryAfterMs?: number | undefined
  /** The largest answer, in bytes after decoding. @default 67108864 */
  maxBodyBytes?: number | undefined
  /**
   * When the next page of a list is at another origin, as behind a proxy that renames the server:
   * `refuse` to read it, or `rebase` it to the origin of `baseUrl`, with its path and query.
   * @default 'refuse'
   */
  linkOrigin?: LinkOrigin | undefined
  /** Wraps each attempt, the first one outermost; never sees the token. */
  middleware?: readonly Middleware[] | undefined
  /** Receives events: requests, answers, retries, waits. */
  onEvent?: CiEventListener | undefined
  /** Put before the SDK's own name in `user-agent`. */
  userAgent?: string | undefined
  /** Allow plain http to other machines, which sends tokens unencrypted. */
  allowInsecure?: boolean | undefined
  /** Time for waits and ages; the guards of real connections keep real time. */
  clock?: Clock | undefined
  /** From 0 up to, not including, 1; for jitter. */
  random?: (() => number) | undefined
}

export const clientNames: Names<CiClientOptions> = {
  baseUrl: true,
  graphqlUrl: true,
  auth: true,
  transport: true,
  dispatcher: true,
  timeoutMs: true,
  timeouts: true,
  maxRetries: true,
  maxRetryAfterMs: true,
  maxBodyBytes: true,
  linkOrigin: true,
  middleware: true,
  onEvent: true,
  userAgent: true,
  allowInsecure: true,
  clock: true,
  random: true,
}

/** The options of a single call. */
export interface CallOptions {
  /** Ends the call at once with `signal.reason`. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call: waits, tokens and attempts. */
  timeoutMs?: number | undefined
  /** Receives the events of this call, in addition to the client's own listener. */
  onEvent?: CiEventListener | undefined
  /** Added to every request of this call to the service itself. */
  headers?: Readonly<Record<string, string>> | undefined
  /** As the client's option of that name, for this call. */
  maxRetries?: number | undefined
  /** As the client's option of that name, for this call. */
  maxRetryAfterMs?: number | undefined
  /** As the client's option of that name, for this call. */
  maxBodyBytes?: number | undefined
}

export const callNames: Names<CallOptions> = {
  signal: true,
  timeoutMs: true,
  onEvent: true,
  headers: true,
  maxRetries: true,
  maxRetryAfterMs: true,
  maxBodyBytes: true,
}
