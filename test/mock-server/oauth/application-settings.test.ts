import { describe, expect, test } from 'vitest'
import { loadDocument } from '../../../mock-server/src/seed/load.js'
import { SeedError } from '../../../mock-server/src/seed/seed-error.js'
import { scratchStore } from '../../support/scratch-store.js'
import { ecKey, type Fields } from './assertions.js'

const ec = ecKey('ec-1')
const other = ecKey('ec-2')
const device = { kind: 'device', name: 'Terminal' }
const exchange = {
  kind: 'token_exchange',
  name: 'Minter',
  jwks: { keys: [ec.jwk] },
  grantableScopes: ['read_builds'],
}
const standard = [
  ...'read_builds write_builds read_build_logs read_artifacts read_suites write_suites read_pipelines'.split(
    ' ',
  ),
  'write_pipelines',
  'read_user',
  'read_organizations',
  'graphql',
]

/**
 * Loads applications one after the other, each by a document of its own; the records afterwards.
 */
const load = async (...documents: Fields[]) => {
  const { store, context } = scratchStore()
  for (const settings of documents) {
    await store.update((tx) =>
      loadDocument({ applications: [settings] }, tx, { ...context, extraScopes: ['read_agents'] }),
    )
  }
  return [...store.state.values('applications')]
}

const errors = async (...documents: Fields[]): Promise<string[]> => {
  try {
    await load(...documents)
    return []
  } catch (error) {
    if (!(error instanceof SeedError)) throw error
    return error.issues.map(({ text }) => text.replace('applications[0].', ''))
  }
}
const faults = async (settings: Fields): Promise<string[]> => [
  ...new Set((await errors(settings)).map((error) => error.slice(0, error.indexOf(':')))),
]

