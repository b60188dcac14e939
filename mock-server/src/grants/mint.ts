import { digest } from '../base/digest.js'
import { drawSecret } from '../base/ids.js'
import { timestamp } from '../domain/timestamp.js'
import type { AccessTokenRecord, ApplicationRecord, RefreshFamilyRecord } from '../records/records.js'
import type { SandboxContext } from '../request/exchange.js'
import type { Transaction } from '../store/store.js'
import type { TokenResponse } from './grant.js'

type Secrets = Pick<SandboxContext, 'ids' | 'settings'>

type Minted = Pick<
  AccessTokenRecord,
  'kind' | 'userId' | 'scopes' | 'organizationIds' | 'applicationId' | 'grantId' | 'familyId' | 'description'
>

/** Mints an access token in the turn of `tx`; its value leaves with this answer. */
export const mint = (
  tx: Transaction,
  sandbox: Secrets,
  minted: Minted,
  ttlSeconds: number | null,
  now: number,
  more: Pick<TokenResponse, 'issued_token_type' | 'refresh_token'> = {},
): TokenResponse => {
  const { refresh_token, ...beside } = more
  const { ids, settings } = sandbox
  const access_token = drawSecret(ids, settings.tokenPrefixes[minted.kind === 'exchange' ? 'exchange' : 'access'])
  tx.put('accessTokens', {
    ...minted,
    id: ids.uuid('accessToken'),
    digest: digest(access_token),
    name: null,
    created_at: timestamp(now),
    expiresAt: ttlSeconds === null ? null : now + ttlSeconds * 1000,
    revokedAt: null,
    lastUsedAt: null,
  })
  return {
    access_token,
    ...beside,
    token_type: 'Bearer',
    ...(ttlSeconds !== null && { expires_in: ttlSeconds }),
    ...(refresh_token !== undefined && { refresh_token }),
    scope: minted.scopes.join(' '),
  }
}

type Owner = Pick<RefreshFamilyRecord, 'userId' | 'organizationId' | 'grantId' | 'scopes'>

/** The same for a device of a user; `familyId` is of the refresh token that leaves with it. */
export const mintForDevice = (
  tx: Transaction,
  sandbox: Secrets,
  { id: applicationId, name, accessTokenTtlSeconds }: ApplicationRecord,
  { userId, organizationId, grantId, scopes }: Owner,
  familyId: string | null,
  now: number,
  more: Pick<TokenResponse, 'refresh_token'>,
): TokenResponse => {
  const own = { userId, scopes, organizationIds: [organizationId], applicationId, grantId, familyId }
  return mint(tx, sandbox, { ...own, kind: 'device', description: name }, accessTokenTtlSeconds, now, more)
}
