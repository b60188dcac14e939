import type { Failure } from '../domain/decision.js'
import { FixedWindows } from '../http/fixed-windows.js'
import type { RateLimitSettings, Settings } from '../seed/settings.js'
import type { Caller } from './context.js'

type Scope = 'rest' | 'rest_user'

interface Reading {
  readonly scope: Scope
  readonly limit: number
  readonly current: number
  readonly reset: number
}

export interface RateLimitOutcome {
  /** For every answer to this request. */
  readonly headers: Readonly<Record<string, string>>
  readonly failure: Failure | undefined
}

const real: RateLimitSettings = { organization: 200, user: 50, windowSeconds: 60 }
const unlimited: RateLimitOutcome = { headers: {}, failure: undefined }

/** One window per organization and one per user. */
export class RateLimits {
  readonly #windows = new FixedWindows()

  /** Counts a request, a refused one too, for its organization and its user. */
  count(setting: Settings['rateLimits'], caller: Caller, organizationId: string, now: number): RateLimitOutcome {
    if (setting === null) return unlimited
    const limits = setting === 'real' ? real : setting
    const windowMs = limits.windowSeconds * 1000
    const readings = [
      this.#count('rest', `organization ${organizationId}`, limits.organization, windowMs, now),
      this.#count('rest_user', `user ${caller.user.id}`, limits.user, windowMs, now),
    ]
    const exceeded = readings
      .filter(({ current, limit }) => current > limit)
      .toSorted((a, b) => b.reset - a.reset)
      .at(0)
    const headers = Object.assign({}, ...readings.map(headersOf)) as Record<string, string>
    return { headers, failure: exceeded && failureOf(exceeded, limits.retryAfter === true) }
  }

  #count(scope: Scope, key: string, limit: number, windowMs: number, now: number): Reading {
    const { current, resetSeconds } = this.#windows.count(key, windowMs, now)
    return { scope, limit, current, reset: resetSeconds }
  }
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
