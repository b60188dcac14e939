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

/** True if a token is neither revoked nor expired. A token for n seconds expires at second n. */
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
 * Decides whether a token is valid (RFC 6750 §3.1). All refusals look the same except `detail`. An
 * API token whose user left an organization stays valid for the others.
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

/** Refuses an exchange token that is used from an address outside the list of its application. */
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
 * The lifetime of a token in seconds: the requested `expires_in` (digits, of any length), at most
 * the maximum of the application.
 */
export function lifetime(expires_in: string | undefined, maximumSeconds: number): Decision<number> {
  if (expires_in === undefined) return accept(maximumSeconds)
  return /^[1-9][0-9]*$/.test(expires_in)
    ? accept(Math.min(Number(expires_in), maximumSeconds))
    : refuse('invalid_request', 'expires_in must be a positive integer', { detail: 'expires_in' })
}

/** Refuses a mutation of an exchange token unless every root field is on the list. */
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
 * The time when the last token of a grant expires; null if a token never expires, undefined if none
 * is live.
 */
export function grantEnd(
  tokens: readonly AccessTokenRecord[],
  now: number,
): number | null | undefined {
  const live = tokens.filter((token) => isLive(token, now))
  if (live.length === 0) return undefined
  const last = Math.max(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(last) ? last : null
}
