import type { ApplicationRecord, RefreshFamilyRecord } from '../records/records.js'
import { accept, refuse } from './decision.js'
import type { AnswerWithNext, IssueFacts } from './device-authorization.js'

function unusable(detail: string) {
  return refuse('invalid_grant', 'Invalid refresh token', { detail })
}

/**
 * Rotates a refresh token (RFC 9700 §4.14.2). A token that was replaced before revokes its family.
 * A token of another application is refused, and its family stays.
 */
export function rotate(
  family: RefreshFamilyRecord | undefined,
  presented: { readonly digest: string; readonly nextDigest: string },
  application: Pick<ApplicationRecord, 'id'>,
  facts: IssueFacts,
  now: number,
): AnswerWithNext<RefreshFamilyRecord> {
  if (family === undefined) return { answer: unusable('refresh_token_unknown') }
  if (family.applicationId !== application.id) return { answer: unusable('refresh_token_foreign') }
  if (family.revokedAt !== null) return { answer: unusable('refresh_token_revoked') }
  if (family.digest !== presented.digest) {
    return { next: { ...family, revokedAt: now }, answer: unusable('refresh_token_reused') }
  }
  if (!facts.grantLive) return { answer: unusable('grant_revoked') }
  if (!facts.userActive) return { answer: unusable('user_inactive') }
  if (!facts.membershipActive) return { answer: unusable('membership_inactive') }
  const next = { ...family, digest: presented.nextDigest }
  return { next, answer: accept(next) }
}
