import type { ApplicationRecord, DeviceAuthorizationRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'

/**
 * The lifetime of device_code and user_code in seconds (RFC 8628 §3.2). After it the user cannot
 * answer any more.
 */
export const deviceCodeLifetimeSeconds = 600
/** The first poll interval in seconds, and the increase by each `slow_down` (RFC 8628 §3.5). */
export const pollIntervalSeconds = 5
/** The letters of a user_code: no vowels, to avoid words, and none that looks like a digit. */
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
 * Reads a typed user_code: drops blanks and ASCII punctuation, and accepts a-z; undefined if the
 * result is not a code.
 */
export function normalizeUserCode(text: string): string | undefined {
  const letters = text
    .replaceAll(/[\s!-/:-@[-`{-~]/g, '')
    .replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(letters) ? formatUserCode(letters) : undefined
}

/** The wait in ms before the next look-up of a user code, after failures at these times. */
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

/** True after the time in which an expired record is kept; then it may be deleted. */
export function isForgotten(
  record: Pick<DeviceAuthorizationRecord, 'issuedAt'>,
  now: number,
): boolean {
  return !(now < record.issuedAt + tombstoneMs)
}

/** True if the user may still answer: the record is pending and not expired. */
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

/** What must be true when tokens are issued. If a record is missing, its fact is false. */
export interface IssueFacts {
  readonly userActive: boolean
  readonly membershipActive: boolean
  readonly grantLive: boolean
}

export interface AnswerWithNext<R> {
  /** The record to store, for a refusal too; absent if nothing changes. */
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
  const { lastPolledAt, intervalMs } = record
  const isTooFast = lastPolledAt !== null && !(now - lastPolledAt >= intervalMs - graceMs)
  if (isTooFast) {
    return {
      next: { ...record, lastPolledAt: now, intervalMs: intervalMs + pollStepMs },
      answer: refusal('slow_down', 'Polling too quickly', 'slow_down'),
    }
  }
  const code = 'authorization_pending'
  return {
    next: { ...record, lastPolledAt: now },
    answer: refusal(code, 'Device authorization is pending', code),
  }
}

/**
 * Answers a poll (RFC 8628 §3.4, §3.5). An expired code is refused even if the user has answered.
 * Only polls of a pending code can be too fast.
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

/** Takes the user's answer; refuses with `conflict` if the record is not pending or expired. */
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
