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
import type { ClientContext, LinkOrigin } from '../http/context.js'
import { Lifetime } from '../http/lifetime.js'
import { RateGate } from '../http/rate-limit.js'
import { serviceUrl } from '../http/service-url.js'
import { SecretAccessToken, staticToken, type TokenProvider } from '../http/token-provider.js'
import { chosenTransport, userAgent } from '../http/travel.js'
import { SignalHub } from '../transport/cancellation.js'
import { countLimit, retryAfterLimit, type Timeouts, timeLimit, timeouts } from '../transport/limits.js'
import type { Middleware, Transport, UndiciDispatcher } from '../transport/transport.js'

/** How a {@link CiClient} reaches its service, and within which limits. */
export interface CiClientOptions {
  /** The REST API, without `/v2`; a path prefix is kept. https, or http to this machine. */
  baseUrl: string | URL
  /**
   * The GraphQL endpoint.
   * @default `${baseUrl}/graphql`
   */
  graphqlUrl?: string | URL | undefined
  /** An access token, or where tokens come from; without it requests carry no credentials. */
  auth?: string | TokenProvider | undefined
  /**
   * How requests travel. At most one of `transport` and `dispatcher`.
   * @default undiciTransport()
   */
  transport?: Transport | undefined
  /** An undici dispatcher for the default transport, such as a proxy agent or a mock; never closed by the client. */
  dispatcher?: UndiciDispatcher | undefined
  /**
   * Milliseconds for a whole call: waits, tokens and attempts. `Infinity` for no limit.
   * @default 180000
   */
  timeoutMs?: number | undefined
  /** Milliseconds for the phases of one attempt: 10 000 to connect, 30 000 to headers, 30 000 of silence, 60 000 in all. */
  timeouts?: { [K in keyof Timeouts]?: number | undefined } | undefined
  /**
   * How often a call is repeated after failures that another attempt may change and where repeating is safe.
   * @default 2
   */
  maxRetries?: number | undefined
  /**
   * The longest wait a server may ask for, in milliseconds; a longer one is thrown at once.
   * @default 60000
   */
  maxRetryAfterMs?: number | undefined
  /**
   * The largest answer, in bytes after decoding.
   * @default 67108864
   */
  maxBodyBytes?: number | undefined
  /**
   * The next page of a list at another origin, as behind a proxy that renames the server: `refuse` it when it is asked for, or
   * `rebase` it, keeping path and query, to the origin of `baseUrl`.
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
  ...{
    baseUrl: true,
    graphqlUrl: true,
    auth: true,
    transport: true,
    dispatcher: true,
    timeoutMs: true,
    timeouts: true,
  },
  ...{ maxRetries: true, maxRetryAfterMs: true, maxBodyBytes: true, linkOrigin: true, middleware: true, onEvent: true },
  ...{ userAgent: true, allowInsecure: true, clock: true, random: true },
}

/** Checks the options and makes of them what every call shares. @throws ConfigError `config` */
export function clientContext(options: CiClientOptions, urlOption = 'baseUrl'): ClientContext {
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
    lifetime: new Lifetime(close),
  }
}

/** The same client for another user: everything shared, but the token and the user's own request window. */
export function contextFor(context: ClientContext, auth: string | TokenProvider): ClientContext {
  return { ...context, ...tokenSource(auth), gate: context.gate.sibling(), lifetime: context.lifetime.child() }
}

function tokenSource(auth: string | TokenProvider | undefined): Pick<ClientContext, 'provider' | 'fixedToken'> {
  if (auth === undefined) return { provider: undefined, fixedToken: undefined }
  if (typeof auth === 'string') return { provider: staticToken(auth), fixedToken: new SecretAccessToken(auth, null) }
  if (typeof auth?.getToken === 'function' && typeof auth.invalidate === 'function') {
    return { provider: auth, fixedToken: undefined }
  }
  throw must('auth', 'be an access token or an object with getToken() and invalidate()')
}

function middleware(given: readonly Middleware[] | undefined): readonly Middleware[] {
  if (given === undefined) return []
  if (Array.isArray(given) && given.every((one) => typeof one === 'function')) return [...given]
  throw must('middleware', 'be a list of functions (request, next)')
}

/** Counts behind a random word, which is drawn by the first call: a worker has no random bytes before its first request. */
function callIds(): () => string {
  let word: string | undefined
  let calls = 0
  return () => {
    word ??= crypto.getRandomValues(new Uint32Array(2)).join('').padStart(10, '0').slice(0, 10)
    return `${word}-${++calls}`
  }
}
