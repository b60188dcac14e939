import type { Clock } from '../base/clock.js'
import { digest } from '../base/digest.js'
import { isForgotten, normalizeUserCode } from '../domain/device-authorization.js'
import { isOver } from '../domain/page-login.js'
import { FixedWindows } from '../http/fixed-windows.js'
import type {
  AccessTokenRecord,
  Collection,
  DeviceAuthorizationRecord,
  GrantRecord,
  Records,
} from '../records/records.js'
import type { ReadonlyState, Store, Transaction } from '../store/store.js'
import { createAssertionVerifier } from './assertion-verifier.js'
import { createJwks } from './jwks.js'
import { type GetJwks, getFromNetwork } from './jwks-network.js'

/** The state of OAuth outside of the store: caches and counters, lost at a restart. */
export type OAuthState = ReturnType<typeof createOAuthState>

export function createOAuthState(clock: Clock, jwksFetch: GetJwks = getFromNetwork) {
  const userCodes = createUserCodes()
  const jwks = createJwks(clock, jwksFetch)
  return {
    jwks,
    verifyAssertion: createAssertionVerifier(),
    tokenRequests: new FixedWindows(),
    lastUsed: createLastUsed(),
    sweep: createSweep(userCodes),
    userCodes,
    /**
     * Times of failed look-ups, by address and by user. They are not counted by code, so that an
     * attacker cannot lock the code of a user.
     */
    wrongCodes: new Map<string, readonly number[]>(),
    close: () => jwks.close(),
  }
}

const commitIntervalMs = 60_000
const maxEntries = 100_000

/**
 * Times of last use. They are written at most once a minute per token, so that not every read
 * becomes a write. The exact time of a grant is in memory.
 */
function createLastUsed() {
  const grants = new Map<string, number>()
  return {
    note(store: Store, { id, grantId, lastUsedAt }: AccessTokenRecord, now: number): Promise<void> {
      if (grantId !== null) {
        grants.delete(grantId)
        grants.set(grantId, now)
        const [oldest] = grants.keys()
        // The stored time of this grant is less than a minute older.
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

/** Finds the device authorization of a typed user code, in any state. */
export function findUserCode(
  state: ReadonlyState,
  typed: string,
): DeviceAuthorizationRecord | undefined {
  const code = normalizeUserCode(typed)
  return code === undefined ? undefined : state.find('deviceAuthorizationByUserCode', digest(code))
}

/**
 * User codes in plain text, for the control API, while they are pending. They are only in memory;
 * the records hold digests.
 */
function createUserCodes() {
  const codes = new Map<string, string>()
  return {
    remember: (authorizationId: string, user_code: string) =>
      void codes.set(authorizationId, user_code),
    /** Empty after the user has answered, and after a restart. */
    of: ({ id, state }: Pick<DeviceAuthorizationRecord, 'id' | 'state'>): string =>
      state === 'pending' ? (codes.get(id) ?? '') : '',
    sweep: (state: ReadonlyState) => {
      for (const id of codes.keys()) {
        if (state.get('deviceAuthorizations', id)?.state !== 'pending') codes.delete(id)
      }
    },
  }
}

const sweepIntervalMs = 60_000
const keepDeadMs = 86_400_000

/** True if a record expired or was revoked more than a day ago. */
function longDead(
  record: { readonly expiresAt?: number | null; readonly revokedAt: number | null },
  now: number,
) {
  const expiresAt = record.expiresAt ?? Number.POSITIVE_INFINITY
  const revokedAt = record.revokedAt ?? Number.POSITIVE_INFINITY
  return Math.min(expiresAt, revokedAt) + keepDeadMs <= now
}

type IsDead<R> = (record: R, now: number, state: ReadonlyState) => boolean

/** Tells which records no answer depends on any more; the order matters. */
const deadTests: { readonly [C in Collection]?: IsDead<Records[C]> } = {
  usedAssertions: ({ keepUntil }, now) => keepUntil <= now,
  deviceAuthorizations: isForgotten,
  accessTokens: (token, now) => token.kind !== 'api' && longDead(token, now),
  logins: isOver,
  refreshFamilies: longDead,
  usedRefreshTokens: ({ familyId }, _now, state) =>
    state.get('refreshFamilies', familyId) === undefined,
}

/**
 * Deletes records that no answer depends on any more; runs in the turn of a write, at most once a
 * minute.
 */
function createSweep(userCodes: ReturnType<typeof createUserCodes>) {
  let nextAt = Number.NEGATIVE_INFINITY
  return (tx: Transaction, now: number): void => {
    if (now < nextAt) return
    nextAt = now + sweepIntervalMs
    const { state } = tx
    for (const [collection, isDead] of Object.entries(deadTests) as [
      Collection,
      IsDead<unknown>,
    ][]) {
      const deadRecords = [...state.values(collection)].filter((each) => isDead(each, now, state))
      for (const record of deadRecords) tx.delete(collection, record.id)
    }
    userCodes.sweep(state)
  }
}
