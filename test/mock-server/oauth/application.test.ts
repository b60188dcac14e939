import { describe, expect, test } from 'vitest'
import { applicationSettings, validateApplication } from '../../../mock-server/src/domain/application.js'
import { knownScopes } from '../../../mock-server/src/domain/scope.js'
import { callerAddress, isNetwork } from '../../../mock-server/src/http/address.js'
import type { Fields } from './assertions.js'
import { confidentialSecret, ec, expectTokens, rsa, startServer } from './harness.js'

const rules = { knownScopes: knownScopes(['read_agents']), isNetwork }
const device = { kind: 'device', name: 'Terminal' }
const exchange = { kind: 'token_exchange', name: 'Minter', jwks: { keys: [ec.jwk] }, grantableScopes: ['read_builds'] }

const faults = (settings: Fields): string[] => {
  const validated = validateApplication(settings, rules)
  return validated.ok ? [] : validated.errors.map(({ path }) => path)
}

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
    [{ ...device, description: 'x'.repeat(1001) }, ['description']],
    [{ ...device, enabled: 'yes' }, ['enabled']],
    [{ ...device, client_id: 'with space' }, ['client_id']],
    [{ ...device, client_id: 'x'.repeat(65) }, ['client_id']],
    [{ ...device, client_id: '' }, ['client_id']],
    [{ ...device, grantableScopes: ['nope'] }, ['grantableScopes']],
    [{ ...device, grantableScopes: ['read_builds', 'read_builds'] }, ['grantableScopes']],
    [{ ...device, grantableScopes: 'read_builds' }, ['grantableScopes']],
    [{ ...device, grantableScopes: ['read_agents'] }, []],
    [{ ...device, clientType: 'secret' }, ['clientType']],
    [{ ...device, client_secret: 'x'.repeat(20) }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: 'short' }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: 'x'.repeat(256) }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: `${'x'.repeat(20)}é` }, ['client_secret']],
    [{ ...device, clientType: 'confidential', client_secret: confidentialSecret }, []],
    [{ ...device, accessTokenTtlSeconds: 0 }, ['accessTokenTtlSeconds']],
    [{ ...device, accessTokenTtlSeconds: 1.5 }, ['accessTokenTtlSeconds']],
    [{ ...device, accessTokenTtlSeconds: '60' }, ['accessTokenTtlSeconds']],
    [{ ...device, accessTokenTtlSeconds: 31_536_001 }, ['accessTokenTtlSeconds']],
    [{ ...device, accessTokenTtlSeconds: null }, []],
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
    [{ ...exchange, jwks: { keys: {} } }, ['jwks']],
    [{ ...exchange, jwks: { keys: Array(101).fill(ec.jwk) } }, ['jwks']],
    [{ ...exchange, jwks: { keys: [ec.jwk, { ...rsa.jwk, kid: ec.kid }] } }, ['jwks.keys[1].kid']],
    [{ ...exchange, jwks: { keys: [ec.jwk, { ...rsa.jwk, e: 'AQ' }, 'x'] } }, ['jwks.keys[1]', 'jwks.keys[2]']],
    [{ ...exchange, defaultScopes: ['nope'] }, ['defaultScopes']],
    [{ ...exchange, defaultScopes: ['read_suites'] }, []],
    [{ ...exchange, maximumTokenTtlSeconds: 86_401 }, ['maximumTokenTtlSeconds']],
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

  test('through the control API: paths, uniqueness, fixed kind, a secret shown once', async () => {
    await using s = await startServer()
    const refused = await s.control('POST', '/apply', {
      applications: [{ kind: 'device', client_id: 'new', name: '', colour: 'red' }],
    })
    expect(refused.status).toBe(422)
    const paths = (refused.body['errors'] as { path: string }[]).map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['applications[0].name', 'applications[0].colour']))
    const changedKind = { applications: [{ client_id: 'public', kind: 'token_exchange' }] }
    expect((await s.control('POST', '/apply', changedKind)).status).toBe(422)
    const made = await s.control('POST', '/apply', {
      applications: [{ kind: 'device', client_id: 'kiosk-2', name: 'Kiosk', clientType: 'confidential' }],
    })
    const { clientSecrets } = made.body as { clientSecrets: Record<string, string> }
    expect(clientSecrets['kiosk-2']).toMatch(/^[A-Za-z0-9]{43}$/)
    const form = { client_id: 'kiosk-2', client_secret: clientSecrets['kiosk-2'], scope: 'read_builds' }
    expect((await s.device(form)).status).toBe(200)
    const records = await s.control('GET', '/records/applications')
    expect(records.text).not.toContain(clientSecrets['kiosk-2'])
    // A change keeps what it does not name, the secret too.
    await s.apply({ applications: [{ client_id: 'kiosk-2', description: 'In the hall' }] })
    expect((await s.device(form)).status).toBe(200)
    s.expectLive(0)
  })

  test('settings bite at the next request', async () => {
    await using s = await startServer()
    expectTokens(await s.exchange(s.assertion({}, rsa)))
    await s.apply({ applications: [{ client_id: 'minter', jwks: { keys: [ec.jwk] }, maximumTokenTtlSeconds: 60 }] })
    expect((await s.exchange(s.assertion({}, rsa))).status).toBe(401)
    expectTokens(await s.exchange(s.assertion()), { expires_in: 60 })
    s.expectLive(2)
  })
})

describe('the address of a caller (G11)', () => {
  const proxies = ['10.0.0.0/8', '2001:db8:ffff::/48']
  test.each([
    ['192.0.2.1', '203.0.113.9', proxies, '192.0.2.1'],
    ['10.0.0.1', null, proxies, '10.0.0.1'],
    ['10.0.0.1', '', proxies, '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9', proxies, '203.0.113.9'],
    ['10.0.0.1', '203.0.113.9', [], '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.9', proxies, '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.9, 10.1.1.1', proxies, '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1,203.0.113.9 ,10.1.1.1,10.2.2.2', proxies, '203.0.113.9'],
    ['10.0.0.1', '10.9.9.9, 10.1.1.1', proxies, '10.9.9.9'],
    ['10.0.0.1', '203.0.113.9, garbage, 10.1.1.1', proxies, 'garbage'],
    ['::ffff:10.0.0.1', '::ffff:203.0.113.9', proxies, '203.0.113.9'],
    ['2001:db8:ffff::1', '2001:DB8::0:1', proxies, '2001:db8::1'],
  ])('peer %s, forwarded %j, trusting %j: %s', (peer, forwarded, trusted, expected) => {
    expect(callerAddress(peer, forwarded, trusted)).toBe(expected)
  })
})
