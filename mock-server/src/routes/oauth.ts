import { digest } from '../base/digest.js'
import { readAssertion } from '../domain/client-assertion.js'
import { accept, type Decision, type Failure, refuse } from '../domain/decision.js'
import {
  awaitsAnswer,
  deviceCodeLifetimeSeconds,
  formatUserCode,
  pollIntervalSeconds,
  startDeviceAuthorization,
  userCodeAlphabet,
} from '../domain/device-authorization.js'
import { grantScopes, knownScopes, parseScope } from '../domain/scope.js'
import { inDeviceTurn } from '../grants/grant.js'
import { readBasic, readClient } from '../http/client-authentication.js'
import { type Form, readForm } from '../http/form.js'
import type { ApplicationRecord } from '../records/records.js'
import type { Exchange, HandlerAnswer, Handlers, SandboxContext } from '../request/exchange.js'
import type { Transaction } from '../store/store.js'
import { deviceCodeGrant, refreshTokenGrant } from './grants/device.js'
import { tokenExchangeGrant } from './grants/token-exchange.js'

const grants = [deviceCodeGrant, tokenExchangeGrant, refreshTokenGrant]

const deviceCodeLength = 43
const userCodeDraws = 10

/** The client_id that a request claims, before authentication. The rate limit counts by it. */
function claimedClient(form: Form, authorization: readonly string[]): string {
  const basic = readBasic(authorization[0] ?? '')
  const assertion = readAssertion(form.get('client_assertion') ?? '')
  const iss = assertion.ok ? assertion.value.claims['iss'] : undefined
  return form.get('client_id') ?? basic?.client_id ?? (typeof iss === 'string' ? iss : '')
}

async function readCounted(context: Exchange): Promise<Decision<Form>> {
  const read = await readForm(context)
  const { sandbox, authorization, ip, now } = context
  const setting = sandbox.settings.tokenRateLimit
  if (!read.ok || setting === null) return read

  const claimed = claimedClient(read.value, authorization)
  const isKnown = sandbox.store.state.find('applicationByClientId', claimed) !== undefined
  // Unknown client_ids share one window, so that they cannot displace the windows of applications.
  const client = isKnown ? claimed : ''
  const windowMs = setting.windowSeconds * 1000
  const { current, resetSeconds } = sandbox.oauth.tokenRequests.count(
    JSON.stringify([client, ip]),
    windowMs,
    now,
  )
  if (current <= setting.limit) return read

  const reset = String(resetSeconds)
  return refuse('temporarily_unavailable', 'Too many token requests', {
    headers: {
      'RateLimit-Limit': String(setting.limit),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': reset,
      ...(setting.retryAfter === true && { 'Retry-After': reset }),
    },
    detail: 'token_rate_limit',
  })
}

function drawUserCode(tx: Transaction, { ids }: SandboxContext, now: number): Decision<string> {
  for (let draw = 0; draw < userCodeDraws; draw++) {
    const code = formatUserCode(ids.code(8, userCodeAlphabet))
    const existing = tx.state.find('deviceAuthorizationByUserCode', digest(code))
    const isFree = existing === undefined || !awaitsAnswer(existing, now)
    if (isFree) return accept(code)
  }
  return refuse('server_error', 'The service is temporarily unavailable', {
    detail: 'user_codes_exhausted',
  })
}

function startDevice(
  tx: Transaction,
  application: ApplicationRecord,
  now: number,
  form: Form,
  { sandbox, ip, headers }: Exchange,
): Decision<Record<string, string | number>> {
  const requested = parseScope(form.get('scope'), knownScopes(sandbox.settings.extraScopes))
  if (!requested.ok) return requested
  const scopes = grantScopes(requested.value, application)
  if (!scopes.ok) return scopes

  const drawn = drawUserCode(tx, sandbox, now)
  if (!drawn.ok) return drawn
  const user_code = drawn.value
  const device_code = sandbox.ids.secret(deviceCodeLength)
  const started = {
    id: sandbox.ids.uuid('deviceAuthorization'),
    deviceCodeDigest: digest(device_code),
    userCodeDigest: digest(user_code),
    scopes: scopes.value,
    ip,
    userAgent: headers.get('user-agent') ?? '',
  }

  sandbox.oauth.sweep(tx, now)
  sandbox.oauth.userCodes.remember(started.id, user_code)
  tx.put('deviceAuthorizations', startDeviceAuthorization(started, application, now))

  const verification_uri = `${sandbox.urls.webUrl}/oauth/device`
  return accept({
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in: deviceCodeLifetimeSeconds,
    interval: pollIntervalSeconds,
  })
}

async function deviceAuthorization(context: Exchange): Promise<Decision<object>> {
  const form = await readCounted(context)
  if (!form.ok) return form
  const client = readClient(form.value, context.authorization)
  if (!client.ok) return client
  return inDeviceTurn(context.sandbox, client.value, (...turn) =>
    startDevice(...turn, form.value, context),
  )
}

async function token(context: Exchange): Promise<Decision<object>> {
  const read = await readCounted(context)
  if (!read.ok) return read
  const form = read.value

  const grantType = form.get('grant_type')
  if (grantType === undefined) return refuse('invalid_request', 'Missing parameter: grant_type')
  const grant = grants.find((one) => one.grantType === grantType)
  if (grant === undefined) return refuse('unsupported_grant_type', 'Unsupported grant type')

  const missing = grant.parameters.find((name) => !form.has(name))
  if (missing !== undefined) return refuse('invalid_request', `Missing parameter: ${missing}`)

  const client = readClient(form, context.authorization)
  if (!client.ok) return client

  const checked = grant.check?.(form) ?? accept(null)
  return checked.ok ? grant.handle({ form, sandbox: context.sandbox }, client.value) : checked
}

/** Adds a challenge if the client used the Authorization header (RFC 6749 §5.2). */
function withChallenge(failure: Failure, { authorization, sandbox }: Exchange): Failure {
  const usedHeader = authorization.length > 0
  if (failure.code !== 'invalid_client' || !usedHeader) return failure

  const challenge = `Basic realm="${sandbox.settings.realm}"`
  return { ...failure, headers: { ...failure.headers, 'WWW-Authenticate': challenge } }
}

function answer(decision: Decision<object>, context: Exchange): Decision<HandlerAnswer> {
  return decision.ok
    ? accept({ status: 200, body: decision.value })
    : { ok: false, failure: withChallenge(decision.failure, context) }
}

/** The two OAuth endpoints. Their checks run in one order; the first failure is the answer. */
export const oauthHandlers = {
  'oauth.deviceAuthorization': async (context) =>
    answer(await deviceAuthorization(context), context),
  'oauth.token': async (context) => answer(await token(context), context),
} satisfies Partial<Handlers>
