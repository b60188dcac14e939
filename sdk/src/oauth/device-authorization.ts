import { checkedNames } from '../base/checked.js'
import { type Instant, instant } from '../base/clock.js'
import { type CiEventListener, joinListeners } from '../base/events.js'
import { isCiError } from '../errors/errors.js'
import { parseUrl } from '../errors/parse-url.js'
import { type CallOptions, callNames } from '../http/client-options.js'
import { send } from '../http/send.js'
import { isLoopback } from '../http/service-url.js'
import { Cancellation, follow, race, SignalHub } from '../transport/cancellation.js'
import { DevicePoller } from './device-poller.js'
import { clientAdvice, successBody } from './oauth-answer.js'
import {
  clientCredentials,
  fixedForm,
  type OAuthOptions,
  oauthCall,
  oauthContext,
  requiredText,
  type Scope,
  scopeList,
} from './oauth-call.js'
import { type PollSchedule, startSchedule } from './poll-schedule.js'
import { invalidField, positiveNumber, type TokenSet } from './token-set.js'

const longestLifeSeconds = 86_400

/** The client that asks for a login, and the scopes that it asks for. */
export interface DeviceAuthorizationParams {
  client_id: string
  client_secret?: string | undefined
  /** Names, or one text with blanks between them. */
  scope: Scope | readonly Scope[]
}

/**
 * A login that waits for its user: show `user_code` and `verification_uri`, then `poll()`.
 * `expires_in` and `interval` are seconds, `expiresAt` is epoch milliseconds. The device_code stays
 * inside.
 */
export interface DeviceAuthorization {
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete?: string | undefined
  readonly expires_in: number
  readonly interval: number
  readonly expiresAt: number
  /**
   * Polls until the user has answered (RFC 8628 §3.4). Two calls at once share one stream of
   * requests; each has its own signal, and the last to leave stops it. A later call goes on where
   * the last one stopped.
   *
   * @throws DeviceAuthorizationError `device_authorization` when the user said no, the code expired
   * or is unknown; ApiError by status when the answer has no `error` word, ConnectionError
   * `connection` (a certificate), InvalidResponseError `invalid_response`; `signal.reason`.
   */
  poll(options?: {
    signal?: AbortSignal | undefined
    onEvent?: CiEventListener | undefined
  }): Promise<TokenSet>
}

/**
 * Starts a device login (RFC 8628 §3.1).
 *
 * @throws OAuthError `oauth_error`, ApiError or RateLimitError by status when the answer has no
 * `error` word, ConfigError `config`, ConnectionError `connection`, TimeoutError `timeout`,
 * InvalidResponseError `invalid_response` naming the field; `signal.reason`.
 * @example
 * ```ts
 * const options = { authUrl: 'https://auth.ci.example' }
 * const device = await requestDeviceAuthorization({ client_id: 'cli', scope: ['read_builds'] }, options)
 * console.error(`Open ${device.verification_uri} and enter ${device.user_code}`)
 * const tokens = await device.poll()
 * ```
 */
export async function requestDeviceAuthorization(
  params: DeviceAuthorizationParams,
  options: OAuthOptions & CallOptions,
): Promise<DeviceAuthorization> {
  checkedNames('params', params, { client_id: true, client_secret: true, scope: true })
  const credentials = clientCredentials(params)
  const scope = (scopeList(params.scope) ?? [requiredText('scope', params.scope)]).join(' ')
  const context = oauthContext(options, callNames)
  const call = oauthCall(
    context,
    'oauth.deviceAuthorization',
    fixedForm({ ...credentials, scope }, advice),
  )
  const { signal, headers, maxRetries, maxRetryAfterMs, maxBodyBytes } = options
  const { data } = await send(
    context,
    () => call,
    { signal, headers, maxRetries, maxRetryAfterMs, maxBodyBytes },
    (answer, asked) => {
      const arrived = instant(context.clock)
      const body = successBody(answer, asked, 'a device_code')
      return { arrived, ...readDeviceAuthorization(body, options.allowInsecure === true, arrived) }
    },
  )
  const { arrived, shown, device_code, schedule } = data
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const form = { grant_type, device_code, ...credentials }
  const poller = new DevicePoller({ context, form, scope, schedule, arrived })
  return pendingAuthorization(shown, poller, context.emit)
}

