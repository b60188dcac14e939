import { authenticateClient, type PresentedClient } from '../domain/client.js'
import { type Decision, refuse } from '../domain/decision.js'
import type { IssueFacts } from '../domain/device-authorization.js'
import type { TokenParameter } from '../domain/token-exchange.js'
import type { Form } from '../http/form.js'
import type { ApplicationRecord, DeviceAuthorizationRecord } from '../records/records.js'
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

export const refuseGrant = (detail: string) =>
  refuse('unauthorized_client', 'The application may not use this grant type', { detail })

/** Decides and writes in one turn about the device application that a client proves to be. */
export const inDeviceTurn = <T>(
  { store, clock }: SandboxContext,
  client: PresentedClient,
  decide: (tx: Transaction, application: ApplicationRecord, now: number) => Decision<T>,
): Promise<Decision<T>> =>
  store.update((tx): Decision<T> => {
    const application = authenticateClient(tx.state.find('applicationByClientId', client.client_id ?? ''), client)
    if (!application.ok) return application
    return application.value.kind === 'device'
      ? decide(tx, application.value, clock.now())
      : refuseGrant('application_kind')
  })

/** What is true at this moment of the people behind a code or a refresh token. */
export const issueFacts = (
  state: ReadonlyState,
  of: Pick<DeviceAuthorizationRecord, 'userId' | 'organizationId' | 'grantId'> | undefined,
): IssueFacts => ({
  userActive: state.get('users', of?.userId ?? '')?.active === true,
  membershipActive: state.find('member', of?.organizationId ?? '', of?.userId ?? '')?.active === true,
  grantLive: state.get('grants', of?.grantId ?? '')?.revokedAt === null,
})
