import type { ApplicationRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'

/** How a client of the device and refresh grants presents itself (RFC 6749 §2.3). */
export interface PresentedClient {
  /** Undefined: the credentials could not be read. */
  readonly client_id: string | undefined
  /** `none`: client_id alone; `unreadable` and `assertion`: nothing that these grants accept. */
  readonly method: 'none' | 'secret' | 'assertion' | 'unreadable'
  readonly secretDigest: string | null
}

function failed(detail: string) {
  return refuse('invalid_client', 'Client authentication failed', { detail })
}

/**
 * Unknown, disabled and badly proved ones look alike. An exchange application that only names
 * itself passes to the next check.
 */
export function authenticateClient(
  application: ApplicationRecord | undefined,
  presented: PresentedClient,
): Decision<ApplicationRecord> {
  if (presented.method === 'unreadable') return failed('credentials_unreadable')
  if (application === undefined) return failed('application_unknown')
  if (!application.enabled) return failed('application_disabled')
  if (presented.method === 'assertion') return failed('method_not_registered')
  if (application.kind === 'token_exchange' || application.clientType === 'public') {
    return presented.method === 'none' ? accept(application) : failed('method_not_registered')
  }
  // Digests are compared: what a caller sends does not steer them byte by byte, so timing tells
  // nothing.
  return presented.secretDigest !== null &&
    presented.secretDigest === application.clientSecretDigest
    ? accept(application)
    : failed('secret_wrong')
}
