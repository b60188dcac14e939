import { ownTransport, undiciTransport } from '#transport'
import {
  checkedClock,
  checkedFlag,
  checkedNames,
  checkedRandom,
  checkedWord,
  must,
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
import type { Middleware, Transport } from '../transport/transport.js'
import { type CiClientOptions, clientNames, type LinkOrigin } from './client-options.js'
import { RateGate } from './rate-limit.js'
import { type ServiceUrl, serviceUrl } from './service-url.js'
import {
  type AccessToken,
  SecretAccessToken,
  staticToken,
  type TokenProvider,
} from './token-provider.js'

/** What every call of one client shares: its options, checked, and its state. */
export interface ClientContext extends TokenSource {
  readonly api: ServiceUrl
  readonly graphql: ServiceUrl
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
  readonly nextCallId: () => string
  readonly gate: RateGate
  readonly hub: SignalHub
  readonly lifetime: ClientLifetime
}

interface TokenSource {
  readonly provider: TokenProvider | undefined
  /** The only token of the provider, which then need not be asked before each attempt. */
  readonly fixedToken: AccessToken | undefined
}

interface ClientLifetime {
  closed(): boolean
  close(): Promise<void>
}

/** The property through which functions beside the client reach its clock and events. */
export const contextOf = Symbol('buildwire.context')

/** Makes a context of the options. @throws ConfigError `config` */
export function clientContext(options: CiClientOptions, urlOption = 'baseUrl'): ClientContext {
  checkedNames('options', options, clientNames)
  const allowInsecure = checkedFlag('allowInsecure', options.allowInsecure)
  const api = serviceUrl(urlOption, options.baseUrl, allowInsecure)
  const graphqlUrl = options.graphqlUrl ?? `${api.href}/graphql`
  const limits = timeouts(options.timeouts)
  checkedWord('linkOrigin', options.linkOrigin, 'refuse', 'rebase')
  const { transport, close } = chosenTransport(options, limits.connectMs)
  const clock = checkedClock(options.clock)
  return {
    api,
    graphql: serviceUrl('graphqlUrl', graphqlUrl, allowInsecure),
    ...tokenSource(options.auth),
    transport,
    middleware: checkedMiddleware(options.middleware),
    clock,
    random: checkedRandom(options.random),
    emit: joinListeners(options.onEvent),
    userAgent: userAgentWith(options.userAgent),
    timeoutMs: timeLimit('timeoutMs', options.timeoutMs, 180_000),
    timeouts: limits,
    maxRetries: countLimit('maxRetries', options.maxRetries, 2),
    maxRetryAfterMs: retryAfterLimit(options.maxRetryAfterMs, 60_000),
    maxBodyBytes: countLimit('maxBodyBytes', options.maxBodyBytes, 64 * 1024 * 1024, 1),
    linkOrigin: options.linkOrigin ?? 'refuse',
    nextCallId: callIds(),
    gate: new RateGate(clock),
    hub: new SignalHub(),
    lifetime: lifetimeOf(close),
  }
}

/** The context for another user. Only the token and the user's own request window are new. */
export function contextFor(context: ClientContext, auth: string | TokenProvider): ClientContext {
  const { gate, lifetime: parent } = context
  return {
    ...context,
    ...tokenSource(auth),
    gate: gate.sibling(),
    lifetime: lifetimeOf(async () => {}, parent),
  }
}

function tokenSource(auth: string | TokenProvider | undefined): TokenSource {
  if (auth === undefined) return { provider: undefined, fixedToken: undefined }
  if (typeof auth === 'string')
    return { provider: staticToken(auth), fixedToken: new SecretAccessToken(auth, null) }
  if (typeof auth?.getToken === 'function' && typeof auth.invalidate === 'function')
    return { provider: auth, fixedToken: undefined }
  throw must('auth', 'be an access token or an object with getToken() and invalidate()')
}

interface ChosenTransport {
  readonly transport: Transport
  /** Closes our own transport; leaves the caller's open. */
  readonly close: () => Promise<void>
}

function chosenTransport(
  { transport, dispatcher }: CiClientOptions,
  connectTimeoutMs: number,
): ChosenTransport {
  if (transport === undefined) {
    const ours =
      dispatcher === undefined ? ownTransport(connectTimeoutMs) : undiciTransport({ dispatcher })
    return { transport: ours, close: () => ours.close() }
  }
  if (dispatcher !== undefined)
    throw new ConfigError('transport', 'give transport or dispatcher, not both')
  if (typeof transport !== 'function')
    throw must('transport', 'be a function; an undici agent goes into dispatcher')
  return { transport, close: async () => {} }
}

function checkedMiddleware(middleware: readonly Middleware[] | undefined): readonly Middleware[] {
  if (middleware === undefined) return []
  if (Array.isArray(middleware) && middleware.every((each) => typeof each === 'function'))
    return [...middleware]
  throw must('middleware', 'be a list of functions (request, next)')
}

const sdkName = 'buildwire-sdk/1.0.0'

/** The `user-agent` of all requests: the caller's name, then ours. */
function userAgentWith(name: string | undefined): string {
  if (name === undefined) return sdkName
  if (typeof name === 'string' && /^[\x20-\x7e]+$/.test(name)) return `${name} ${sdkName}`
  throw must('userAgent', 'be printable ASCII')
}

/**
 * Call ids: a random word and a count. The first call draws the word, because a worker has no random
 * bytes before its first request.
 */
function callIds(): () => string {
  let word: string | undefined
  let calls = 0
  return () => {
    word ??= crypto.getRandomValues(new Uint32Array(2)).join('').padStart(10, '0').slice(0, 10)
    return `${word}-${++calls}`
  }
}

/** How long a client may be used: until it is closed, or its parent is. */
function lifetimeOf(release: () => Promise<void>, parent?: ClientLifetime): ClientLifetime {
  let closing: Promise<void> | undefined
  return {
    closed: () => closing !== undefined || parent?.closed() === true,
    close: () => {
      closing ??= release()
      return closing
    },
  }
}
