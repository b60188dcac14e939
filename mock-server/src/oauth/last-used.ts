import type { AccessTokenRecord, GrantRecord } from '../records/records.js'
import type { Store } from '../store/store.js'

const commitIntervalMs = 60_000
const maxEntries = 100_000

const later = (a: number | null, b: number | undefined): number | null =>
  b === undefined ? a : Math.max(a ?? Number.NEGATIVE_INFINITY, b)

/** Times of last use: exact in memory, written at most once a minute per token, so that reads do not become writes. */
export const createLastUsed = () => {
  const tokens = new Map<string, number>()
  const grants = new Map<string, number>()

  const remember = (map: Map<string, number>, id: string, now: number): void => {
    map.delete(id)
    map.set(id, now)
    // The oldest uses leave first; what the store holds of them is less than a minute older.
    for (const oldest of map.keys()) {
      if (map.size <= maxEntries) break
      map.delete(oldest)
    }
  }

  return {
    /** Notes a use; resolves when nothing is left to write. */
    note(store: Store, token: AccessTokenRecord, now: number): Promise<void> {
      remember(tokens, token.id, now)
      if (token.grantId !== null) remember(grants, token.grantId, now)
      if (token.lastUsedAt !== null && now - token.lastUsedAt < commitIntervalMs) return Promise.resolve()
      return store.update((tx) => {
        const current = tx.state.get('accessTokens', token.id)
        if (current !== undefined) tx.put('accessTokens', { ...current, lastUsedAt: now })
        const grant = token.grantId === null ? undefined : tx.state.get('grants', token.grantId)
        if (grant !== undefined) tx.put('grants', { ...grant, lastUsedAt: now })
      })
    },
    ofToken: (token: AccessTokenRecord) => later(token.lastUsedAt, tokens.get(token.id)),
    ofGrant: (grant: GrantRecord) => later(grant.lastUsedAt, grants.get(grant.id)),
  }
}
