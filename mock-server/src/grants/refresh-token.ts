import { digest } from '../digest.js'
import { allowKind, authenticateClient } from '../domain/client.js'
import { accept, refuse } from '../domain/decision.js'
import { rotate } from '../domain/refresh-token.js'
import { knownScopes, narrowScopes, parseScope } from '../domain/scope.js'
import type { Grant } from '../oauth/grant.js'
import { drawRefreshToken, mintAccessToken } from '../oauth/mint.js'
import { endFamily } from '../oauth/revocation.js'
import type { RefreshFamilyRecord } from '../store/records.js'
import type { ReadonlyState } from '../store/store.js'

/** The family of a live refresh token, or of one that was replaced. */
const familyOf = (state: ReadonlyState, digest: string): RefreshFamilyRecord | undefined => {
  const used = state.get('usedRefreshTokens', digest)
  return used === undefined ? state.find('refreshFamilyByDigest', digest) : state.get('refreshFamilies', used.familyId)
}

const factsOf = (state: ReadonlyState, family: RefreshFamilyRecord | undefined) => ({
  userActive: family !== undefined && state.get('users', family.userId)?.active === true,
  membershipActive: family !== undefined && state.find('member', family.organizationId, family.userId)?.active === true,
  grantLive: family !== undefined && state.get('grants', family.grantId)?.revokedAt === null,
})

/** RFC 6749 §6 with rotation: each use answers a new refresh token, and a second use of an old one ends the family. */
export const refreshTokenGrant: Grant = {
  grantType: 'refresh_token',
  parameters: ['refresh_token'],
  handle: ({ form, sandbox }, client) =>
    sandbox.store.update((tx) => {
      const now = sandbox.clock.now()
      const named = tx.state.find('applicationByClientId', client.client_id ?? '')
      const authenticated = authenticateClient(named, client)
      if (!authenticated.ok) return authenticated
      const allowed = allowKind(authenticated.value, 'device')
      if (!allowed.ok) return allowed
      const application = allowed.value
      if (!application.refreshTokens) {
        return refuse('unauthorized_client', 'The application may not use this grant type', {
          detail: 'refresh_tokens_disabled',
        })
      }
      const refresh_token = drawRefreshToken(sandbox)
      const presented = { digest: digest(form.get('refresh_token') ?? ''), nextDigest: digest(refresh_token) }
      const family = familyOf(tx.state, presented.digest)
      const rotation = rotate(family, presented, application, factsOf(tx.state, family), now)
      if (!rotation.answer.ok) {
        if (rotation.next !== undefined) endFamily(tx, rotation.next, now)
        return rotation.answer
      }
      const { scopes: granted, ...rotated } = rotation.answer.value
      const requested = parseScope(form.get('scope'), knownScopes(sandbox.settings.extraScopes))
      if (!requested.ok) return requested
      const scopes = narrowScopes(requested.value, granted)
      if (!scopes.ok) return scopes
      tx.put('refreshFamilies', rotation.answer.value)
      tx.put('usedRefreshTokens', { id: presented.digest, familyId: rotated.id })
      sandbox.oauth.sweep(tx, now)
      const ttl = application.accessTokenTtlSeconds
      const token = {
        kind: 'device' as const,
        userId: rotated.userId,
        scopes: scopes.value,
        organizationIds: [rotated.organizationId],
        applicationId: application.id,
        grantId: rotated.grantId,
        familyId: rotated.id,
        description: application.name,
      }
      return accept({
        access_token: mintAccessToken(tx, sandbox, token, ttl, now),
        token_type: 'Bearer' as const,
        ...(ttl !== null && { expires_in: ttl }),
        refresh_token,
        scope: scopes.value.join(' '),
      })
    }),
}
