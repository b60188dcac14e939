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
 * Approves a device for a user in one organization. The first approval creates the grant; later
 * approvals extend it.
 */
export function approveDevice(
  tx: Transaction,
  { ids }: Pick<SandboxContext, 'ids'>,
  record: DeviceAuthorizationRecord,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  now: number,
): Decision<DeviceAuthorizationRecord> {
  const isMember = tx.state.find('member', organizationId, userId)?.active === true
  const isActive = isMember && tx.state.get('users', userId)?.active === true
  const liveGrant = tx.state.find('liveGrant', userId, record.applicationId, organizationId)
  const grantId = liveGrant?.id ?? ids.uuid('grant')
  // The application may have been disabled after the user opened the page.
  if (tx.state.get('applications', record.applicationId)?.enabled !== true) {
    return refuse('conflict', 'The application is disabled', { detail: 'application_disabled' })
  }
  const answer = { approve: true, userId, organizationId, grantId } as const
  const decision = answerDeviceAuthorization(record, answer, isActive, now)
  if (!decision.ok) return decision
  tx.put('deviceAuthorizations', decision.value)
  tx.put('grants', {
    id: grantId,
    userId,
    applicationId: record.applicationId,
    organizationId,
    scopes: [...new Set([...(liveGrant?.scopes ?? []), ...record.scopes])],
    origin: { ip: record.ip, userAgent: record.userAgent, at: now },
    created_at: liveGrant?.created_at ?? timestamp(now),
    lastUsedAt: liveGrant?.lastUsedAt ?? null,
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

/** Ends a refresh family with every access token of its login. */
export function endFamily(tx: Transaction, family: RefreshFamilyRecord, now: number): void {
  tx.put('refreshFamilies', { ...family, revokedAt: family.revokedAt ?? now })
  endTokens(tx, (token) => token.familyId === family.id, now)
}

/** DELETE /v2/access-token: ends this token and its refresh family, but not the grant. */
export function endToken(tx: Transaction, token: AccessTokenRecord, now: number): void {
  const current = tx.state.get('accessTokens', token.id)
  if (current !== undefined)
    tx.put('accessTokens', { ...current, revokedAt: current.revokedAt ?? now })
  const family =
    token.familyId === null ? undefined : tx.state.get('refreshFamilies', token.familyId)
  if (family !== undefined) endFamily(tx, family, now)
}

/**
 * Ends a grant with its access tokens and refresh families. Its approved device codes then fail
 * when the device redeems them.
 */
export function endGrant(tx: Transaction, grant: GrantRecord, now: number): void {
  tx.put('grants', { ...grant, revokedAt: grant.revokedAt ?? now })
  endTokens(tx, (token) => token.grantId === grant.id, now)
  const families = [...tx.state.values('refreshFamilies')].filter(
    (family) => family.grantId === grant.id && family.revokedAt === null,
  )
  for (const family of families) tx.put('refreshFamilies', { ...family, revokedAt: now })
}
