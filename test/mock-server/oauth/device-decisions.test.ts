import { describe, expect, it } from 'vitest'
import {
  answerDeviceAuthorization,
  awaitsAnswer,
  expiresAt,
  isForgotten,
  normalizeUserCode,
  pollDeviceAuthorization,
  startDeviceAuthorization,
} from '../../../mock-server/src/domain/device-authorization.js'
import type { DeviceAuthorizationRecord } from '../../../mock-server/src/records/records.js'
import { outcome } from './verdict.js'

const now = Date.parse('2026-03-01T09:00:00Z')
const allTrue = { userActive: true, membershipActive: true, grantLive: true }

describe('a poll', () => {
  const codes = { id: 'd1', deviceCodeDigest: 'dd', userCodeDigest: 'ud' }
  const asked = { ...codes, scopes: ['read_builds'], ip: '192.0.2.1', userAgent: 'ci' }
  const record = (fields: Partial<DeviceAuthorizationRecord> = {}): DeviceAuthorizationRecord => ({
    ...startDeviceAuthorization(asked, { id: 'a1' }, now),
    ...fields,
  })
  const poll = (
    fields: Partial<DeviceAuthorizationRecord>,
    at = 0,
    facts = {},
    application = 'a1',
    grace = 0,
  ) =>
    pollDeviceAuthorization(
      record(fields),
      { id: application },
      { ...allTrue, ...facts },
      now + at,
      grace,
    )
  const unusable = (detail: string) =>
    `invalid_grant: The device code is invalid or has already been used (${detail})`

  it.each<[string, Partial<DeviceAuthorizationRecord>, number, object, string]>([
    [unusable('device_code_unknown'), {}, 1_200_000, {}, 'a1'],
    [unusable('device_code_unknown'), {}, 1_200_000, {}, 'a2'],
    [unusable('device_code_foreign'), { state: 'consumed' }, 1_199_999, {}, 'a2'],
    [unusable('device_code_consumed'), { state: 'consumed' }, 1_199_999, {}, 'a1'],
    [
      'expired_token: The device code has expired (device_code_expired)',
      { state: 'approved' },
      600_000,
      {},
      'a1',
    ],
    [
      'expired_token: The device code has expired (device_code_expired)',
      { state: 'denied' },
      600_000,
      {},
      'a1',
    ],
    [
      'access_denied: The user denied the authorization request (denied)',
      { state: 'denied' },
      599_999,
      {},
      'a1',
    ],
    [
      unusable('user_inactive'),
      { state: 'approved' },
      0,
      { userActive: false, membershipActive: false },
      'a1',
    ],
    [
      unusable('membership_inactive'),
      { state: 'approved' },
      0,
      { membershipActive: false, grantLive: false },
      'a1',
    ],
    [unusable('grant_revoked'), { state: 'approved' }, 0, { grantLive: false }, 'a1'],
  ])('says %s of %j after %i ms, and moves nothing', (expected, fields, at, facts, application) => {
    const { next, answer } = poll(fields, at, facts, application)
    expect([next, outcome(answer)]).toEqual([undefined, expected])
  })

  it('of an approved code uses it up', () => {
    const consumed = record({ state: 'consumed' })
    expect(poll({ state: 'approved' }, 599_999)).toEqual({
      next: consumed,
      answer: { ok: true, value: consumed },
    })
  })

  it.each([
    [
      null,
      0,
      0,
      'authorization_pending: Device authorization is pending (authorization_pending)',
      5000,
    ],
    [0, 4999, 0, 'slow_down: Polling too quickly (slow_down)', 10_000],
    [
      0,
      5000,
      0,
      'authorization_pending: Device authorization is pending (authorization_pending)',
      5000,
    ],
    [
      0,
      4500,
      500,
      'authorization_pending: Device authorization is pending (authorization_pending)',
      5000,
    ],
    [0, 4499, 500, 'slow_down: Polling too quickly (slow_down)', 10_000],
  ])(
    'of a pending code, last polled at %s and now at %i with %i ms of grace: %s',
    (last, at, grace, text, interval) => {
      const { next, answer } = poll(
        { lastPolledAt: last === null ? null : now + last },
        at,
        {},
        'a1',
        grace,
      )
      expect(outcome(answer)).toBe(text)
      expect(next).toEqual(record({ lastPolledAt: now + at, intervalMs: interval }))
    },
  )

  it('is answered while its code is valid, and the record is kept for the same time again', () => {
    expect(expiresAt(record())).toBe(now + 600_000)
    expect(awaitsAnswer(record(), now + 599_999)).toBe(true)
    expect(awaitsAnswer(record(), now + 600_000)).toBe(false)
    expect(awaitsAnswer(record({ state: 'approved' }), now)).toBe(false)
    expect(isForgotten(record(), now + 1_199_999)).toBe(false)
    expect(isForgotten(record(), now + 1_200_000)).toBe(true)
    expect(isForgotten(record(), Number.NaN)).toBe(true)
  })

  it("waits for the user's answer, after which the user code is unknown", () => {
    const approval = { approve: true, userId: 'u1', organizationId: 'o1', grantId: 'g1' } as const
    const denial = { approve: false, userId: 'u1' } as const
    const { approve: _, ...approver } = approval
    const approved = record({ state: 'approved', ...approver })
    expect(answerDeviceAuthorization(record(), approval, true, now)).toEqual({
      ok: true,
      value: approved,
    })
    const denied = record({ state: 'denied', userId: 'u1' })
    expect(answerDeviceAuthorization(record(), denial, false, now)).toEqual({
      ok: true,
      value: denied,
    })
    const foreign = answerDeviceAuthorization(record(), approval, false, now)
    expect(outcome(foreign)).toBe('forbidden: Forbidden (membership_inactive)')
    const late = answerDeviceAuthorization(record(), denial, true, now + 600_000)
    expect(outcome(late)).toBe(
      'conflict: The device authorization is no longer pending (not_pending)',
    )
  })
})

describe('a typed user code', () => {
  it.each([
    ['BCDF-GHJK', 'BCDF-GHJK'],
    ['bcdfghjk', 'BCDF-GHJK'],
    [' b c d f\tg.h/j_k~ ', 'BCDF-GHJK'],
    ['[B]`C`{D}:F@!G^H;J,K', 'BCDF-GHJK'],
    ['BCDFGHJ', undefined],
    ['BCDFGHJKL', undefined],
    ['ABCDFGHJK', undefined],
    ['BCDFGHJ0', undefined],
    ['BCDFGHJK–', undefined],
    ['', undefined],
  ])('%j is read as %s', (typed, code) => {
    expect(normalizeUserCode(typed)).toBe(code)
  })
})
