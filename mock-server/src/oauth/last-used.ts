import type { AccessTokenRecord, GrantRecord } from '../records/records.js'
import type { Store } from '../store/store.js'

const commitIntervalMs = 60_000
const maxEntries = 100_000

/** Times of last use: a grant's exact in memory, all written at most once a minute per token, so that reads do not become writes. */
export const createLastUsed = () => {
  const grants = new Map<string, number>()
  return {
    note(store: Store, { id, grantId, lastUsedAt }: AccessTokenRecord, now: number): Promise<void> {
      if (grantId !== null) {
        grants.delete(grantId)
        grants.set(grantId, now)
        const [oldest] = grants.keys()
        // What the store holds of it is less than a minute older.
        if (grants.size > maxEntries && oldest !== undefined) grants.delete(oldest)
      }
      if (lastUsedAt !== null && now - lastUsedAt < commitIntervalMs) return Promise.resolve()
      return store.update((tx) => {
        const current = tx.state.get('accessTokens', id)
        if (current !== undefined) tx.put('accessTokens', { ...current, lastUsedAt: now })
        const grant = tx.state.get('grants', grantId ?? '')
        if (grant !== undefined) tx.put('grants', { ...grant, lastUsedAt: now })
      })
    },
    ofGrant: ({ id, lastUsedAt }: GrantRecord): number | null =>
      grants.has(id) ? Math.max(lastUsedAt ?? 0, grants.get(id) ?? 0) : lastUsedAt,
  }
}
