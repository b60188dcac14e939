import { describe, expect, it } from 'vitest'
import { addressIn, callerAddress } from '../../../mock-server/src/http/address.js'
import { test } from './harness.js'

describe('application settings', () => {
  test('through the control API: paths, uniqueness, fixed kind, a secret shown once', async ({
    s,
  }) => {
    const refused = await s.control('POST', '/apply', {
      applications: [{ kind: 'device', client_id: 'new', name: '', colour: 'red' }],
    })
    expect(refused.status).toBe(422)
    const paths = (refused.body['errors'] as { path: string }[]).map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['applications[0].name', 'applications[0].colour']),
    )
    const changedKind = { applications: [{ client_id: 'public', kind: 'token_exchange' }] }
    expect((await s.control('POST', '/apply', changedKind)).status).toBe(422)
    const made = await s.control('POST', '/apply', {
      applications: [
        { kind: 'device', client_id: 'kiosk-2', name: 'Kiosk', clientType: 'confidential' },
      ],
    })
    const { clientSecrets } = made.body as { clientSecrets: Record<string, string> }
    expect(clientSecrets['kiosk-2']).toMatch(/^[A-Za-z0-9]{43}$/)
    const form = {
      client_id: 'kiosk-2',
      client_secret: clientSecrets['kiosk-2'],
      scope: 'read_builds',
    }
    expect((await s.device(form)).status).toBe(200)
    const records = await s.control('GET', '/records/applications')
    expect(records.text).not.toContain(clientSecrets['kiosk-2'])
    // A change keeps what it does not name, the secret too.
    await s.apply({ applications: [{ client_id: 'kiosk-2', description: 'In the hall' }] })
    expect((await s.device(form)).status).toBe(200)
    s.expectLive(0)
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

it.each([
  [['192.0.2.1'], '192.0.2.1', true],
  [['192.0.2.1'], '::ffff:192.0.2.1', true],
  [['192.0.2.1'], '::ffff:c000:201', true],
  [['::ffff:192.0.2.1'], '192.0.2.1', true],
  [['::ffff:192.0.2.0/120'], '192.0.2.77', true],
  [['192.0.2.1'], '192.0.2.2', false],
  [['192.0.2.0/24'], '192.0.2.255', true],
  [['192.0.2.0/24'], '192.0.3.0', false],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['192.0.2.0/24'], 'garbage', false],
])('of the networks %j the address %s is one: %j (SC6)', (networks, address, within) => {
  expect(addressIn(networks, address)).toBe(within)
})
