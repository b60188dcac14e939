import { ownTransport, undiciTransport } from '#transport'
import {
  checkedClock,
  checkedFlag,
  checkedNames,
  checkedRandom,
  checkedWord,
  must,
  type Names,
} from '../base/checked.js'
import type { Clock } from '../base/clock.js'
import { type CiEventListener, joinListeners } from '../base/events.js'
import { ConfigError } from '../errors/errors.js'
import { SignalHub } from '../transport/cancellation.js'
import {
  countLimit,
  retryAfterLimit,
  type Timeouts,
  timeLimit,
  timeouts,
} from '../transport/limits.js'
import type { Middleware, Transport, UndiciDispatcher } from '../transport/transport.js'
import { RateGate } from './rate-limit.js'
import { serviceUrl } from './service-url.js'
import {
  type AccessToken,
  SecretAccessToken,
  staticToken,
  type TokenProvider,
} from './token-provider.js'

/** What becomes of a `Link` that names another origin. */
export type LinkOrigin = 'refuse' | 'rebase'

/** How a {@link CiClient} reaches its service, and within which limits. */
export interface CiClientOptions {
  /** The REST API, without `/v2`; a path prefix is kept. https, or http to this machine. */
  baseUrl: string | URL
  /** The GraphQL endpoint. @default `${baseUrl}/graphql` */
  graphqlUrl?: string | URL | undefined
  /** An access token, or where tokens come from; without it requests carry no credentials. */
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
   * The next page of a list at another origin, as behind a proxy that renames the server: `refuse`
   * it when it is asked for, or `rebase` it, keeping path and query, to the origin of `baseUrl`.
   * @default 'refuse'
   */
  linkOrigin?: LinkOrigin | undefined
  /** Wraps each attempt, the first one outermost; never sees the token. */
  middleware?: readonly Middleware[] | undefined
  /** Looks at what happens: requests, answers, retries, waits. */
  onEvent?: CiEventListener | undefined
  /** Put before the SDK's own name in `user-agent`. */
  userAgent?: string | undefined
  /** Allow plain http to other machines: only in a network you trust with your tokens. */
  allowInsecure?: boolean | undefined
  /** Time for waits and ages; the guards of real connections keep real time. */
  clock?: Clock | undefined
  /** From 0 up to, not including, 1; for jitter. */
  random?: (() => number) | undefined
}

const names: Names<CiClientOptions> = {
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
  signal: true,
  timeoutMs: true,
  onEvent: true,
  headers: true,
  maxRetries: true,
  maxRetryAfterMs: true,
}

/** What every call of one client shares. */
export type ClientContext = Readonly<ReturnType<typeof clientContext>>

/** How functions beside the client reach its clock and events. */
export const contextOf = Symbol('buildwire.context')

/** Checks the options and makes of them what every call shares. @throws ConfigError `config` */
export function clientContext(options: CiClientOptions, urlOption = 'baseUrl') {
  checkedNames('options', options, names)
  const allowInsecure = checkedFlag('allowInsecure', options.allowInsecure)
  const api = serviceUrl(urlOption, options.baseUrl, allowInsecure)
  const limits = timeouts(options.timeouts)
  checkedWord('linkOrigin', options.linkOrigin, 'refuse', 'rebase')
  const { transport, close } = chosenTransport(options, limits.connectMs)
  const clock = checkedClock(options.clock)
  return {
    api,
    graphql: serviceUrl('graphqlUrl', options.graphqlUrl ?? `${api.href}/graphql`, allowInsecure),
    ...tokenSource(options.auth),
    transport,
    middleware: middleware(options.middleware),
    clock,
    random: checkedRandom(options.random),
    emit: joinListeners(options.onEvent),
    userAgent: userAgent(options.userAgent),
    timeoutMs: timeLimit('timeoutMs', options.timeoutMs, 180_000),
    timeouts: limits,
    maxRetries: countLimit('maxRetries', options.maxRetries, 2),
    maxRetryAfterMs: retryAfterLimit(options.maxRetryAfterMs, 60_000),
    maxBodyBytes: countLimit('maxBodyBytes', options.maxBodyBytes, 64 * 1024 * 1024, 1),
    linkOrigin: options.linkOrigin ?? 'refuse',
    nextCallId: callIds(),
    gate: new RateGate(clock),
    hub: new SignalHub(),
    lifetime: lifetime(close),
  }
}

/**
 * The same client for another user: everything shared, but the token and the user's own request
 * window.
 */
export function contextFor(context: ClientContext, auth: string | TokenProvider): ClientContext {
  const { gate, lifetime: parent } = context
  return {
    ...context,
    ...tokenSource(auth),
    gate: gate.sibling(),
    lifetime: lifetime(async () => {}, parent),
  }
}

/**
 * Where tokens come from; `fixedToken` is a provider's only one, which need not be asked for each
 * time.
 */
function tokenSource(auth: string | TokenProvider | undefined): {
  provider: TokenProvider | undefined
  fixedToken: AccessToken | undefined
} {
  if (auth === undefined) return { provider: undefined, fixedToken: undefined }
  if (typeof auth === 'string')
    return { provider: staticToken(auth), fixedToken: new SecretAccessToken(auth, null) }
  if (typeof auth?.getToken === 'function' && typeof auth.invalidate === 'function') {
    return { provider: auth, fixedToken: undefined }
  }
  throw must('auth', 'be an access token or an object with getToken() and invalidate()')
}

/** The transport that the options name, and what closes it when it is ours. */
function chosenTransport({ transport, dispatcher }: CiClientOptions, connectTimeoutMs: number) {
  if (transport === undefined) {
    const own =
      dispatcher === undefined ? ownTransport(connectTimeoutMs) : undiciTransport({ dispatcher })
    return { transport: own, close: () => own.close() }
  }
  if (dispatcher !== undefined)
    throw new ConfigError('transport', 'give transport or dispatcher, not both')
  if (typeof transport !== 'function') {
    throw must('transport', 'be a function; an undici agent goes into dispatcher')
  }
  return { transport, close: async () => {} }
}

function middleware(given: readonly Middleware[] | undefined): readonly Middleware[] {
  if (given === undefined) return []
  if (Array.isArray(given) && given.every((one) => typeof one === 'function')) return [...given]
  throw must('middleware', 'be a list of functions (request, next)')
}

const sdkName = 'buildwire-sdk/1.0.0'

/** The `user-agent` of all requests: the caller's name, then ours. */
function userAgent(given: string | undefined): string {
  if (given === undefined) return sdkName
  if (typeof given === 'string' && /^[\x20-\x7e]+$/.test(given)) return `${given} ${sdkName}`
  throw must('userAgent', 'be printable ASCII')
}

/**
 * Counts behind a random word, which is drawn by the first call: a worker has no random bytes
 * before its first request.
 */
function callIds(): () => string {
  let word: string | undefined
  let calls = 0
  return () => {
    word ??= crypto.getRandomValues(new Uint32Array(2)).join('').padStart(10, '0').slice(0, 10)
    return `${word}-${++calls}`
  }
}

interface Lifetime {
  closed(): boolean
  close(): Promise<void>
}

/** Until when a client may be used; one with a parent ends with it, or earlier. */
function lifetime(release: () => Promise<void>, parent?: Lifetime): Lifetime {
  let ending: Promise<void> | undefined
  return {
    closed: () => ending !== undefined || parent?.closed() === true,
    close: () => {
      ending ??= release()
      return ending
    },
  }
}
