import { isLive } from '../domain/access-token.js'
import type { AccessTokenRecord, GrantRecord, RefreshFamilyRecord } from '../records/records.js'
import type { Transaction } from '../store/store.js'

const endTokens = (tx: Transaction, belongs: (token: AccessTokenRecord) => boolean, now: number): void => {
  const ending = [...tx.state.values('accessTokens')].filter((token) => belongs(token) && isLive(token, now))
  for (const token of ending) tx.put('accessTokens', { ...token, revokedAt: now })
}

/** Ends a refresh family with every access token that descends from its login. */
export const endFamily = (tx: Transaction, family: RefreshFamilyRecord, now: number): void => {
  tx.put('refreshFamilies', { ...family, revokedAt: family.revokedAt ?? now })
  endTokens(tx, (token) => token.familyId === family.id, now)
}

/** DELETE /v2/access-token: ends this token and its refresh family; the grant stays. */
export const endToken = (tx: Transaction, token: AccessTokenRecord, now: number): void => {
  const current = tx.state.get('accessTokens', token.id)
  if (current !== undefined) tx.put('accessTokens', { ...current, revokedAt: current.revokedAt ?? now })
  const family = token.familyId === null ? undefined : tx.state.get('refreshFamilies', token.familyId)
  if (family !== undefined) endFamily(tx, family, now)
}

/** Ends a grant for good: its access tokens, its refresh families, and its approved codes (they fail at redemption). */
export const endGrant = (tx: Transaction, grant: GrantRecord, now: number): void => {
  tx.put('grants', { ...grant, revokedAt: grant.revokedAt ?? now })
  endTokens(tx, (token) => token.grantId === grant.id, now)
  const families = [...tx.state.values('refreshFamilies')].filter(
    (family) => family.grantId === grant.id && family.revokedAt === null,
  )
  for (const family of families) tx.put('refreshFamilies', { ...family, revokedAt: now })
}