const advice: Readonly<Record<string, string>> = {
  invalid_client: clientAdvice,
  invalid_scope: 'Ask for scopes that the application may grant',
  unauthorized_client: 'The application is not registered for device logins',
}

function readDeviceAuthorization(
  body: Readonly<Record<string, unknown>>,
  allowInsecure: boolean,
  arrived: Instant,
): { shown: AuthorizationFacts; device_code: string; schedule: PollSchedule } {
  const { device_code, user_code, verification_uri, verification_uri_complete, interval } = body
  const unfit = (field: string, expected: string) =>
    invalidField('device authorization', field, expected, body[field])
  if (typeof device_code !== 'string' || device_code === '')
    throw unfit('device_code', 'a non-empty string')
  if (typeof user_code !== 'string' || !/^[\x20-\x7e]{1,64}$/.test(user_code))
    throw unfit('user_code', '1 to 64 printable ASCII characters')
  const link = safeLink(verification_uri, allowInsecure)
  if (link === undefined)
    throw unfit('verification_uri', 'an https URL without user name or password')
  const seconds = positiveNumber(body['expires_in'])
  if (seconds === undefined) throw unfit('expires_in', 'a positive number of seconds')
  const expires_in = Math.min(seconds, longestLifeSeconds)
  const complete = safeLink(verification_uri_complete, allowInsecure)
  const schedule = startSchedule(expires_in * 1000, interval)
  const shown = {
    user_code,
    verification_uri: link,
    ...(complete !== undefined && { verification_uri_complete: complete }),
    expires_in,
    interval: schedule.intervalMs / 1000,
    expiresAt: arrived.wall + expires_in * 1000,
  }
  return { shown, device_code, schedule }
}

/** A link a person may be sent to, without terminal escapes; undefined for every other one. */
function safeLink(value: unknown, allowInsecure: boolean): string | undefined {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  if (url === undefined) return undefined
  const secure =
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && (allowInsecure || isLoopback(url.hostname)))
  return secure && url.username === '' && url.password === '' ? url.href : undefined
}

type AuthorizationFacts = Omit<DeviceAuthorization, 'poll'>

interface PollRun {
  readonly result: Promise<TokenSet>
  readonly cancellation: Cancellation
  waiting: number
}

/**
 * All calls of `poll()` share one poller, because the server answers two with `slow_down`. The
 * secrets stay inside the poller.
 */
function pendingAuthorization(
  facts: AuthorizationFacts,
  poller: DevicePoller,
  onEvent: CiEventListener | undefined,
): DeviceAuthorization {
  const signals = new SignalHub()
  const listeners = new Set<CiEventListener>()
  let running: PollRun | undefined
  /** Settles when the last run and its last request have ended. */
  let ended: Promise<void> = Promise.resolve()
  /** A token, or a refusal for good: a later poll must not ask again. */
  let outcome: Promise<TokenSet> | undefined

  const tell: CiEventListener = (event) => {
    onEvent?.(event)
    for (const listener of listeners) listener(event)
  }

  const start = (): PollRun => {
    const cancellation = new Cancellation()
    const result = outcome ?? ended.then(() => poller.run(cancellation, tell))
    const run = { result, cancellation, waiting: 0 }
    const end = (final: boolean): void => {
      if (final) outcome = result
      if (running === run) running = undefined
    }
    ended = result.then(
      () => end(true),
      (error: unknown) => end(isCiError(error, 'device_authorization')),
    )
    return run
  }

  /** Ends the run after the last waiting call has left; a later `poll()` starts the next run. */
  const stop = (run: PollRun, reason: unknown): void => {
    if (running === run) running = undefined
    run.cancellation.cancel(reason)
  }

  const poll: DeviceAuthorization['poll'] = async (options = {}) => {
    checkedNames('options', options, { signal: true, onEvent: true })
    const listener = joinListeners(options.onEvent)
    const { cancellation, leave } = follow(signals, options.signal)
    if (listener !== undefined) listeners.add(listener)
    running ??= start()
    const run = running
    run.waiting++
    try {
      return await race(run.result, cancellation)
    } finally {
      leave()
      if (listener !== undefined) listeners.delete(listener)
      if (--run.waiting === 0) stop(run, cancellation.reason)
    }
  }
  return { ...facts, poll }
}
