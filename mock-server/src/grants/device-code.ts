import type { SandboxContext } from '../context.js'
import { digest } from '../digest.js'
import { allowKind, authenticateClient } from '../domain/client.js'
import { accept } from '../domain/decision.js'
import { type IssueFacts, pollDeviceAuthorization } from '../domain/device-authorization.js'
import type { Grant, TokenResponse } from '../oauth/grant.js'
import { drawRefreshToken, mintAccessToken } from '../oauth/mint.js'
import type { ApplicationRecord, DeviceAuthorizationRecord } from '../store/records.js'
import type { ReadonlyState, Transaction } from '../store/store.js'

const factsOf = (state: ReadonlyState, record: DeviceAuthorizationRecord | undefined): IssueFacts => {
  const { userId, organizationId, grantId } = record ?? { userId: null, organizationId: null, grantId: null }
  if (userId === null || organizationId === null || grantId === null) {
    return { userActive: false, membershipActive: false, grantLive: false }
  }
  return {
    userActive: state.get('users', userId)?.active === true,
    membershipActive: state.find('member', organizationId, userId)?.active === true,
    grantLive: state.get('grants', grantId)?.revokedAt === null,
  }
}

/** The token response of a code that this very turn consumes. */
const redeem = (
  tx: Transaction,
  sandbox: SandboxContext,
  record: DeviceAuthorizationRecord,
  application: ApplicationRecord,
  now: number,
): TokenResponse => {
  const owner = {
    userId: record.userId ?? '',
    applicationId: application.id,
    grantId: record.grantId ?? '',
    scopes: record.scopes,
  }
  const organizationId = record.organizationId ?? ''
  const familyId = application.refreshTokens ? sandbox.ids.uuid('refreshFamily') : null
  const refresh_token = familyId === null ? undefined : drawRefreshToken(sandbox)
  if (familyId !== null && refresh_token !== undefined) {
    tx.put('refreshFamilies', {
      ...owner,
      id: familyId,
      organizationId,
      digest: digest(refresh_token),
      revokedAt: null,
      createdAt: now,
    })
  }
  const ttl = application.accessTokenTtlSeconds
  const token = {
    ...owner,
    kind: 'device' as const,
    organizationIds: [organizationId],
    familyId,
    description: application.name,
  }
  return {
    access_token: mintAccessToken(tx, sandbox, token, ttl, now),
    token_type: 'Bearer',
    ...(ttl !== null && { expires_in: ttl }),
    ...(refresh_token !== undefined && { refresh_token }),
    scope: record.scopes.join(' '),
  }
}

/** RFC 8628 §3.4: the device polls until its user has answered. */
export const deviceCodeGrant: Grant = {
  grantType: 'urn:ietf:params:oauth:grant-type:device_code',
  parameters: ['device_code'],
  handle: ({ form, sandbox }, client) =>
    sandbox.store.update((tx) => {
      const now = sandbox.clock.now()
      const named = tx.state.find('applicationByClientId', client.client_id ?? '')
      const authenticated = authenticateClient(named, client)
      if (!authenticated.ok) return authenticated
      const allowed = allowKind(authenticated.value, 'device')
      if (!allowed.ok) return allowed
      const record = tx.state.find('deviceAuthorizationByDeviceCode', digest(form.get('device_code') ?? ''))
      const facts = factsOf(tx.state, record)
      const poll = pollDeviceAuthorization(record, allowed.value, facts, now, sandbox.settings.pollGraceMs)
      if (poll.next !== undefined) tx.put('deviceAuthorizations', poll.next)
      if (!poll.answer.ok) return poll.answer
      sandbox.oauth.sweep(tx, now)
      return accept(redeem(tx, sandbox, poll.answer.value, allowed.value, now))
    }),
}
