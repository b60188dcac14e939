import { digest } from '../../base/digest.js'
import { drawSecret } from '../../base/ids.js'
import { accept, map } from '../../domain/decision.js'
import { pollDeviceAuthorization } from '../../domain/device-authorization.js'
import { rotate } from '../../domain/refresh-token.js'
import { knownScopes, narrowScopes, parseScope } from '../../domain/scope.js'
import { endFamily } from '../../grants/approval.js'
import {
  type Grant,
  inDeviceTurn,
  issueFacts,
  mintForDevice,
  refuseGrant,
} from '../../grants/grant.js'

/**
 * RFC 8628 §3.4: the device polls until the user has answered. An approved code is consumed in the
 * turn that mints the token.
 */
export const deviceCodeGrant: Grant = {
  grantType: 'urn:ietf:params:oauth:grant-type:device_code',
  parameters: ['device_code'],
  handle: ({ form, sandbox }, client) =>
    inDeviceTurn(sandbox, client, (tx, application, now) => {
      const record = tx.state.find(
        'deviceAuthorizationByDeviceCode',
        digest(form.get('device_code') ?? ''),
      )
      const facts = issueFacts(tx.state, record)
      const { pollGraceMs } = sandbox.settings
      const poll = pollDeviceAuthorization(record, application, facts, now, pollGraceMs)
      if (poll.next !== undefined) tx.put('deviceAuthorizations', poll.next)
      return map(poll.answer, ({ userId, organizationId, grantId, scopes }) => {
        sandbox.oauth.sweep(tx, now)
        const owner = {
          userId: userId ?? '',
          organizationId: organizationId ?? '',
          grantId: grantId ?? '',
          scopes,
        }
        if (!application.refreshTokens)
          return mintForDevice(tx, sandbox, application, owner, null, now, {})
        const id = sandbox.ids.uuid('refreshFamily')
        const refresh_token = drawSecret(sandbox.ids, sandbox.settings.tokenPrefixes.refresh)
        const family = {
          ...owner,
          id,
          applicationId: application.id,
          digest: digest(refresh_token),
        }
        tx.put('refreshFamilies', { ...family, revokedAt: null, createdAt: now })
        return mintForDevice(tx, sandbox, application, owner, id, now, { refresh_token })
      })
    }),
}

/**
 * RFC 6749 §6 with rotation: each use returns a new refresh token. The second use of an old refresh
 * token ends the family.
 */
export const refreshTokenGrant: Grant = {
  grantType: 'refresh_token',
  parameters: ['refresh_token'],
  handle: ({ form, sandbox }, client) =>
    inDeviceTurn(sandbox, client, (tx, application, now) => {
      if (!application.refreshTokens) return refuseGrant('refresh_tokens_disabled')
      const refresh_token = drawSecret(sandbox.ids, sandbox.settings.tokenPrefixes.refresh)
      const presented = {
        digest: digest(form.get('refresh_token') ?? ''),
        nextDigest: digest(refresh_token),
      }
      const used = tx.state.get('usedRefreshTokens', presented.digest)
      const family = used
        ? tx.state.get('refreshFamilies', used.familyId)
        : tx.state.find('refreshFamilyByDigest', presented.digest)
      const rotation = rotate(family, presented, application, issueFacts(tx.state, family), now)
      if (!rotation.answer.ok) {
        if (rotation.next !== undefined) endFamily(tx, rotation.next, now)
        return rotation.answer
      }
      const rotated = rotation.answer.value
      const requested = parseScope(form.get('scope'), knownScopes(sandbox.settings.extraScopes))
      if (!requested.ok) return requested
      const scopes = narrowScopes(requested.value, rotated.scopes)
      if (!scopes.ok) return scopes
      tx.put('refreshFamilies', rotated)
      tx.put('usedRefreshTokens', { id: presented.digest, familyId: rotated.id })
      sandbox.oauth.sweep(tx, now)
      const owner = { ...rotated, scopes: scopes.value }
      return accept(
        mintForDevice(tx, sandbox, application, owner, rotated.id, now, { refresh_token }),
      )
    }),
}
