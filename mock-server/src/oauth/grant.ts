import type { SandboxContext } from '../context.js'
import type { PresentedClient } from '../domain/client.js'
import type { Decision } from '../domain/decision.js'
import type { Form, Parameter } from '../http/form.js'

/** A successful token response (RFC 6749 §5.1, RFC 8693 §2.2.1); what does not apply is absent. */
export interface TokenResponse {
  readonly access_token: string
  readonly issued_token_type?: string
  readonly token_type: 'Bearer'
  readonly expires_in?: number
  readonly refresh_token?: string
  readonly scope: string
}

interface GrantRequest {
  readonly form: Form
  readonly sandbox: SandboxContext
}

/** One grant of the token endpoint. */
export interface Grant {
  /** The value of `grant_type` that names it. */
  readonly grantType: string
  /** Parameters that it cannot do without, in the order in which a missing one is named. */
  readonly parameters: readonly Parameter[]
  /** Checks of the grant's own form that come before client authentication. */
  readonly check?: (form: Form) => Decision<null>
  /** Client authentication and everything after it, decided and written in one turn. */
  handle(request: GrantRequest, client: PresentedClient): Promise<Decision<TokenResponse>>
}

export type GrantRegistry = ReadonlyMap<string, Grant>
