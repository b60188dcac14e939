import { describe, expect, it } from 'vitest'
import { grantEnd } from '../../../mock-server/src/domain/access-token.js'
import { authenticateClient, type PresentedClient } from '../../../mock-server/src/domain/client.js'
import type { CheckedClaims } from '../../../mock-server/src/domain/client-assertion.js'
import { rotate } from '../../../mock-server/src/domain/refresh-token.js'
import {
  accessTokenType,
  decideExchange,
  type ExchangeFacts,
  type ExchangeRequest,
} from '../../../mock-server/src/domain/token-exchange.js'
import type {
  AccessTokenRecord,
  ApplicationRecord,
  OrganizationRecord,
  RefreshFamilyRecord,
} from '../../../mock-server/src/records/records.js'
import { aUser } from '../../support/records.js'
import { outcome } from './verdict.js'

const now = Date.parse('2026-03-01T09:00:00Z')
const allTrue = { userActive: true, membershipActive: true, grantLive: true }

describe('a client', () => {
  const application = (fields: Partial<ApplicationRecord>) =>
    ({
      kind: 'device',
      enabled: true,
      clientType: 'public',
      clientSecretDigest: null,
      ...fields,
    }) as ApplicationRecord
  const presented = (
    method: PresentedClient['method'],
    secretDigest: string | null = null,
  ): PresentedClient => ({
    client_id: 'c',
    method,
    secretDigest,
  })
  const confidential = application({ clientType: 'confidential', clientSecretDigest: 'good' })
  const failed = (detail: string) => `invalid_client: Client authentication failed (${detail})`

  it.each<[string, ApplicationRecord | undefined, PresentedClient]>([
    [failed('credentials_unreadable'), undefined, presented('unreadable')],
    [failed('application_unknown'), undefined, presented('none')],
    [failed('application_disabled'), application({ enabled: false }), presented('assertion')],
    [failed('method_not_registered'), confidential, presented('assertion', 'good')],
    [failed('method_not_registered'), application({}), presented('secret', 'good')],
    [
      failed('method_not_registered'),
      application({ kind: 'token_exchange' }),
      presented('secret', 'x'),
    ],
    [failed('secret_wrong'), confidential, presented('none')],
    [failed('secret_wrong'), confidential, presented('secret', 'bad')],
    [failed('secret_wrong'), { ...confidential, clientSecretDigest: null }, presented('none')],
    ['ok', confidential, presented('secret', 'good')],
    ['ok', application({}), presented('none')],
    ['ok', application({ kind: 'token_exchange', clientType: 'confidential' }), presented('none')],
  ])('is answered %s', (expected, registered, client) => {
    expect(outcome(authenticateClient(registered, client))).toBe(expected)
  })
})

describe('a refresh', () => {
  const family = (fields: Partial<RefreshFamilyRecord> = {}): RefreshFamilyRecord => ({
    id: 'f1',
    applicationId: 'a1',
    userId: 'u1',
    organizationId: 'o1',
    grantId: 'g1',
    scopes: ['read_builds'],
    digest: 'live',
    revokedAt: null,
    createdAt: now - 1000,
    ...fields,
  })
  const invalid = (detail: string) => `invalid_grant: Invalid refresh token (${detail})`
  const refresh = (
    of: RefreshFamilyRecord | undefined,
    digest = 'live',
    facts = {},
    application = 'a1',
  ) =>
    rotate(of, { digest, nextDigest: 'next' }, { id: application }, { ...allTrue, ...facts }, now)

  it.each<[string, RefreshFamilyRecord | undefined, string, object, string]>([
    ['refresh_token_unknown', undefined, 'live', {}, 'a1'],
    ['refresh_token_foreign', family({ revokedAt: now }), 'used', {}, 'a2'],
    ['refresh_token_revoked', family({ revokedAt: now }), 'used', {}, 'a1'],
    ['grant_revoked', family(), 'live', { grantLive: false, userActive: false }, 'a1'],
    ['user_inactive', family(), 'live', { userActive: false, membershipActive: false }, 'a1'],
    ['membership_inactive', family(), 'live', { membershipActive: false }, 'a1'],
  ])(
    'is refused with one text, and %s for the log, and moves nothing',
    (detail, of, digest, facts, application) => {
      const { next, answer } = refresh(of, digest, facts, application)
      expect([next, outcome(answer)]).toEqual([undefined, invalid(detail)])
    },
  )

  it('with a replaced token revokes the family', () => {
    const { next, answer } = refresh(family(), 'used', { grantLive: false })
    expect([next, outcome(answer)]).toEqual([
      family({ revokedAt: now }),
      invalid('refresh_token_reused'),
    ])
  })

  it('replaces the live token', () => {
    const next = family({ digest: 'next' })
    expect(refresh(family())).toEqual({ next, answer: { ok: true, value: next } })
  })
})

