import { describe, expect, test } from 'vitest'
import { applicationSettings, validateApplication } from '../../../mock-server/src/domain/application.js'
import { knownScopes } from '../../../mock-server/src/domain/scope.js'
import { isNetwork } from '../../../mock-server/src/http/address.js'
import { ecKey, type Fields } from './assertions.js'

const ec = ecKey('ec-1')
const other = ecKey('ec-2')
const rules = { knownScopes: knownScopes(['read_agents']), isNetwork }
const device = { kind: 'device', name: 'Terminal' }
const exchange = { kind: 'token_exchange', name: 'Minter', jwks: { keys: [ec.jwk] }, grantableScopes: ['read_builds'] }

const errors = (settings: Fields): string[] => {
  const validated = validateApplication(settings, rules)
  return validated.ok ? [] : validated.errors.map(({ path, message }) => `${path}: ${message}`)
}
const faults = (settings: Fields): string[] => errors(settings).map((error) => error.slice(0, error.indexOf(':')))

describe('application settings', () => {
  test('defaults of a device application', () => {
    expect(validateApplication(device, rules)).toEqual({
      ok: true,
      value: {
        kind: 'device',
        client_id: undefined,
        name: 'Terminal',
        description: '',
        enabled: true,
        grantableScopes: [...rules.knownScopes],
        clientType: 'public',
        client_secret: undefined,
        accessTokenTtlSeconds: null,
        refreshTokens: false,
        jwks: null,
        jwks_uri: null,
        defaultScopes: [],
        allowedIpAddresses: [],
        maximumTokenTtlSeconds: 3600,
      },
    })
  })

  test('defaults of an exchange application', () => {
    expect(validateApplication({ ...exchange, client_id: null, enabled: null }, rules)).toEqual({
      ok: true,
      value: {
        kind: 'token_exchange',
        client_id: undefined,
        name: 'Minter',
        description: '',
        enabled: true,
        grantableScopes: ['read_builds'],
        clientType: 'public',
        client_secret: undefined,
        accessTokenTtlSeconds: null,
        refreshTokens: false,
        jwks: { keys: [ec.jwk] },
        jwks_uri: null,
        defaultScopes: [],
        allowedIpAddresses: [],
        maximumTokenTtlSeconds: 3600,
      },
    })
  })

  test('say of each what it must be', () => {
    const wrongDevice = {
      kind: 'device',
      client_id: 1,
      name: 1,
      description: 1,
      enabled: 1,
      grantableScopes: [1],
      clientType: 1,
      client_secret: 1,
      accessTokenTtlSeconds: 0,
      refreshTokens: 1,
      colour: 'red',
    }
    const scopes = 'must be a list of known scopes without repeats'
    expect(errors(wrongDevice)).toEqual([
      'name: must be text of 1 to 120 characters without control characters',
      `grantableScopes: ${scopes}`,
      'client_id: must be 1 to 64 characters of A-Z a-z 0-9 . _ ~ -',
      'description: must be text of at most 1000 characters',
      'enabled: must be true or false',
      'colour: is not a setting of a device application',
      'clientType: must be public or confidential',
      'client_secret: belongs to confidential applications only',
      'client_secret: must be 16 to 255 printable ASCII characters',
      'accessTokenTtlSeconds: must be an integer from 1 to 31536000, or null',
      'refreshTokens: must be true or false',
    ])
    const wrongExchange = {
      kind: 'token_exchange',
      name: 'x',
      grantableScopes: [],
      jwks: 1,
      jwks_uri: 1,
      defaultScopes: 1,
      allowedIpAddresses: 1,
      maximumTokenTtlSeconds: 0,
      colour: 'red',
    }
    expect(errors(wrongExchange)).toEqual([
      'grantableScopes: must name at least one scope',
      'colour: is not a setting of a token_exchange application',
      'jwks: exactly one of jwks and jwks_uri must be given',
      'jwks: must be an object with 1 to 100 keys',
      'jwks_uri: must be an https URL (http on loopback only) without user name, password and fragment',
      `defaultScopes: ${scopes}`,
      'allowedIpAddresses: must be a list of at most 100 IPv4 or IPv6 addresses or CIDR blocks',
      'maximumTokenTtlSeconds: must be an integer from 1 to 86400',
    ])
    expect(errors({ kind: 'x' })).toEqual(['kind: must be device or token_exchange', 'name: is required'])
    expect(errors({ kind: 'token_exchange' })).toEqual([
      'name: is required',
      'grantableScopes: is required',
      'jwks: exactly one of jwks and jwks_uri must be given',
    ])
    expect(errors({})).toEqual(['kind: is required', 'name: is required'])
    expect(errors({ ...exchange, jwks: { keys: ['x', ec.jwk, ec.jwk] } })).toEqual([
      'jwks.keys[0]: a key must be an object',
      'jwks.keys[2].kid: must differ from the kid of other keys',
    ])
  })

  test.each<[Fields, string[]]>([
    [{}, ['kind', 'name']],
    [{ kind: 'other', name: 'x' }, ['kind']],
    [{ kind: 'device' }, ['name']],
    [{ ...device, name: '' }, ['name']],
    [{ ...device, name: 'x'.repeat(121) }, ['name']],
    [{ ...device, name: 'a\nb' }, ['name']],
    [{ ...device, name: '\ud800' }, ['name']],
    [{ ...device, name: 7 }, ['name']],
    [{ ...device, name: '🚀'.repeat(120) }, []],
    [{ ...device, description: '🚀\n'.repeat(500) }, []],
    [{ ...device, description: 'a\ud800' }, ['description']],
    [{ ...device, description: '\ud800a' }, ['description']],
    [{ ...device, name: 'a\n' }, ['name']],
    [{ ...device, name: '\na' }, ['name']],
    [{ ...device, description: 'x'.repeat(1001) }, ['description']],
    [{ ...device, enabled: 'yes' }, ['enabled']],
    [{ ...device, client_id: 'with space' }, ['client_id']],
    [{ ...device, client_id: 'x'.repeat(65) }, ['client_id']],
    [{ ...device, client_id: '' }, ['client_id']],
    [{ ...device, client_id: 'x ' }, ['client_id']],
    [{ ...device, client_id: ' x' }, ['client_id']],
    [{ ...device, client_id: 'A-Z.a_z~0'.padEnd(64, '9') }, []],
    [{ ...device, grantableScopes: ['nope'] }, ['grantableScopes']],
    [{ ...device, grantableScopes: ['read_builds', 'read_builds'] }, ['grantableScopes']],
    [{ ...device, grantableScopes: 'read_builds' }, ['grantableScopes']],
    [{ ...device, grantableScopes: ['read_agents'] }, []],
    [{ ...device, grantableScopes: [] }, []],
    [{ ...device, clientType: 'public' }, []],
    [{ ...device, clientType: 'secret' }, ['clientType']],
    [{ ...device, client_secret: 'x'.repeat(20) }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: 'short' }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: 'x'.repeat(256) }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: `${'x'.repeat(20)}é` }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: 'x'.repeat(16) }, []],
    [{ ...device, clientType: 'confidential', client_secret: ` ~${'x'.repeat(253)}` }, []],
    [{ ...device, clientType: 'confidential', client_secret: `é${'x'.repeat(20)}` }, ['client_secret']],
    [{ ...device, accessTokenTtlSeconds: 0 }, ['accessTokenTtlSeconds']],
    [{ ...device, accessTokenTtlSeconds: 1.5 }, ['accessTokenTtlSeconds']],
    [{ ...device, accessTokenTtlSeconds: '60' }, ['accessTokenTtlSeconds']],
    [{ ...device, accessTokenTtlSeconds: 31_536_001 }, ['accessTokenTtlSeconds']],
    ...[1, 31_536_000, null].map((ttl): [Fields, string[]] => [{ ...device, accessTokenTtlSeconds: ttl }, []]),
    [{ ...device, refreshTokens: 1 }, ['refreshTokens']],
    [{ ...device, jwks: { keys: [] } }, ['jwks']],
    [{ ...device, maximumTokenTtlSeconds: 60 }, ['maximumTokenTtlSeconds']],
    [{ ...device, allowedIPAddresses: [] }, ['allowedIPAddresses']],
    [JSON.parse('{"kind":"device","name":"x","__proto__":{}}'), ['__proto__']],
    [exchange, []],
    [{ ...exchange, grantableScopes: undefined }, ['grantableScopes']],
    [{ ...exchange, grantableScopes: [] }, ['grantableScopes']],
    [{ ...exchange, jwks: undefined }, ['jwks']],
    [{ ...exchange, jwks_uri: 'https://jwks.example/' }, ['jwks']],
    [{ ...exchange, jwks: [] }, ['jwks']],
    [{ ...exchange, jwks: Object.assign([], { keys: [ec.jwk] }) }, ['jwks']],
    [{ ...exchange, jwks: 'keys' }, ['jwks']],
    [{ ...exchange, jwks: {} }, ['jwks']],
    [{ ...exchange, jwks: { keys: [] } }, ['jwks']],
    [{ ...exchange, jwks: { keys: Array.from({ length: 100 }, (_, n) => ({ ...ec.jwk, kid: `${n}` })) } }, []],
    [{ ...exchange, jwks: undefined, jwks_uri: 'https://jwks.example/' }, []],
    [{ ...exchange, jwks: undefined, jwks_uri: 'http://jwks.example/' }, ['jwks_uri']],
    [{ ...exchange, jwks: undefined, jwks_uri: 7 }, ['jwks_uri']],
    [{ ...exchange, jwks: { keys: {} } }, ['jwks']],
    [{ ...exchange, jwks: { keys: Array(101).fill(ec.jwk) } }, ['jwks']],
    [{ ...exchange, jwks: { keys: [ec.jwk, { ...other.jwk, kid: ec.kid }] } }, ['jwks.keys[1].kid']],
    [
      { ...exchange, jwks: { keys: [ec.jwk, { ...other.jwk, y: ec.jwk['y'] }, 'x'] } },
      ['jwks.keys[1]', 'jwks.keys[2]'],
    ],
    [{ ...exchange, defaultScopes: ['nope'] }, ['defaultScopes']],
    [{ ...exchange, defaultScopes: ['read_suites'] }, []],
    [{ ...exchange, maximumTokenTtlSeconds: 86_401 }, ['maximumTokenTtlSeconds']],
    ...[1, 86_400].map((ttl): [Fields, string[]] => [{ ...exchange, maximumTokenTtlSeconds: ttl }, []]),
    [{ ...exchange, maximumTokenTtlSeconds: 0 }, ['maximumTokenTtlSeconds']],
    [{ ...exchange, refreshTokens: true }, ['refreshTokens']],
    [{ ...exchange, client_secret: 'x'.repeat(20) }, ['client_secret']],
    ...['192.0.2.1', '192.0.2.0/24', '::1', '2001:db8::/32', '0.0.0.0/0', '::ffff:192.0.2.0/120'].map(
      (network): [Fields, string[]] => [{ ...exchange, allowedIpAddresses: [network] }, []],
    ),
    ...[
      '',
      '192.0.2',
      '192.0.2.1/33',
      '192.0.2.1/',
      '192.0.2.1/-1',
      '192.0.2.1/024',
      '::1/129',
      'fe80::1%eth0',
      'example',
    ].map((network): [Fields, string[]] => [{ ...exchange, allowedIpAddresses: [network] }, ['allowedIpAddresses']]),
    [
      { ...exchange, allowedIpAddresses: Array.from({ length: 101 }, (_, n) => `192.0.2.${n}`) },
      ['allowedIpAddresses'],
    ],
    [{ ...exchange, allowedIpAddresses: Array.from({ length: 100 }, (_, n) => `192.0.2.${n}`) }, []],
    [{ ...exchange, allowedIpAddresses: ['::1', '::1'] }, ['allowedIpAddresses']],
    [{ ...exchange, allowedIpAddresses: [1] }, ['allowedIpAddresses']],
    [Object.assign(Object.create({ name: 'inherited' }), { kind: 'device' }), ['name']],
  ])('%j: faults at %j', (settings, expected) => {
    expect(faults(settings)).toEqual(expected)
  })

  test('the settings of a record register it again', () => {
    const validated = validateApplication(exchange, rules)
    if (!validated.ok) throw new Error('the sample is sound')
    const { client_secret: _, ...settings } = validated.value
    const record = { ...settings, id: 'a', client_id: 'minter', clientSecretDigest: null, created_at: '' }
    expect(validateApplication(applicationSettings(record), rules)).toEqual({
      ok: true,
      value: { ...validated.value, client_id: 'minter' },
    })
  })
})
