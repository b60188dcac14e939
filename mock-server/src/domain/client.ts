import type { ApplicationRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'

/** The credentials that a client of the device or refresh grant sent (RFC 6749 §2.3). */
export interface PresentedClient {
  /** Undefined: the credentials could not be read. */
  readonly client_id: string | undefined
  /** `none`: only client_id. These grants accept neither `unreadable` nor `assertion`. */
  readonly method: 'none' | 'secret' | 'assertion' | 'unreadable'
  readonly secretDigest: string | null
}

function failed(detail: string) {
  return refuse('invalid_client', 'Client authentication failed', { detail })
}

/**
 * Authenticates a client. The answer is the same for unknown and disabled applications and wrong
 * secrets. An exchange application that sends only its client_id is accepted here, and refused by a
 * later check.
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
  // A client cannot choose the bytes of a digest, so the time of this comparison leaks nothing.
  const { secretDigest } = presented
  const isRight = secretDigest !== null && secretDigest === application.clientSecretDigest
  return isRight ? accept(application) : failed('secret_wrong')
}
