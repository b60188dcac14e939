import type { Failure } from '../domain/decision.js'
import type { FixedWindows } from '../http/fixed-windows.js'
import type { RateLimitSettings } from '../seed/settings.js'
import type { Caller, SandboxContext } from './context.js'

type Scope = 'rest' | 'rest_user'

interface Reading {
  readonly scope: Scope
  readonly limit: number
  readonly current: number
  readonly reset: number
}

const real: RateLimitSettings = { organization: 200, user: 50, windowSeconds: 60 }

/** Counts a request, a refused one too, in one window for its organization and one for its user. */
export function countRequest(
  { settings, windows }: Pick<SandboxContext, 'settings'> & { readonly windows: FixedWindows },
  { user }: Caller,
  organizationId: string,
  now: number,
): { readonly headers?: Readonly<Record<string, string>>; readonly failure?: Failure | undefined } {
  if (settings.rateLimits === null) return {}
  const limits = settings.rateLimits === 'real' ? real : settings.rateLimits
  const count = (scope: Scope, key: string, limit: number): Reading => {
    const { current, resetSeconds } = windows.count(key, limits.windowSeconds * 1000, now)
    return { scope, limit, current, reset: resetSeconds }
  }
  const readings = [
    count('rest', `organization ${organizationId}`, limits.organization),
    count('rest_user', `user ${user.id}`, limits.user),
  ]
  const [exceeded] = readings.filter(({ current, limit }) => current > limit).toSorted((a, b) => b.reset - a.reset)
  const headers = Object.assign({}, ...readings.map(headersOf)) as Record<string, string>
  return { headers, failure: exceeded && failureOf(exceeded, limits.retryAfter === true) }
}

function headersOf({ scope, limit, current, reset }: Reading): Record<string, string> {
  const prefix = scope === 'rest' ? 'RateLimit' : 'RateLimit-User'
  return {
    [`${prefix}-Scope`]: scope,
    [`${prefix}-Limit`]: String(limit),
    [`${prefix}-Remaining`]: String(Math.max(0, limit - current)),
    [`${prefix}-Reset`]: String(reset),
    ...(current >= limit && { [`${prefix}-Warning`]: 'You have exceeded your API rate limit.' }),
  }
}

function failureOf({ scope, limit, current, reset }: Reading, retryAfter: boolean): Failure {
  return {
    code: 'rate_limited',
    message: `You have exceeded your API rate limit. Please wait ${reset} seconds before making more requests.`,
    body: { scope, limit, current, reset },
    detail: `rate_limit ${scope}`,
    ...(retryAfter && { headers: { 'Retry-After': String(reset) } }),
  }
}