describe('an exchange', () => {
  const subjectTokenType = 'urn:buildwire:params:oauth:token-type:user-email'
  const organization: OrganizationRecord = {
    id: 'o1',
    slug: 'acme',
    name: 'Acme Rockets',
    tokenExchangeEnabled: true,
    jtiRequired: true,
    created_at: '2026-01-01T00:00:00.000Z',
  }
  const application = {
    kind: 'token_exchange',
    grantableScopes: ['read_builds', 'graphql'],
    defaultScopes: ['graphql'],
    maximumTokenTtlSeconds: 600,
  } as unknown as ApplicationRecord
  const user = aUser({ id: 'u1' })
  const sound: ExchangeFacts = {
    application,
    organization,
    user,
    membershipActive: true,
    jtiUsed: false,
    knownScopes: new Set(['read_builds', 'write_builds', 'graphql']),
    subjectTokenType,
  }
  const claims: CheckedClaims = { exp: now / 1000 + 300, jti: 'once' }
  const decide = (
    facts: Partial<ExchangeFacts>,
    request: ExchangeRequest,
    assertion: Partial<CheckedClaims>,
  ) =>
    decideExchange(
      { ...sound, ...facts },
      { subject_token_type: subjectTokenType, ...request },
      { ...claims, ...assertion },
    )
  const subject = 'invalid_request: Subject user must be an active member of the organization'
  const target = 'invalid_target: Invalid audience organization (audience_unknown)'
  const invalid = (text: string) => `invalid_request: ${text} (${text})`

  it('gives only scopes and a lifetime that the application may grant', () => {
    const minted = { user, organization, scopes: ['graphql'], expires_in: 600 }
    expect(decide({}, {}, {})).toEqual({ ok: true, value: minted })
    expect(accessTokenType).toBe('urn:ietf:params:oauth:token-type:access_token')
    const request = {
      requested_token_type: accessTokenType,
      scope: 'read_builds',
      expires_in: '60',
    }
    expect(decide({}, request, {})).toEqual({
      ok: true,
      value: { ...minted, scopes: ['read_builds'], expires_in: 60 },
    })
    const lenient = { organization: { ...organization, jtiRequired: false } }
    expect(outcome(decide(lenient, {}, { jti: undefined }))).toBe('ok')
  })

  it.each<[string, Partial<ExchangeFacts>, ExchangeRequest, Partial<CheckedClaims>]>([
    [
      'invalid_client: JWT has already been used (jti) (jti_used)',
      { jtiUsed: true },
      { subject_token_type: 'x' },
      {},
    ],
    [
      invalid('Unsupported value: subject_token_type'),
      {},
      { subject_token_type: 'x', actor_token: 'y' },
      {},
    ],
    [
      invalid('Unsupported value: requested_token_type'),
      {},
      { requested_token_type: 'x', actor_token: 'y' },
      {},
    ],
    [
      invalid('Unsupported parameter: actor_token'),
      {},
      { actor_token: 'x', actor_token_type: 'y' },
      {},
    ],
    [
      invalid('Unsupported parameter: actor_token_type'),
      { organization: undefined },
      { actor_token_type: 'x' },
      {},
    ],
    [target, {}, { resource: 'https://api.example' }, {}],
    [target, { organization: undefined, user: undefined }, {}, {}],
    [
      'unsupported_grant_type: Token exchange is not enabled for this organization (token_exchange_disabled)',
      { organization: { ...organization, tokenExchangeEnabled: false } },
      {},
      { jti: undefined },
    ],
    [
      'invalid_client: JWT must contain a jti claim (jti_required)',
      { user: undefined },
      {},
      { jti: undefined },
    ],
    [
      `${subject} (subject_unknown)`,
      { user: undefined, membershipActive: false },
      { scope: 'nope' },
      {},
    ],
    [
      `${subject} (subject_inactive)`,
      { user: { ...user, active: false }, membershipActive: false },
      {},
      {},
    ],
    [
      `${subject} (subject_not_member)`,
      { user: { ...user, emailVerified: false }, membershipActive: false },
      {},
      {},
    ],
    [`${subject} (subject_not_member)`, { membershipActive: false }, {}, {}],
    [`${subject} (subject_unverified)`, { user: { ...user, emailVerified: false } }, {}, {}],
    ['invalid_scope: Invalid scope', {}, { scope: 'nope', expires_in: 'x' }, {}],
    [
      'invalid_scope: Requested scopes exceed grantable scopes',
      {},
      { scope: 'write_builds', expires_in: 'x' },
      {},
    ],
    [
      'invalid_request: expires_in must be a positive integer (expires_in)',
      {},
      { expires_in: 'x' },
      {},
    ],
  ])('is refused: %s', (expected, facts, request, assertion) => {
    expect(outcome(decide(facts, request, assertion))).toBe(expected)
  })
})

describe('a grant', () => {
  const token = (expiresAtMs: number | null, revokedAt: number | null = null) =>
    ({ expiresAt: expiresAtMs, revokedAt }) as AccessTokenRecord

  it.each<[readonly AccessTokenRecord[], number | null | undefined]>([
    [[], undefined],
    [[token(now), token(null, now)], undefined],
    [[token(now + 1), token(now + 3), token(now + 2), token(now + 9, now)], now + 3],
    [[token(now + 1), token(null)], null],
    [[token(now + 1), token(null, now)], now + 1],
  ])('with the tokens %j lives until %s', (tokens, until) => {
    expect(grantEnd(tokens, now)).toBe(until)
  })
})
