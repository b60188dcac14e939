import { describe, expect, it } from 'vitest'
import {
  authenticateUse,
  isLive,
  lifetime,
  mayMutate,
  type TokenFacts,
} from '../../../mock-server/src/domain/access-token.js'
import {
  grantScopes,
  knownScopes,
  narrowScopes,
  parseScope,
} from '../../../mock-server/src/domain/scope.js'
import type {
  AccessTokenRecord,
  ApplicationRecord,
} from '../../../mock-server/src/records/records.js'
import { aUser } from '../../support/records.js'
import { verdict } from './verdict.js'

const now = Date.parse('2026-03-01T09:00:00Z')
const user = aUser({ id: 'u1', email: 'robin@acme.example' })
const token = (fields: Partial<AccessTokenRecord> = {}): AccessTokenRecord => ({
  id: 't1',
  digest: 'd',
  kind: 'api',
  name: null,
  description: '',
  userId: 'u1',
  scopes: ['read_builds', 'read_user'],
  organizationIds: ['o1', 'o2'],
  applicationId: null,
  grantId: null,
  familyId: null,
  created_at: '2026-03-01T08:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...fields,
})
const application = (fields: Partial<ApplicationRecord> = {}) =>
  ({
    id: 'a1',
    kind: 'device',
    enabled: true,
    grantableScopes: ['read_builds'],
    defaultScopes: [],
    ...fields,
  }) as ApplicationRecord
const facts = (fields: Partial<TokenFacts> = {}): TokenFacts => ({
  user,
  application: application(),
  activeOrganizationIds: ['o1'],
  ...fields,
})

const unusable = (detail: string) => `unauthorized: The access token is unusable (${detail})`

describe('the use of an access token', () => {
  it('ends at its expiry and at its revocation', () => {
    expect(isLive({ expiresAt: null, revokedAt: null }, now)).toBe(true)
    expect(isLive({ expiresAt: now + 1, revokedAt: null }, now)).toBe(true)
    expect(isLive({ expiresAt: now, revokedAt: null }, now)).toBe(false)
    expect(isLive({ expiresAt: now + 1, revokedAt: now + 1 }, now)).toBe(false)
  })

  it.each<[string, AccessTokenRecord | undefined, TokenFacts]>([
    ['token_unknown', undefined, facts()],
    ['token_revoked', token({ revokedAt: now - 1, expiresAt: now - 1 }), facts()],
    ['token_expired', token({ expiresAt: now }), facts()],
    ['user_inactive', token(), facts({ user: undefined })],
    ['user_inactive', token(), facts({ user: { ...user, active: false } })],
    ['application_unknown', token({ kind: 'device' }), facts({ application: undefined })],
    [
      'application_disabled',
      token({ kind: 'exchange' }),
      facts({ application: application({ enabled: false }) }),
    ],
    ['membership_inactive', token({ kind: 'device' }), facts({ activeOrganizationIds: [] })],
  ])('is refused with one text, and %s for the log', (detail, presented, known) => {
    expect(verdict(authenticateUse(presented, known, now))).toBe(unusable(detail))
  })

  it('of an API token needs no application and no organization', () => {
    const use = authenticateUse(
      token(),
      facts({ application: undefined, activeOrganizationIds: [] }),
      now,
    )
    expect(verdict(use)).toMatchObject({
      application: null,
      scopes: new Set(['read_builds', 'read_user']),
    })
    expect(verdict(use)).toMatchObject({ organizationIds: new Set() })
  })

  it('gives a device token all its scopes, and an exchange token those still grantable', () => {
    const scopesOf = (kind: AccessTokenRecord['kind']) => {
      const use = authenticateUse(token({ kind }), facts(), now)
      return use.ok ? [...use.value.scopes] : use
    }
    expect(scopesOf('device')).toEqual(['read_builds', 'read_user'])
    expect(scopesOf('exchange')).toEqual(['read_builds'])
  })

  it.each<[string | undefined, number | string]>([
    [undefined, 3600],
    ['1', 1],
    ['60', 60],
    ['3601', 3600],
    ['9'.repeat(400), 3600],
    ...['0', '01', '-1', '1.5', ' 1', '1 ', '1e3', 'x', '٣'].map((text): [string, string] => [
      text,
      'invalid_request: expires_in must be a positive integer (expires_in)',
    ]),
  ])('lives as long as expires_in %s says, within the maximum', (wish, expected) => {
    expect(verdict(lifetime(wish, 3600))).toBe(expected)
  })

  it('blocks only exchange tokens, at the first field that is not permitted', () => {
    const names = ['buildCancel', 'emailCreate', 'other']
    expect(verdict(mayMutate({ kind: 'api' }, names, ['buildCancel']))).toBeNull()
    expect(verdict(mayMutate({ kind: 'device' }, names, []))).toBeNull()
    expect(verdict(mayMutate({ kind: 'exchange' }, ['buildCancel'], ['buildCancel']))).toBeNull()
    expect(verdict(mayMutate({ kind: 'exchange' }, names, ['buildCancel']))).toBe(
      'forbidden: The emailCreate mutation is not permitted for token exchange tokens (mutation_not_permitted)',
    )
  })
})

describe('scopes', () => {
  const known = knownScopes(['deploy'])

  it.each<[string | undefined, readonly string[] | string]>([
    [undefined, []],
    ['', []],
    ['  ', []],
    [' graphql  read_builds graphql deploy', ['graphql', 'read_builds', 'deploy']],
    ['read_builds nope', 'invalid_scope: Invalid scope'],
    ['read_builds\tgraphql', 'invalid_scope: Invalid scope'],
    ['READ_BUILDS', 'invalid_scope: Invalid scope'],
  ])('of the parameter %j are read', (text, expected) => {
    expect(verdict(parseScope(text, known))).toEqual(expected)
  })

  it('of an exchange are the requested ones, else the defaults that are still grantable', () => {
    const exchange = application({
      kind: 'token_exchange',
      grantableScopes: ['read_builds', 'graphql'],
      defaultScopes: ['read_user', 'graphql'],
    })
    expect(verdict(grantScopes(['read_builds'], exchange))).toEqual(['read_builds'])
    expect(verdict(grantScopes(['read_user'], exchange))).toBe(
      'invalid_scope: Requested scopes exceed grantable scopes',
    )
    expect(verdict(grantScopes([], exchange))).toEqual(['graphql'])
    expect(verdict(grantScopes([], { ...exchange, defaultScopes: ['read_user'] }))).toBe(
      'invalid_scope: No scope requested and the application has no default scopes',
    )
  })

  it('of a refresh are the granted ones, or a part of them', () => {
    expect(verdict(narrowScopes([], ['read_builds', 'graphql']))).toEqual([
      'read_builds',
      'graphql',
    ])
    expect(verdict(narrowScopes(['graphql'], ['read_builds', 'graphql']))).toEqual(['graphql'])
    expect(verdict(narrowScopes(['graphql', 'read_user'], ['graphql']))).toBe(
      'invalid_scope: Requested scopes exceed granted scopes',
    )
  })
})