describe('application settings', () => {
  const defaults = {
    description: '',
    enabled: true,
    clientType: 'public',
    clientSecretDigest: null,
    accessTokenTtlSeconds: null,
    refreshTokens: false,
    jwks: null,
    jwks_uri: null,
    defaultScopes: [],
    allowedIpAddresses: [],
    maximumTokenTtlSeconds: 3600,
  }

  test('defaults of a device application', async () => {
    const [made] = await load(device)
    expect(made).toMatchObject({
      ...defaults,
      ...device,
      grantableScopes: [...standard, 'read_agents'],
    })
    expect(made?.client_id).toMatch(/^[0-9a-f]{20}$/)
  })

  test('defaults of an exchange application', async () => {
    const [made] = await load({ ...exchange, client_id: null, enabled: null })
    expect(made).toMatchObject({ ...defaults, ...exchange })
  })

  test('name each invalid setting and its rule', async () => {
    const wrongDevice = {
      kind: 'device',
      client_id: 'a b',
      name: '\n',
      description: 1,
      enabled: 1,
      grantableScopes: [1],
      clientType: 1,
      client_secret: 'x',
      accessTokenTtlSeconds: 0,
      refreshTokens: 1,
      colour: 'red',
    }
    expect(await errors(wrongDevice)).toEqual([
      'colour: is not known here',
      'client_id: must be 1 to 64 characters of A-Z a-z 0-9 . _ ~ -',
      'name: must be text of 1 to 120 characters without control characters',
      'description: must be text, not the number 1: put it in quotes',
      'enabled: must be true or false, not the number 1',
      'grantableScopes[0]: must be text, not the number 1: put it in quotes',
      'clientType: must be one of public, confidential, not the number 1',
      'client_secret: must be 16 to 255 printable ASCII characters',
      'accessTokenTtlSeconds: must be at least 1',
      'refreshTokens: must be true or false, not the number 1',
    ])
    const wrongExchange = {
      kind: 'token_exchange',
      name: 'x',
      jwks: 1,
      jwks_uri: 'ftp://x.example',
      defaultScopes: 1,
      allowedIpAddresses: ['x'],
      maximumTokenTtlSeconds: 0,
    }
    expect(await errors(wrongExchange)).toEqual([
      'jwks: must be an object, not the number 1',
      'jwks_uri: must be an https URL (http on loopback only) without user name, password and fragment',
      'defaultScopes: must be a list, not the number 1',
      'allowedIpAddresses[0]: must be an IPv4 or IPv6 address or CIDR block',
      'maximumTokenTtlSeconds: must be at least 1',
    ])
    expect(
      await errors({
        ...device,
        clientType: 'public',
        client_secret: 'x'.repeat(20),
        jwks_uri: null,
      }),
    ).toEqual([
      'jwks_uri: is not a setting of a device application',
      'client_secret: belongs to confidential applications only',
    ])
    expect(await errors({ kind: 'x' })).toEqual([
      'kind: must be one of device, token_exchange, not "x"',
    ])
    expect(await errors({ kind: 'token_exchange', grantableScopes: [] })).toEqual([
      'name: is required',
      'grantableScopes: must name at least one scope',
      'jwks: exactly one of jwks and jwks_uri must be given',
    ])
    expect(await errors({})).toEqual(['kind: is required', 'name: is required'])
    expect(await errors({ ...device, grantableScopes: ['nope'] })).toEqual([
      'grantableScopes[0]: "nope" is not a known scope (extraScopes adds names)',
    ])
    expect(await errors({ ...exchange, jwks: { keys: ['x', ec.jwk] } })).toEqual([
      'jwks.keys[0]: a key must be an object',
    ])
    expect(await errors({ ...exchange, jwks: { keys: [ec.jwk, ec.jwk] } })).toEqual([
      'jwks.keys[1].kid: must differ from the kid of other keys',
    ])
  })

  test.each<[Fields, string[]]>([
    [{ ...device, name: '' }, ['name']],
    [{ ...device, name: 'x'.repeat(121) }, ['name']],
    [{ ...device, name: '\ud800' }, ['name']],
    [{ ...device, description: 'x'.repeat(1001) }, ['description']],
    [{ ...device, client_id: 'x'.repeat(65) }, ['client_id']],
    [{ ...device, client_id: 'A-Z.a_z~0'.padEnd(64, '9') }, []],
    [{ ...device, grantableScopes: ['read_builds', 'read_builds'] }, ['grantableScopes[1]']],
    [{ ...device, clientType: 'confidential', client_secret: 'x'.repeat(256) }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: 'x'.repeat(16) }, []],
    [{ ...device, clientType: 'confidential', client_secret: ` ~${'x'.repeat(253)}` }, []],
    [
      { ...device, clientType: 'confidential', client_secret: `é${'x'.repeat(20)}` },
      ['client_secret'],
    ],
    [{ ...device, accessTokenTtlSeconds: 31_536_001 }, ['accessTokenTtlSeconds']],
    ...[1, 31_536_000, null].map((ttl): [Fields, string[]] => [
      { ...device, accessTokenTtlSeconds: ttl },
      [],
    ]),
    [{ ...device, maximumTokenTtlSeconds: 60 }, ['maximumTokenTtlSeconds']],
    [JSON.parse('{"kind":"device","name":"x","__proto__":{}}'), ['__proto__']],
    [{ ...exchange, grantableScopes: undefined }, ['grantableScopes']],
    [{ ...exchange, jwks_uri: 'https://jwks.example/' }, ['jwks']],
    [{ ...exchange, jwks: [] }, ['jwks']],
    [{ ...exchange, jwks: { keys: [] } }, ['jwks.keys']],
    [
      {
        ...exchange,
        jwks: { keys: Array.from({ length: 100 }, (_, n) => ({ ...ec.jwk, kid: `${n}` })) },
      },
      [],
    ],
    [{ ...exchange, jwks: undefined, jwks_uri: 'https://jwks.example/' }, []],
    [{ ...exchange, jwks: undefined, jwks_uri: 'http://jwks.example/' }, ['jwks_uri']],
    [{ ...exchange, jwks: { keys: Array(101).fill(ec.jwk) } }, ['jwks.keys']],
    [
      { ...exchange, jwks: { keys: [ec.jwk, { ...other.jwk, kid: ec.kid }] } },
      ['jwks.keys[1].kid'],
    ],
    [
      { ...exchange, jwks: { keys: [ec.jwk, { ...other.jwk, y: ec.jwk['y'] }, 'x'] } },
      ['jwks.keys[1]', 'jwks.keys[2]'],
    ],
    [{ ...exchange, defaultScopes: ['nope'] }, ['defaultScopes[0]']],
    [{ ...exchange, maximumTokenTtlSeconds: 86_401 }, ['maximumTokenTtlSeconds']],
    ...[1, 86_400].map((ttl): [Fields, string[]] => [
      { ...exchange, maximumTokenTtlSeconds: ttl },
      [],
    ]),
    [{ ...exchange, refreshTokens: true }, ['refreshTokens']],
    [{ ...exchange, client_secret: 'x'.repeat(20) }, ['client_secret']],
    ...[
      '192.0.2.1',
      '192.0.2.0/24',
      '::1',
      '2001:db8::/32',
      '0.0.0.0/0',
      '::ffff:192.0.2.0/120',
    ].map((network): [Fields, string[]] => [{ ...exchange, allowedIpAddresses: [network] }, []]),
    ...' 192.0.2 192.0.2.1/33 192.0.2.1/ 192.0.2.1/-1 192.0.2.1/024 ::1/129 fe80::1%eth0 example'
      .split(' ')
      .map((network): [Fields, string[]] => [
        { ...exchange, allowedIpAddresses: [network] },
        ['allowedIpAddresses[0]'],
      ]),
    [
      { ...exchange, allowedIpAddresses: Array.from({ length: 101 }, (_, n) => `192.0.2.${n}`) },
      ['allowedIpAddresses'],
    ],
    [
      { ...exchange, allowedIpAddresses: Array.from({ length: 100 }, (_, n) => `192.0.2.${n}`) },
      [],
    ],
    [{ ...exchange, allowedIpAddresses: ['::1', '::1'] }, ['allowedIpAddresses[1]']],
  ])('%j: faults at %j', async (settings, expected) => {
    expect(await faults(settings)).toEqual(expected)
  })

  test('change only the given keys; the kind is fixed, and required keys cannot be removed', async () => {
    const first = { ...exchange, client_id: 'minter' }
    const [changed] = await load(first, {
      client_id: 'minter',
      name: 'Mint',
      jwks: null,
      jwks_uri: 'https://jwks.example/',
    })
    expect(changed).toMatchObject({
      ...defaults,
      ...exchange,
      name: 'Mint',
      jwks: null,
      jwks_uri: 'https://jwks.example/',
    })
    expect(await errors(first, { client_id: 'minter', kind: 'device' })).toEqual([
      'kind: cannot be changed',
    ])
    expect(
      await errors(first, {
        client_id: 'minter',
        jwks_uri: 'https://jwks.example/',
        grantableScopes: null,
      }),
    ).toEqual([
      'grantableScopes: is required',
      'jwks: exactly one of jwks and jwks_uri must be given',
    ])
  })
})
