import { isForgotten } from '../domain/device-authorization.js'
import { isOver } from '../domain/page-login.js'
import type { Transaction } from '../store/store.js'
import type { UserCodes } from './user-codes.js'

/** Throws away what no answer depends on any more; runs inside the turn of a write, at most once a minute. */
export type Sweep = (tx: Transaction, now: number) => void

const intervalMs = 60_000
/** Dead tokens stay listed for a day. */
const keepDeadMs = 86_400_000

const longDead = (record: { readonly expiresAt?: number | null; readonly revokedAt: number | null }, now: number) =>
  Math.min(record.expiresAt ?? Number.POSITIVE_INFINITY, record.revokedAt ?? Number.POSITIVE_INFINITY) + keepDeadMs <=
  now

export const createSweep = (userCodes: UserCodes): Sweep => {
  let nextAt = Number.NEGATIVE_INFINITY
  return (tx, now) => {
    if (now < nextAt) return
    nextAt = now + intervalMs
    const { state } = tx
    const dead = {
      usedAssertions: [...state.values('usedAssertions')].filter(({ keepUntil }) => keepUntil <= now),
      deviceAuthorizations: [...state.values('deviceAuthorizations')].filter((record) => isForgotten(record, now)),
      accessTokens: [...state.values('accessTokens')].filter((token) => token.kind !== 'api' && longDead(token, now)),
      refreshFamilies: [...state.values('refreshFamilies')].filter((family) => longDead(family, now)),
    }
    for (const login of [...state.values('logins')]) if (isOver(login, now)) tx.delete('logins', login.id)
    userCodes.sweep(state)
    for (const record of dead.usedAssertions) tx.delete('usedAssertions', record.id)
    for (const record of dead.deviceAuthorizations) tx.delete('deviceAuthorizations', record.id)
    for (const record of dead.accessTokens) tx.delete('accessTokens', record.id)
    for (const record of dead.refreshFamilies) tx.delete('refreshFamilies', record.id)
    if (dead.refreshFamilies.length === 0) return
    const families = new Set(dead.refreshFamilies.map(({ id }) => id))
    const used = [...state.values('usedRefreshTokens')].filter(({ familyId }) => families.has(familyId))
    for (const record of used) tx.delete('usedRefreshTokens', record.id)
  }
}
