import type { SandboxContext } from '../context.js'
import { digest } from '../digest.js'
import { timestamp } from '../domain/timestamp.js'
import type { AccessTokenRecord } from '../store/records.js'
import type { Transaction } from '../store/store.js'

/** Characters of a token after its prefix: 43 of 62 are 256 random bits. */
const secretLength = 43

type Minted = Pick<
  AccessTokenRecord,
  'kind' | 'userId' | 'scopes' | 'organizationIds' | 'applicationId' | 'grantId' | 'familyId' | 'description'
>

/** Mints an access token in the turn of `tx`; the value leaves with the answer, the store keeps its digest. */
export const mintAccessToken = (
  tx: Transaction,
  { ids, settings }: Pick<SandboxContext, 'ids' | 'settings'>,
  minted: Minted,
  ttlSeconds: number | null,
  now: number,
): string => {
  const prefix = minted.kind === 'exchange' ? settings.tokenPrefixes.exchange : settings.tokenPrefixes.access
  const value = `${prefix}${ids.secret(secretLength)}`
  tx.put('accessTokens', {
    ...minted,
    id: ids.uuid('accessToken'),
    digest: digest(value),
    name: null,
    created_at: timestamp(now),
    expiresAt: ttlSeconds === null ? null : now + ttlSeconds * 1000,
    revokedAt: null,
    lastUsedAt: null,
  })
  return value
}

/** A refresh token's value; its family keeps the digest. */
export const drawRefreshToken = ({ ids, settings }: Pick<SandboxContext, 'ids' | 'settings'>): string =>
  `${settings.tokenPrefixes.refresh}${ids.secret(secretLength)}`
