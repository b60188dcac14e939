import type { SeedDocument } from '@buildwire/mock-server'
import { SCOPES } from '@buildwire/sdk/contract'
import { ecKey, rsaKey } from './assertions.js'

export const startedAt = Date.parse('2026-03-01T09:00:00Z')
export const startSeconds = startedAt / 1000

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
export const userEmailType = 'urn:buildwire:params:oauth:token-type:user-email'

/** Keys of the seeded exchange applications, made once per test file. */
export const rsa = rsaKey('rsa-1')
export const ec = ecKey('ec-1')
export const otherKey = ecKey('other-1')

export const confidentialSecret = 'a secret with + and / and : and %'

const users = ['robin', 'sam', 'outsider', 'inactive', 'unverified', 'former']

type SeedPipeline = NonNullable<
  NonNullable<SeedDocument['organizations']>[number]['pipelines']
>[number]

const pipeline: SeedPipeline = {
  slug: 'web',
  repository: 'git@git.example:acme/web.git',
  steps: [{ command: 'npm test', key: 'test' }],
  builds: [{ state: 'scheduled', branch: 'main', commit: 'c0ffee' }],
}

/** Organizations, people and applications that every row of the matrix works with. */
export const seed = (): SeedDocument => ({
  version: 1,
  users: users.map((name) => ({
    email: `${name}@acme.example`,
    name,
    active: name !== 'inactive',
    emailVerified: name !== 'unverified',
  })),
  organizations: [
    {
      slug: 'acme',
      name: 'Acme Rockets',
      members: [
        { user: 'robin@acme.example', role: 'admin' },
        { user: 'sam@acme.example' },
        { user: 'inactive@acme.example' },
        { user: 'unverified@acme.example' },
        { user: 'former@acme.example', active: false },
      ],
      pipelines: [pipeline],
      suites: [{ slug: 'unit', name: 'Unit', tests: [{ scope: 'Cart', name: 'adds' }] }],
    },
    {
      slug: 'orbit',
      name: 'Orbit',
      members: [{ user: 'robin@acme.example' }, { user: 'outsider@acme.example' }],
      pipelines: [{ ...pipeline, slug: 'probe' }],
    },
    {
      slug: 'strict',
      name: 'Strict',
      jtiRequired: true,
      members: [{ user: 'robin@acme.example' }],
    },
    {
      slug: 'off',
      name: 'Off',
      tokenExchangeEnabled: false,
      members: [{ user: 'robin@acme.example' }],
    },
  ],
  applications: [
    { kind: 'device', client_id: 'public', name: 'Terminal', grantableScopes: [...SCOPES] },
    { kind: 'device', client_id: 'narrow', name: 'Narrow', grantableScopes: ['read_builds'] },
    { kind: 'device', client_id: 'disabled', name: 'Disabled', enabled: false },
    {
      kind: 'device',
      client_id: 'confidential',
      name: 'Kiosk',
      clientType: 'confidential',
      client_secret: confidentialSecret,
    },
    {
      kind: 'device',
      client_id: 'refreshing',
      name: 'Refreshing',
      accessTokenTtlSeconds: 900,
      refreshTokens: true,
    },
    {
      kind: 'device',
      client_id: 'refreshing-confidential',
      name: 'Refreshing kiosk',
      clientType: 'confidential',
      client_secret: confidentialSecret,
      refreshTokens: true,
    },
    {
      kind: 'token_exchange',
      client_id: 'minter',
      name: 'Minter',
      jwks: { keys: [rsa.jwk, ec.jwk] },
      grantableScopes: [...SCOPES],
      defaultScopes: ['read_builds'],
    },
    {
      kind: 'token_exchange',
      client_id: 'other',
      name: 'Other',
      jwks: { keys: [otherKey.jwk] },
      grantableScopes: ['read_builds', 'read_suites'],
      maximumTokenTtlSeconds: 600,
    },
    {
      kind: 'token_exchange',
      client_id: 'sleeping',
      name: 'Sleeping',
      enabled: false,
      jwks: { keys: [ec.jwk] },
      grantableScopes: ['read_builds'],
    },
  ],
  accessTokens: [
    {
      name: 'api',
      user: 'robin@acme.example',
      scopes: [...SCOPES],
      organizations: ['acme'],
      value: 'seeded-api-token',
    },
  ],
})
