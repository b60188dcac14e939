import { isLive } from '../domain/access-token.js'
import { type Decision, refuse } from '../domain/decision.js'
import { answerDeviceAuthorization } from '../domain/device-authorization.js'
import { timestamp } from '../domain/timestamp.js'
import type {
  AccessTokenRecord,
  DeviceAuthorizationRecord,
  GrantRecord,
  RefreshFamilyRecord,
} from '../records/records.js'
import type { SandboxContext } from '../request/exchange.js'
import type { Transaction } from '../store/store.js'

/**
 * Approves for a user and one of their organizations: the first approval makes the grant, later
 * ones join it.
 */
export function approveDevice(
  tx: Transaction,
  { ids }: Pick<SandboxContext, 'ids'>,
  record: DeviceAuthorizationRecord,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  now: number,
): Decision<DeviceAuthorizationRecord> {
  const membershipActive =
    tx.state.find('member', organizationId, userId)?.active === true &&
    tx.state.get('users', userId)?.active === true
  const joined = tx.state.find('liveGrant', userId, record.applicationId, organizationId)
  const grantId = joined?.id ?? ids.uuid('grant')
  // The page that is answered may be older than the application's end.
  if (tx.state.get('applications', record.applicationId)?.enabled !== true) {
    return refuse('conflict', 'The application is disabled', { detail: 'application_disabled' })
  }
  const answer = { approve: true, userId, organizationId, grantId } as const
  const decision = answerDeviceAuthorization(record, answer, membershipActive, now)
  if (!decision.ok) return decision
  tx.put('deviceAuthorizations', decision.value)
  tx.put('grants', {
    id: grantId,
    userId,
    applicationId: record.applicationId,
    organizationId,
    scopes: [...new Set([...(joined?.scopes ?? []), ...record.scopes])],
    origin: { ip: record.ip, userAgent: record.userAgent, at: now },
    created_at: joined?.created_at ?? timestamp(now),
    lastUsedAt: joined?.lastUsedAt ?? null,
    revokedAt: null,
  })
  return decision
}

export function denyDevice(
  tx: Transaction,
  record: DeviceAuthorizationRecord,
  userId: string,
  now: number,
): Decision<DeviceAuthorizationRecord> {
  const decision = answerDeviceAuthorization(record, { approve: false, userId }, true, now)
  if (decision.ok) tx.put('deviceAuthorizations', decision.value)
  return decision
}

function endTokens(
  tx: Transaction,
  belongs: (token: AccessTokenRecord) => boolean,
  now: number,
): void {
  const ending = [...tx.state.values('accessTokens')].filter(
    (token) => belongs(token) && isLive(token, now),
  )
  for (const token of ending) tx.put('accessTokens', { ...token, revokedAt: now })
}

/** Ends a refresh family with every access token that descends from its login. */
export function endFamily(tx: Transaction, family: RefreshFamilyRecord, now: number): void {
  tx.put('refreshFamilies', { ...family, revokedAt: family.revokedAt ?? now })
  endTokens(tx, (token) => token.familyId === family.id, now)
}

/** DELETE /v2/access-token: ends this token and its refresh family; the grant stays. */
export function endToken(tx: Transaction, token: AccessTokenRecord, now: number): void {
  const current = tx.state.get('accessTokens', token.id)
  if (current !== undefined)
    tx.put('accessTokens', { ...current, revokedAt: current.revokedAt ?? now })
  const family =
    token.familyId === null ? undefined : tx.state.get('refreshFamilies', token.familyId)
  if (family !== undefined) endFamily(tx, family, now)
}

/**
 * Ends a grant for good: its access tokens, its refresh families, and its approved codes (they fail
 * at redemption).
 */
export function endGrant(tx: Transaction, grant: GrantRecord, now: number): void {
  tx.put('grants', { ...grant, revokedAt: grant.revokedAt ?? now })
  endTokens(tx, (token) => token.grantId === grant.id, now)
  const families = [...tx.state.values('refreshFamilies')].filter(
    (family) => family.grantId === grant.id && family.revokedAt === null,
  )
  for (const family of families) tx.put('refreshFamilies', { ...family, revokedAt: now })
}
