import type { AccessTokenRecord, ApplicationRecord, UserRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'

export interface TokenFacts {
  readonly user: UserRecord | undefined
  readonly application: ApplicationRecord | undefined
  readonly activeOrganizationIds: readonly string[]
}

export interface TokenUse {
  readonly token: AccessTokenRecord
  readonly user: UserRecord
  readonly application: ApplicationRecord | null
  readonly scopes: ReadonlySet<string>
  readonly organizationIds: ReadonlySet<string>
}

/** Alive and not revoked: a token that lives n seconds is dead at n. */
export function isLive(
  token: Pick<AccessTokenRecord, 'expiresAt' | 'revokedAt'>,
  now: number,
): boolean {
  return token.revokedAt === null && (token.expiresAt === null || now < token.expiresAt)
}

function unusable(detail: string) {
  return refuse('unauthorized', 'The access token is unusable', { detail })
}

/**
 * Whether a presented token is one (RFC 6750 §3.1); only `detail` tells refusals apart. An API
 * token just loses organizations.
 */
export function authenticateUse(
  token: AccessTokenRecord | undefined,
  facts: TokenFacts,
  now: number,
): Decision<TokenUse> {
  if (token === undefined) return unusable('token_unknown')
  if (token.revokedAt !== null) return unusable('token_revoked')
  if (!isLive(token, now)) return unusable('token_expired')
  if (facts.user === undefined || !facts.user.active) return unusable('user_inactive')
  const organizationIds = new Set(facts.activeOrganizationIds)
  if (token.kind === 'api') {
    return accept({
      token,
      user: facts.user,
      application: null,
      scopes: new Set(token.scopes),
      organizationIds,
    })
  }
  if (facts.application === undefined) return unusable('application_unknown')
  if (!facts.application.enabled) return unusable('application_disabled')
  if (organizationIds.size === 0) return unusable('membership_inactive')
  const grantable = new Set(facts.application.grantableScopes)
  const scopes =
    token.kind === 'exchange' ? token.scopes.filter((scope) => grantable.has(scope)) : token.scopes
  return accept({
    token,
    user: facts.user,
    application: facts.application,
    scopes: new Set(scopes),
    organizationIds,
  })
}

/** The address list of its application binds an exchange token. */
export function authorizeAddress(addressAllowed: boolean): Decision<null> {
  return addressAllowed
    ? accept(null)
    : refuse('forbidden', "Your access token can't be used from this IP address", {
        detail: 'address_not_allowed',
      })
}

export function authorizeUse(use: Pick<TokenUse, 'scopes'>, scope: string | null): Decision<null> {
  return scope === null || use.scopes.has(scope)
    ? accept(null)
    : refuse('insufficient_scope', `Your access token doesn't have the ${scope} scope`, {
        detail: `scope ${scope}`,
      })
}

/**
 * Seconds that a token lives: the wish in `expires_in` (digits, of any length), capped by the
 * application's maximum.
 */
export function lifetime(expires_in: string | undefined, maximumSeconds: number): Decision<number> {
  if (expires_in === undefined) return accept(maximumSeconds)
  return /^[1-9][0-9]*$/.test(expires_in)
    ? accept(Math.min(Number(expires_in), maximumSeconds))
    : refuse('invalid_request', 'expires_in must be a positive integer', { detail: 'expires_in' })
}

/**
 * Whether an exchange token may run a mutation document: each root field must be on the list, all
 * else is blocked.
 */
export function mayMutate(
  token: Pick<AccessTokenRecord, 'kind'>,
  names: readonly string[],
  permitted: readonly string[],
): Decision<null> {
  const blocked =
    token.kind === 'exchange' ? names.find((name) => !permitted.includes(name)) : undefined
  return blocked === undefined
    ? accept(null)
    : refuse('forbidden', `The ${blocked} mutation is not permitted for token exchange tokens`, {
        detail: 'mutation_not_permitted',
      })
}

/**
 * When the last token of a standing approval ends; null without an end, undefined when none is
 * live.
 */
export function grantEnd(
  tokens: readonly AccessTokenRecord[],
  now: number,
): number | null | undefined {
  const live = tokens.filter((token) => isLive(token, now))
  const last = Math.max(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
  return live.length === 0 ? undefined : Number.isFinite(last) ? last : null
}
