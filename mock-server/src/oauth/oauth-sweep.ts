import { isForgotten } from '../domain/device-authorization.js'
import { isOver } from '../domain/page-login.js'
import type { Collection, Records } from '../records/records.js'
import type { ReadonlyState, Transaction } from '../store/store.js'
import type { UserCodes } from './user-codes.js'

const intervalMs = 60_000
const keepDeadMs = 86_400_000

const longDead = (record: { readonly expiresAt?: number | null; readonly revokedAt: number | null }, now: number) =>
  Math.min(record.expiresAt ?? Number.POSITIVE_INFINITY, record.revokedAt ?? Number.POSITIVE_INFINITY) + keepDeadMs <=
  now

type IsDead<R> = (record: R, now: number, state: ReadonlyState) => boolean

/** What no answer depends on any more, in this order. */
const dead: { readonly [C in Collection]?: IsDead<Records[C]> } = {
  usedAssertions: ({ keepUntil }, now) => keepUntil <= now,
  deviceAuthorizations: isForgotten,
  accessTokens: (token, now) => token.kind !== 'api' && longDead(token, now),
  logins: isOver,
  refreshFamilies: longDead,
  usedRefreshTokens: ({ familyId }, _now, state) => state.get('refreshFamilies', familyId) === undefined,
}

/** Throws away what no answer depends on any more; runs inside the turn of a write, at most once a minute. */
export const createSweep = (userCodes: UserCodes) => {
  let nextAt = Number.NEGATIVE_INFINITY
  return (tx: Transaction, now: number): void => {
    if (now < nextAt) return
    nextAt = now + intervalMs
    const { state } = tx
    for (const [collection, isDead] of Object.entries(dead) as [Collection, IsDead<unknown>][]) {
      for (const record of [...state.values(collection)].filter((each) => isDead(each, now, state))) {
        tx.delete(collection, record.id)
      }
    }
    userCodes.sweep(state)
  }
}
