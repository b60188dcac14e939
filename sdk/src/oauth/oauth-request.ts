import { checkedClock, checkedFlag, checkedObject, checkedRandom } from '../checked.js'
import type { Clock } from '../clock.js'
import type { Sent, TimeoutKind } from '../errors.js'
import { type CiEventListener, joinListeners } from '../events.js'
import { requestIdOf } from '../http/api-error.js'
import { type Attempt, attempt } from '../http/attempt.js'
import { type AttemptFailure, toError } from '../http/attempt-failure.js'
import { type Answer, contentType, kindOf, looseJson } from '../http/body.js'
import type { Cancellation } from '../http/cancellation.js'
import { defaultTimeouts, smallBodyBytes, timeLimit } from '../http/limits.js'
import { serverWait } from '../http/rate-limit.js'
import { serviceUrl } from '../http/service-url.js'
import type { Transport } from '../http/transport.js'
import { chosenTransport, userAgent } from '../http/travel.js'
import type { OAuthOptions } from './oauth-options.js'

const totalMs = 30_000

/** The body of an OAuth answer, read by its text whatever its type says. */
type OAuthBody =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'json' | 'text'; readonly got: string }

/** What an OAuth endpoint answered, judged by nobody yet. */
export interface OAuthAnswer {
  readonly status: number
  readonly body: OAuthBody
  /** The server's wait (0 when it names none), in milliseconds. */
  readonly waitMs: number
  readonly requestId?: string | undefined
  header(name: string): string | undefined
}

/** One HTTP attempt at an endpoint. */
export interface OAuthPost {
  readonly form: Readonly<Record<string, string>>
  /** What of the form a server must not get into events and errors by repeating it. */
  readonly secrets: readonly string[]
  readonly attempt: number
  readonly limitMs: number
  readonly limitKind: TimeoutKind
  readonly cancellation: Cancellation
  readonly onEvent?: CiEventListener | undefined
}

/** A call that got no answer: `sent` is about all its attempts, `limitMs` the limit it had. */
export interface FailedCall {
  readonly attempts: number
  readonly sent: Sent
  readonly limitMs: number
  readonly secrets: readonly string[]
}

/** One of the two OAuth endpoints and what is needed to ask it. It holds no secret. */
export class OAuthEndpoint {
  readonly url: string
  readonly origin: string
  readonly path: string
  readonly operationId: 'oauth.token' | 'oauth.deviceAuthorization'
  readonly clock: Clock
  readonly random: () => number
  readonly timeoutMs: number
  readonly allowInsecure: boolean
  readonly onEvent: CiEventListener | undefined
  readonly #transport: Transport
  readonly #userAgent: string

  constructor(operationId: OAuthEndpoint['operationId'], options: OAuthOptions) {
    const { authUrl, timeoutMs } = checkedObject('options', options, '{ authUrl }')
    const allowInsecure = checkedFlag('allowInsecure', options.allowInsecure)
    const service = serviceUrl('authUrl', authUrl, allowInsecure)
    const tail = operationId === 'oauth.token' ? '/oauth/token' : '/oauth/device_authorization'
    this.operationId = operationId
    this.url = service.href + tail
    this.origin = service.origin
    this.path = service.prefix + tail
    this.clock = checkedClock(options.clock)
    this.random = checkedRandom(options.random)
    this.timeoutMs = timeLimit('timeoutMs', timeoutMs, totalMs)
    this.allowInsecure = allowInsecure
    this.onEvent = joinListeners(options.onEvent)
    this.#transport = chosenTransport(options, defaultTimeouts.connectMs).transport
    this.#userAgent = userAgent(options.userAgent)
  }

  get asked(): string {
    return `POST ${this.path}`
  }

  /**
   * Sends one form and reads the whole answer. `limitKind` says whose limit `limitMs` is.
   *
   * @throws AttemptFailure when no whole answer came, InvalidResponseError for a success that is too large or encoded, and the
   * cancellation's reason.
   */
  async post(post: OAuthPost): Promise<OAuthAnswer> {
    const { form, secrets, limitMs, limitKind, cancellation, onEvent } = post
    const { operationId, path } = this
    const about = { operationId, method: 'POST', path, attempt: post.attempt } as const
    const started = this.clock.monotonic()
    onEvent?.({ type: 'request', ...about })
    try {
      cancellation.throwIfCancelled()
      const answer = await attempt(this.#prepare(form, limitMs, limitKind), cancellation)
      const read = this.#read(answer, secrets)
      const { status, requestId } = read
      onEvent?.({ type: 'response', ...about, status, durationMs: this.clock.monotonic() - started, requestId })
      return read
    } catch (error) {
      onEvent?.({ type: 'response', ...about, durationMs: this.clock.monotonic() - started })
      throw error
    }
  }

  /** What a failed attempt means to the caller. */
  failure(failure: AttemptFailure, call: FailedCall): Error {
    const { attempts, limitMs, secrets } = call
    const sent = attempts === 0 ? 'no' : call.sent
    return toError(failure, {
      asked: this.asked,
      operationId: this.operationId,
      attempts,
      sent,
      timeoutMs: () => limitMs,
      secrets,
    })
  }

  #prepare(form: OAuthPost['form'], limitMs: number, limitKind: TimeoutKind): Attempt {
    const request = {
      method: 'POST',
      url: this.url,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': this.#userAgent,
      },
      body: new URLSearchParams(form).toString(),
      freshConnection: true,
      headersTimeoutMs: Math.min(limitMs, defaultTimeouts.headersMs),
      bodyIdleTimeoutMs: Math.min(limitMs, defaultTimeouts.bodyIdleMs),
    }
    const transport = this.#transport
    const { asked, operationId, origin } = this
    const rest = { authorization: undefined, middleware: [], bodyBytes: smallBodyBytes, everyStatus: false }
    return { asked, operationId, origin, request, transport, limitMs, limitKind, ...rest }
  }

  #read(answer: Answer, secrets: readonly string[]): OAuthAnswer {
    const { status } = answer
    const header = (name: string): string | undefined => answer.header(name)
    const body = readBody(answer)
    const parsed = body.kind === 'object' ? body.value : undefined
    const waitMs = serverWait({ status, header, body: parsed }, this.clock.now())
    return { status, body, waitMs, requestId: requestIdOf(answer, secrets), header }
  }
}

function readBody(answer: Answer): OAuthBody {
  const { text } = answer
  if (text === undefined) return { kind: 'text', got: `a body above ${smallBodyBytes} bytes` }
  const value = looseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { kind: 'object', value: value as Readonly<Record<string, unknown>> }
  }
  if (value !== undefined) return { kind: 'json', got: `JSON that is ${kindOf(value)}` }
  const type = /^[\w.+-]+\/[\w.+-]+$/.exec(contentType(answer))?.[0]
  const named = type === undefined ? '' : ` of type ${type}`
  return { kind: 'text', got: text === '' ? 'an empty body' : `${text.length} characters${named} that are not JSON` }
}
