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

/**
 * What OAuth keeps per sandbox beside its records: caches and counters that a restart may forget.
 */
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
     * Times of failed look-ups, by peer address and by user: never by code, so nobody can lock a
     * victim's code.
     */
    wrongCodes: new Map<string, readonly number[]>(),
    close: () => jwks.close(),
  }
}

const commitIntervalMs = 60_000
const maxEntries = 100_000

/**
 * Times of last use: a grant's exact in memory, all written at most once a minute per token, so
 * that reads do not become writes.
 */
function createLastUsed() {
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

/** The request under a typed user code, whatever its state. */
export function findUserCode(
  state: ReadonlyState,
  typed: string,
): DeviceAuthorizationRecord | undefined {
  const code = normalizeUserCode(typed)
  return code === undefined ? undefined : state.find('deviceAuthorizationByUserCode', digest(code))
}

/**
 * User codes in plain, which the control API shows while they wait: in memory alone, the records
 * hold digests.
 */
function createUserCodes() {
  const codes = new Map<string, string>()
  return {
    remember: (authorizationId: string, user_code: string) =>
      void codes.set(authorizationId, user_code),
    /** Empty once it was answered, and after a restart. */
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

function longDead(
  record: { readonly expiresAt?: number | null; readonly revokedAt: number | null },
  now: number,
) {
  return (
    Math.min(
      record.expiresAt ?? Number.POSITIVE_INFINITY,
      record.revokedAt ?? Number.POSITIVE_INFINITY,
    ) +
      keepDeadMs <=
    now
  )
}

type IsDead<R> = (record: R, now: number, state: ReadonlyState) => boolean

/** What no answer depends on any more, in this order. */
const dead: { readonly [C in Collection]?: IsDead<Records[C]> } = {
  usedAssertions: ({ keepUntil }, now) => keepUntil <= now,
  deviceAuthorizations: isForgotten,
  accessTokens: (token, now) => token.kind !== 'api' && longDead(token, now),
  logins: isOver,
  refreshFamilies: longDead,
  usedRefreshTokens: ({ familyId }, _now, state) =>
    state.get('refreshFamilies', familyId) === undefined,
}

/**
 * Throws away what no answer depends on any more; runs inside the turn of a write, at most once a
 * minute.
 */
function createSweep(userCodes: ReturnType<typeof createUserCodes>) {
  let nextAt = Number.NEGATIVE_INFINITY
  return (tx: Transaction, now: number): void => {
    if (now < nextAt) return
    nextAt = now + sweepIntervalMs
    const { state } = tx
    for (const [collection, isDead] of Object.entries(dead) as [Collection, IsDead<unknown>][]) {
      for (const record of [...state.values(collection)].filter((each) =>
        isDead(each, now, state),
      )) {
        tx.delete(collection, record.id)
      }
    }
    userCodes.sweep(state)
  }
}
