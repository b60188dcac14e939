import { digest } from '../base/digest.js'
import { drawSecret } from '../base/ids.js'
import { authenticateClient, type PresentedClient } from '../domain/client.js'
import { type Decision, refuse } from '../domain/decision.js'
import type { IssueFacts } from '../domain/device-authorization.js'
import { timestamp } from '../domain/timestamp.js'
import type { TokenParameter } from '../domain/token-exchange.js'
import type { Form } from '../http/form.js'
import type {
  AccessTokenRecord,
  ApplicationRecord,
  DeviceAuthorizationRecord,
  RefreshFamilyRecord,
} from '../records/records.js'
import type { SandboxContext } from '../request/exchange.js'
import type { ReadonlyState, Transaction } from '../store/store.js'

/** A successful token response (RFC 6749 §5.1, RFC 8693 §2.2.1); what does not apply is absent. */
export interface TokenResponse {
  readonly access_token: string
  readonly issued_token_type?: string
  readonly token_type: 'Bearer'
  readonly expires_in?: number
  readonly refresh_token?: string
  readonly scope: string
}

export interface Grant {
  readonly grantType: string
  /** Parameters that it cannot do without, in the order in which a missing one is named. */
  readonly parameters: readonly TokenParameter[]
  /** Checks of the grant's own form that come before client authentication. */
  readonly check?: (form: Form) => Decision<null>
  /** Client authentication and everything after it, decided and written in one turn. */
  handle(
    request: { readonly form: Form; readonly sandbox: SandboxContext },
    client: PresentedClient,
  ): Promise<Decision<TokenResponse>>
}

export function refuseGrant(detail: string) {
  return refuse('unauthorized_client', 'The application may not use this grant type', { detail })
}

/** Decides and writes in one turn about the device application that a client proves to be. */
export function inDeviceTurn<T>(
  { store, clock }: SandboxContext,
  client: PresentedClient,
  decide: (tx: Transaction, application: ApplicationRecord, now: number) => Decision<T>,
): Promise<Decision<T>> {
  return store.update((tx): Decision<T> => {
    const application = authenticateClient(
      tx.state.find('applicationByClientId', client.client_id ?? ''),
      client,
    )
    if (!application.ok) return application
    return application.value.kind === 'device'
      ? decide(tx, application.value, clock.now())
      : refuseGrant('application_kind')
  })
}

/** What is true at this moment of the people behind a code or a refresh token. */
export function issueFacts(
  state: ReadonlyState,
  of: Pick<DeviceAuthorizationRecord, 'userId' | 'organizationId' | 'grantId'> | undefined,
): IssueFacts {
  return {
    userActive: state.get('users', of?.userId ?? '')?.active === true,
    membershipActive:
      state.find('member', of?.organizationId ?? '', of?.userId ?? '')?.active === true,
    grantLive: state.get('grants', of?.grantId ?? '')?.revokedAt === null,
  }
}

type Secrets = Pick<SandboxContext, 'ids' | 'settings'>

type Minted = Pick<
  AccessTokenRecord,
  | 'kind'
  | 'userId'
  | 'scopes'
  | 'organizationIds'
  | 'applicationId'
  | 'grantId'
  | 'familyId'
  | 'description'
>

/** Mints an access token in the turn of `tx`; its value leaves with this answer. */
export function mint(
  tx: Transaction,
  sandbox: Secrets,
  minted: Minted,
  ttlSeconds: number | null,
  now: number,
  more: Pick<TokenResponse, 'issued_token_type' | 'refresh_token'> = {},
): TokenResponse {
  const { refresh_token, ...beside } = more
  const { ids, settings } = sandbox
  const access_token = drawSecret(
    ids,
    settings.tokenPrefixes[minted.kind === 'exchange' ? 'exchange' : 'access'],
  )
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
export function mintForDevice(
  tx: Transaction,
  sandbox: Secrets,
  { id: applicationId, name, accessTokenTtlSeconds }: ApplicationRecord,
  { userId, organizationId, grantId, scopes }: Owner,
  familyId: string | null,
  now: number,
  more: Pick<TokenResponse, 'refresh_token'>,
): TokenResponse {
  const own = {
    userId,
    scopes,
    organizationIds: [organizationId],
    applicationId,
    grantId,
    familyId,
  }
  return mint(
    tx,
    sandbox,
    { ...own, kind: 'device', description: name },
    accessTokenTtlSeconds,
    now,
    more,
  )
}
