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

/** A successful token response (RFC 6749 §5.1, RFC 8693 §2.2.1); absent members do not apply. */
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
  /** Required parameters; the first missing one is named in the error. */
  readonly parameters: readonly TokenParameter[]
  /** Checks the grant's form before the client is authenticated. */
  readonly check?: (form: Form) => Decision<null>
  /** Authenticates the client, decides and writes, in one turn. */
  handle(
    request: { readonly form: Form; readonly sandbox: SandboxContext },
    client: PresentedClient,
  ): Promise<Decision<TokenResponse>>
}

export function refuseGrant(detail: string) {
  return refuse('unauthorized_client', 'The application may not use this grant type', { detail })
}

/** Authenticates a device application, then decides and writes in the same turn. */
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

/** The present facts about the user, membership and grant of a code or a refresh token. */
export function issueFacts(
  state: ReadonlyState,
  owner: Pick<DeviceAuthorizationRecord, 'userId' | 'organizationId' | 'grantId'> | undefined,
): IssueFacts {
  return {
    userActive: state.get('users', owner?.userId ?? '')?.active === true,
    membershipActive:
      state.find('member', owner?.organizationId ?? '', owner?.userId ?? '')?.active === true,
    grantLive: state.get('grants', owner?.grantId ?? '')?.revokedAt === null,
  }
}

type TokenSource = Pick<SandboxContext, 'ids' | 'settings'>

type TokenFacts = Pick<
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

/** Mints an access token in the turn of `tx`. Only this response holds its value. */
export function mint(
  tx: Transaction,
  sandbox: TokenSource,
  facts: TokenFacts,
  ttlSeconds: number | null,
  now: number,
  more: Pick<TokenResponse, 'issued_token_type' | 'refresh_token'> = {},
): TokenResponse {
  const { refresh_token, ...issued } = more
  const { ids, settings } = sandbox
  const { exchange, access } = settings.tokenPrefixes
  const access_token = drawSecret(ids, facts.kind === 'exchange' ? exchange : access)
  tx.put('accessTokens', {
    ...facts,
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
    ...issued,
    token_type: 'Bearer',
    ...(ttlSeconds !== null && { expires_in: ttlSeconds }),
    ...(refresh_token !== undefined && { refresh_token }),
    scope: facts.scopes.join(' '),
  }
}

type TokenOwner = Pick<RefreshFamilyRecord, 'userId' | 'organizationId' | 'grantId' | 'scopes'>

/** Mints an access token for a user's device. `familyId` is that of its refresh token. */
export function mintForDevice(
  tx: Transaction,
  sandbox: TokenSource,
  { id: applicationId, name, accessTokenTtlSeconds }: ApplicationRecord,
  { userId, organizationId, grantId, scopes }: TokenOwner,
  familyId: string | null,
  now: number,
  more: Pick<TokenResponse, 'refresh_token'>,
): TokenResponse {
  const facts: TokenFacts = {
    kind: 'device',
    userId,
    scopes,
    organizationIds: [organizationId],
    applicationId,
    grantId,
    familyId,
    description: name,
  }
  return mint(tx, sandbox, facts, accessTokenTtlSeconds, now, more)
}
