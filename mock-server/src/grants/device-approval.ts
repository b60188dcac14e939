import { type Decision, refuse } from '../domain/decision.js'
import { answerDeviceAuthorization } from '../domain/device-authorization.js'
import { timestamp } from '../domain/timestamp.js'
import type { DeviceAuthorizationRecord } from '../records/records.js'
import type { SandboxContext } from '../request/exchange.js'
import type { Transaction } from '../store/store.js'

/** Approves for a user and one of their organizations: the first approval makes the grant, later ones join it. */
export const approveDevice = (
  tx: Transaction,
  { ids }: Pick<SandboxContext, 'ids'>,
  record: DeviceAuthorizationRecord,
  user: { readonly userId: string; readonly organizationId: string },
  now: number,
): Decision<DeviceAuthorizationRecord> => {
  const { userId, organizationId } = user
  const membershipActive =
    tx.state.find('member', organizationId, userId)?.active === true && tx.state.get('users', userId)?.active === true
  const joined = tx.state.find('liveGrant', userId, record.applicationId, organizationId)
  const grantId = joined?.id ?? ids.uuid('grant')
  // The page that is answered may be older than the application's end.
  if (tx.state.get('applications', record.applicationId)?.enabled !== true) {
    return refuse('conflict', 'The application is disabled', { detail: 'application_disabled' })
  }
  const decision = answerDeviceAuthorization(
    record,
    { approve: true, userId, organizationId, grantId },
    membershipActive,
    now,
  )
  if (!decision.ok) return decision
  const origin = { ip: record.ip, userAgent: record.userAgent, at: now }
  tx.put('deviceAuthorizations', decision.value)
  tx.put('grants', {
    id: grantId,
    userId,
    applicationId: record.applicationId,
    organizationId,
    scopes: [...new Set([...(joined?.scopes ?? []), ...record.scopes])],
    origin,
    created_at: joined?.created_at ?? timestamp(now),
    lastUsedAt: joined?.lastUsedAt ?? null,
    revokedAt: null,
  })
  return decision
}

export const denyDevice = (
  tx: Transaction,
  record: DeviceAuthorizationRecord,
  userId: string,
  now: number,
): Decision<DeviceAuthorizationRecord> => {
  const decision = answerDeviceAuthorization(record, { approve: false, userId }, true, now)
  if (decision.ok) tx.put('deviceAuthorizations', decision.value)
  return decision
}
