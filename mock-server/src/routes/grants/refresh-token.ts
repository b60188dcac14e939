import { digest } from '../../base/digest.js'
import { drawSecret } from '../../base/ids.js'
import { accept, refuse } from '../../domain/decision.js'
import { rotate } from '../../domain/refresh-token.js'
import { knownScopes, narrowScopes, parseScope } from '../../domain/scope.js'
import { deviceApplication, type Grant, issueFacts } from '../../grants/grant.js'
import { mintForDevice } from '../../grants/mint.js'
import { endFamily } from '../../grants/revocation.js'
import type { RefreshFamilyRecord } from '../../records/records.js'
import type { ReadonlyState } from '../../store/store.js'

/** The family of a live refresh token, or of one that was replaced. */
const familyOf = (state: ReadonlyState, digest: string): RefreshFamilyRecord | undefined => {
  const used = state.get('usedRefreshTokens', digest)
  return used === undefined ? state.find('refreshFamilyByDigest', digest) : state.get('refreshFamilies', used.familyId)
}

/** RFC 6749 §6 with rotation: each use answers a new refresh token, and a second use of an old one ends the family. */
export const refreshTokenGrant: Grant = {
  grantType: 'refresh_token',
  parameters: ['refresh_token'],
  handle: ({ form, sandbox }, client) =>
    sandbox.store.update((tx) => {
      const now = sandbox.clock.now()
      const allowed = deviceApplication(tx.state, client)
      if (!allowed.ok) return allowed
      const application = allowed.value
      if (!application.refreshTokens) {
        return refuse('unauthorized_client', 'The application may not use this grant type', {
          detail: 'refresh_tokens_disabled',
        })
      }
      const refresh_token = drawSecret(sandbox.ids, sandbox.settings.tokenPrefixes.refresh)
      const presented = { digest: digest(form.get('refresh_token') ?? ''), nextDigest: digest(refresh_token) }
      const family = familyOf(tx.state, presented.digest)
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
      return accept(mintForDevice(tx, sandbox, application, owner, rotated.id, now, { refresh_token }))
    }),
}
