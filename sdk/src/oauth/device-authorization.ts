import { checkedNames } from '../base/checked.js'
import { type CallOptions, callNames } from '../http/context.js'
import { send } from '../http/send.js'
import { isLoopback } from '../http/service-url.js'
import { DevicePoller } from './device-poller.js'
import { type Instant, instant } from './instant.js'
import { clientAdvice, successBody } from './oauth-answer.js'
import { fixedForm, oauthCall, oauthContext } from './oauth-call.js'
import { clientCredentials, type OAuthOptions, requiredText, type Scope, scopeList } from './oauth-options.js'
import { type AuthorizationFacts, type DeviceAuthorization, pendingAuthorization } from './pending-authorization.js'
import { type PollSchedule, startSchedule } from './poll-schedule.js'
import { invalidField, positiveNumber } from './token-response.js'

const operation = 'device authorization'
const longestLifeSeconds = 86_400

/** Who asks for a login, and for what. */
export interface DeviceAuthorizationParams {
  client_id: string
  client_secret?: string | undefined
  /** Names, or one text with blanks between them. */
  scope: Scope | readonly Scope[]
}

/**
 * Starts a device login (RFC 8628 §3.1).
 *
 * @throws OAuthError `oauth_error`, ApiError or RateLimitError by status when the answer has no `error` word, ConfigError `config`,
 * ConnectionError `connection`, TimeoutError `timeout`, InvalidResponseError `invalid_response` naming the field; `signal.reason`.
 * @example
 * ```ts
 * import { requestDeviceAuthorization } from '@buildwire/sdk'
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
  const call = oauthCall(context, 'oauth.deviceAuthorization', fixedForm({ ...credentials, scope }, advice))
  const { signal, headers, maxRetries, maxRetryAfterMs } = options
  const { data } = await send(
    context,
    () => call,
    { signal, headers, maxRetries, maxRetryAfterMs },
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
  if (typeof device_code !== 'string' || device_code === '') {
    throw invalidField(operation, 'device_code', 'a non-empty string', device_code)
  }
  if (typeof user_code !== 'string' || !/^[\x20-\x7e]{1,64}$/.test(user_code)) {
    throw invalidField(operation, 'user_code', '1 to 64 printable ASCII characters', user_code)
  }
  const place = safeLink(verification_uri, allowInsecure)
  if (place === undefined) {
    throw invalidField(operation, 'verification_uri', 'an https URL without user name or password', verification_uri)
  }
  const seconds = positiveNumber(body['expires_in'])
  if (seconds === undefined) {
    throw invalidField(operation, 'expires_in', 'a positive number of seconds', body['expires_in'])
  }
  const expires_in = Math.min(seconds, longestLifeSeconds)
  const complete = safeLink(verification_uri_complete, allowInsecure)
  const schedule = startSchedule(expires_in * 1000, interval)
  const shown = {
    user_code,
    verification_uri: place,
    ...(complete !== undefined && { verification_uri_complete: complete }),
    expires_in,
    interval: schedule.intervalMs / 1000,
    expiresAt: arrived.wall + expires_in * 1000,
  }
  return { shown, device_code, schedule }
}

/** A link a person may be sent to, without terminal escapes; undefined for every other one. */
function safeLink(value: unknown, allowInsecure: boolean): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  const url = new URL(value)
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && (allowInsecure || isLoopback(url.hostname)))
  return secure && url.username === '' && url.password === '' ? url.href : undefined
}
