import type { ApplicationRecord, DeviceAuthorizationRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'

/**
 * Life of device_code and user_code in seconds (RFC 8628 §3.2); past it the user's answer no longer
 * counts.
 */
export const deviceCodeLifetimeSeconds = 600
/** Seconds between polls at first, and what each `slow_down` adds (RFC 8628 §3.5). */
export const pollIntervalSeconds = 5
/** Letters of a user_code: no vowels, so no words, and nothing that looks like a digit. */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ'

const lifetimeMs = deviceCodeLifetimeSeconds * 1000
const pollStepMs = pollIntervalSeconds * 1000
const tombstoneMs = 2 * lifetimeMs

const guessLimit = 5
export const guessWindowMs = 600_000

export function formatUserCode(letters: string): string {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/**
 * Reads a typed user_code: blanks and ASCII punctuation dropped, a-z folded; undefined when no code
 * can be meant.
 */
export function normalizeUserCode(text: string): string | undefined {
  const letters = text
    .replaceAll(/[\s!-/:-@[-`{-~]/g, '')
    .replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(letters) ? formatUserCode(letters) : undefined
}

/** How long look-ups of user codes have to wait after these failures, in ms; 0: not at all. */
export function lookUpWaitMs(failures: readonly number[], now: number): number {
  const oldest = failures.toSorted((a, b) => a - b).at(-guessLimit) ?? Number.NEGATIVE_INFINITY
  return Math.max(0, oldest + guessWindowMs - now)
}

export function expiresAt({ issuedAt }: Pick<DeviceAuthorizationRecord, 'issuedAt'>): number {
  return issuedAt + lifetimeMs
}

export function isExpired(
  record: Pick<DeviceAuthorizationRecord, 'issuedAt'>,
  now: number,
): boolean {
  return !(now < expiresAt(record))
}

/** A record past its tombstone is unknown, and may be thrown away. */
export function isForgotten(
  record: Pick<DeviceAuthorizationRecord, 'issuedAt'>,
  now: number,
): boolean {
  return !(now < record.issuedAt + tombstoneMs)
}

/** Pending and not expired: the one state in which a user may answer, and a user_code is taken. */
export function awaitsAnswer(record: DeviceAuthorizationRecord, now: number): boolean {
  return record.state === 'pending' && !isExpired(record, now)
}

type NewDeviceAuthorization = Pick<
  DeviceAuthorizationRecord,
  'id' | 'deviceCodeDigest' | 'userCodeDigest' | 'scopes' | 'ip' | 'userAgent'
>

export function startDeviceAuthorization(
  request: NewDeviceAuthorization,
  application: Pick<ApplicationRecord, 'id'>,
  now: number,
): DeviceAuthorizationRecord {
  return {
    ...request,
    applicationId: application.id,
    state: 'pending',
    intervalMs: pollStepMs,
    lastPolledAt: null,
    issuedAt: now,
    userId: null,
    organizationId: null,
    grantId: null,
  }
}

/** What must still be true at the moment of issue; a missing record is simply false. */
export interface IssueFacts {
  readonly userActive: boolean
  readonly membershipActive: boolean
  readonly grantLive: boolean
}

export interface AnswerWithNext<R> {
  /** What to store, whatever is answered; absent when nothing moves. */
  readonly next?: R
  readonly answer: Decision<R>
}

type PollResult = AnswerWithNext<DeviceAuthorizationRecord>

function refusal(code: Parameters<typeof refuse>[0], message: string, detail: string) {
  return refuse(code, message, { detail })
}

function unusable(detail: string): PollResult {
  return {
    answer: refusal('invalid_grant', 'The device code is invalid or has already been used', detail),
  }
}

function pollPending(record: DeviceAuthorizationRecord, now: number, graceMs: number): PollResult {
  const tooFast =
    record.lastPolledAt !== null && !(now - record.lastPolledAt >= record.intervalMs - graceMs)
  return tooFast
    ? {
        next: { ...record, lastPolledAt: now, intervalMs: record.intervalMs + pollStepMs },
        answer: refusal('slow_down', 'Polling too quickly', 'slow_down'),
      }
    : {
        next: { ...record, lastPolledAt: now },
        answer: refusal(
          'authorization_pending',
          'Device authorization is pending',
          'authorization_pending',
        ),
      }
}

/**
 * Answers a poll (RFC 8628 §3.4, §3.5): expiry beats the user's answer; only `pending` knows "too
 * fast".
 */
export function pollDeviceAuthorization(
  record: DeviceAuthorizationRecord | undefined,
  application: Pick<ApplicationRecord, 'id'>,
  facts: IssueFacts,
  now: number,
  graceMs: number,
): PollResult {
  if (record === undefined || isForgotten(record, now)) return unusable('device_code_unknown')
  if (record.applicationId !== application.id) return unusable('device_code_foreign')
  if (record.state === 'consumed') return unusable('device_code_consumed')
  if (isExpired(record, now)) {
    return {
      answer: refusal('expired_token', 'The device code has expired', 'device_code_expired'),
    }
  }
  if (record.state === 'denied') {
    return {
      answer: refusal('access_denied', 'The user denied the authorization request', 'denied'),
    }
  }
  if (record.state === 'pending') return pollPending(record, now, graceMs)
  if (!facts.userActive) return unusable('user_inactive')
  if (!facts.membershipActive) return unusable('membership_inactive')
  if (!facts.grantLive) return unusable('grant_revoked')
  const next: DeviceAuthorizationRecord = { ...record, state: 'consumed' }
  return { next, answer: accept(next) }
}

export type DeviceAnswer =
  | {
      readonly approve: true
      readonly userId: string
      readonly organizationId: string
      readonly grantId: string
    }
  | { readonly approve: false; readonly userId: string }

/** The user's answer; `conflict` once the record is no longer pending, also by expiry. */
export function answerDeviceAuthorization(
  record: DeviceAuthorizationRecord,
  answer: DeviceAnswer,
  membershipActive: boolean,
  now: number,
): Decision<DeviceAuthorizationRecord> {
  if (!awaitsAnswer(record, now)) {
    return refuse('conflict', 'The device authorization is no longer pending', {
      detail: 'not_pending',
    })
  }
  if (!answer.approve) return accept({ ...record, state: 'denied', userId: answer.userId })
  if (!membershipActive) return refuse('forbidden', 'Forbidden', { detail: 'membership_inactive' })
  const { userId, organizationId, grantId } = answer
  return accept({ ...record, state: 'approved', userId, organizationId, grantId })
}
