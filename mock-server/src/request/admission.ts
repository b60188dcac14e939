import { digest } from '../base/digest.js'
import { authenticateUse, authorizeAddress, authorizeUse } from '../domain/access-token.js'
import { accept, type Decision, type Failure, refuse } from '../domain/decision.js'
import { addressIn } from '../http/address.js'
import type { FixedWindows } from '../http/fixed-windows.js'
import type { AccessTokenRecord } from '../records/records.js'
import type { RateLimitSettings } from '../seed/settings.js'
import type { ReadonlyState } from '../store/store.js'
import type { Caller, Exchange, SandboxContext } from './exchange.js'

function challenge({ settings }: SandboxContext, error?: string) {
  return {
    'WWW-Authenticate': `Bearer realm="${settings.realm}"${error === undefined ? '' : `, ${error}`}`,
  }
}

function challenged(sandbox: SandboxContext, detail: string, error?: string) {
  return refuse(
    'unauthorized',
    `Authentication required. Please supply a valid API Access Token: ${sandbox.urls.webUrl}/docs/authentication`,
    { headers: challenge(sandbox, error), detail },
  )
}

/**
 * Reads the access token of a request (RFC 6750 §2.1). A token in the query or in the body does not
 * authenticate.
 */
function readBearer({ sandbox, authorization, query }: Exchange): Decision<string> {
  const [header] = authorization
  const tokenInQuery = query.some(([name]) => name === 'access_token')
  if (authorization.length > 1 || (header !== undefined && tokenInQuery)) {
    return refuse('bad_request', 'Only one access token may be sent', {
      headers: challenge(sandbox, 'error="invalid_request"'),
      detail: 'two_credentials',
    })
  }
  const [scheme = ''] = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+/.exec(header ?? '') ?? []
  if (scheme.toLowerCase() !== 'bearer') return challenged(sandbox, 'no_credentials')
  const token = /^ +([A-Za-z0-9._~+/-]+=*)$/.exec((header ?? '').slice(scheme.length))?.[1]
  return token === undefined
    ? challenged(sandbox, 'token_malformed', 'error="invalid_token"')
    : accept(token)
}

function factsOf(state: ReadonlyState, token: AccessTokenRecord | undefined) {
  if (token === undefined)
    return { user: undefined, application: undefined, activeOrganizationIds: [] }
  const isActive = (organizationId: string) =>
    state.find('member', organizationId, token.userId)?.active === true
  return {
    user: state.get('users', token.userId),
    application:
      token.applicationId === null ? undefined : state.get('applications', token.applicationId),
    activeOrganizationIds: token.organizationIds.filter(isActive),
  }
}

/** Authenticates a request by its header and the current state of the records, or answers 401. */
export function authenticateBearer(exchange: Exchange): Decision<Caller> {
  const presented = readBearer(exchange)
  if (!presented.ok) return presented
  const { sandbox, now } = exchange
  const { state } = sandbox.store
  const token = state.find('accessTokenByDigest', digest(presented.value))
  const use = authenticateUse(token, factsOf(state, token), now)
  return use.ok
    ? use
    : challenged(sandbox, use.failure.detail ?? 'token_unusable', 'error="invalid_token"')
}

/** Refuses an address that is not allowed for the token. */
export function authorizeCallerAddress({ token, application }: Caller, ip: string): Decision<null> {
  const networks =
    token.kind === 'exchange' && application !== null ? application.allowedIpAddresses : []
  return authorizeAddress(networks.length === 0 || addressIn(networks, ip))
}

export function authorizeCallerScope(
  sandbox: SandboxContext,
  caller: Caller,
  scope: string | null,
): Decision<null> {
  const decision = authorizeUse(caller, scope)
  if (decision.ok) return decision
  const headers = challenge(sandbox, `error="insufficient_scope", scope="${scope}"`)
  return { ok: false, failure: { ...decision.failure, headers } }
}

type RateLimitScope = 'rest' | 'rest_user'

interface RateLimitReading {
  readonly scope: RateLimitScope
  readonly limit: number
  readonly current: number
  readonly reset: number
}

const real: RateLimitSettings = { organization: 200, user: 50, windowSeconds: 60 }

/** Counts a request, even if it is refused: for its organization and for its user. */
export function countRequest(
  { settings, windows }: Pick<SandboxContext, 'settings'> & { readonly windows: FixedWindows },
  { user }: Caller,
  organizationId: string,
  now: number,
): { readonly headers?: Readonly<Record<string, string>>; readonly failure?: Failure | undefined } {
  if (settings.rateLimits === null) return {}
  const limits = settings.rateLimits === 'real' ? real : settings.rateLimits
  const count = (scope: RateLimitScope, key: string, limit: number): RateLimitReading => {
    const { current, resetSeconds } = windows.count(key, limits.windowSeconds * 1000, now)
    return { scope, limit, current, reset: resetSeconds }
  }
  const readings = [
    count('rest', `organization ${organizationId}`, limits.organization),
    count('rest_user', `user ${user.id}`, limits.user),
  ]
  const [exceeded] = readings
    .filter(({ current, limit }) => current > limit)
    .toSorted((a, b) => b.reset - a.reset)
  const headers = Object.assign({}, ...readings.map(headersOf)) as Record<string, string>
  return { headers, failure: exceeded && failureOf(exceeded, limits.retryAfter === true) }
}

function headersOf({ scope, limit, current, reset }: RateLimitReading): Record<string, string> {
  const prefix = scope === 'rest' ? 'RateLimit' : 'RateLimit-User'
  return {
    [`${prefix}-Scope`]: scope,
    [`${prefix}-Limit`]: String(limit),
    [`${prefix}-Remaining`]: String(Math.max(0, limit - current)),
    [`${prefix}-Reset`]: String(reset),
    ...(current >= limit && { [`${prefix}-Warning`]: 'You have exceeded your API rate limit.' }),
  }
}

function failureOf(
  { scope, limit, current, reset }: RateLimitReading,
  retryAfter: boolean,
): Failure {
  return {
    code: 'rate_limited',
    message: `You have exceeded your API rate limit. Please wait ${reset} seconds before making more requests.`,
    body: { scope, limit, current, reset },
    detail: `rate_limit ${scope}`,
    ...(retryAfter && { headers: { 'Retry-After': String(reset) } }),
  }
}
