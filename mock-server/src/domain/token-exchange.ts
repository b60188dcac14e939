import type { BodyName } from '@buildwire/sdk/contract'
import type { ApplicationRecord, OrganizationRecord, UserRecord } from '../records/records.js'
import { lifetime } from './access-token.js'
import { type CheckedClaims, longestLeewaySeconds } from './client-assertion.js'
import { accept, type Decision, refuse } from './decision.js'
import { grantScopes, parseScope } from './scope.js'

export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/** Parameters of RFC 8693 that this API lacks. They are read so that they can be refused. */
export const unoffered = [
  'actor_token',
  'actor_token_type',
  'requested_token_type',
  'resource',
] as const
export type TokenParameter = BodyName<'oauth.token'> | (typeof unoffered)[number]

export interface ExchangeFacts {
  readonly application: ApplicationRecord
  readonly organization: OrganizationRecord | undefined
  readonly user: UserRecord | undefined
  readonly membershipActive: boolean
  readonly jtiUsed: boolean
  readonly knownScopes: ReadonlySet<string>
  /** `urn:<vendor>:params:oauth:token-type:user-email` */
  readonly subjectTokenType: string
}

function invalidRequest(message: string) {
  return refuse('invalid_request', message, { detail: message })
}

export type ExchangeRequest = { readonly [N in TokenParameter]?: string | undefined }

function checkParameters(request: ExchangeRequest, facts: ExchangeFacts): Decision<null> {
  if (request.subject_token_type !== facts.subjectTokenType)
    return invalidRequest('Unsupported value: subject_token_type')
  if (
    request.requested_token_type !== undefined &&
    request.requested_token_type !== accessTokenType
  ) {
    return invalidRequest('Unsupported value: requested_token_type')
  }
  // Ignoring an actor would silently drop a delegation.
  if (request.actor_token !== undefined) return invalidRequest('Unsupported parameter: actor_token')
  if (request.actor_token_type !== undefined)
    return invalidRequest('Unsupported parameter: actor_token_type')
  return accept(null)
}

/** Decides an exchange with a verified assertion. After a refusal its jti can still be used. */
export function decideExchange(
  facts: ExchangeFacts,
  request: ExchangeRequest,
  assertion: CheckedClaims,
) {
  const { organization, user, application } = facts
  if (facts.jtiUsed)
    return refuse('invalid_client', 'JWT has already been used (jti)', { detail: 'jti_used' })
  const checked = checkParameters(request, facts)
  if (!checked.ok) return checked
  if (request.resource !== undefined || organization === undefined) {
    return refuse('invalid_target', 'Invalid audience organization', { detail: 'audience_unknown' })
  }
  if (!organization.tokenExchangeEnabled) {
    const message = 'Token exchange is not enabled for this organization'
    return refuse('unsupported_grant_type', message, { detail: 'token_exchange_disabled' })
  }
  if (organization.jtiRequired && assertion.jti === undefined) {
    return refuse('invalid_client', 'JWT must contain a jti claim', { detail: 'jti_required' })
  }
  if (user === undefined || !user.active || !user.emailVerified || !facts.membershipActive) {
    const message = 'Subject user must be an active member of the organization'
    return refuse('invalid_request', message, {
      detail: subjectFault(user, facts.membershipActive),
    })
  }
  const requested = parseScope(request.scope, facts.knownScopes)
  if (!requested.ok) return requested
  const scopes = grantScopes(requested.value, application)
  if (!scopes.ok) return scopes
  const expires_in = lifetime(request.expires_in, application.maximumTokenTtlSeconds)
  return expires_in.ok
    ? accept({ user, organization, scopes: scopes.value, expires_in: expires_in.value })
    : expires_in
}

function subjectFault(user: UserRecord | undefined, membershipActive: boolean): string {
  if (user === undefined) return 'subject_unknown'
  if (!user.active) return 'subject_inactive'
  return membershipActive ? 'subject_unverified' : 'subject_not_member'
}

/**
 * The time in ms until which a used jti is kept: longer than its assertion is valid with the
 * largest leeway that can be set.
 */
export function jtiKeptUntil(
  assertion: CheckedClaims,
  retentionSeconds: number,
  now: number,
): number {
  return Math.max((assertion.exp + longestLeewaySeconds) * 1000, now + retentionSeconds * 1000)
}
