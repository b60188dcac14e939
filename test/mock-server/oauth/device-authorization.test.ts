import { seededIds } from '@buildwire/mock-server'
import { describe, expect, test } from 'vitest'
import { deviceGrant, expectRefusal, startServer } from './harness.js'

describe('device authorization', () => {
  test('DA3 device codes never repeat and tell nothing of the user code', { timeout: 120_000 }, async () => {
    await using s = await startServer({ requestLog: false, strict: false })
    const codes = new Set<string>()
    for (let n = 0; n < 10_000; n += 100) {
      const batch = Array.from({ length: 100 }, () => s.device({ client_id: 'public', scope: 'read_builds' }))
      for (const { body } of await Promise.all(batch)) {
        const { device_code, user_code } = body as { device_code: string; user_code: string }
        codes.add(device_code)
        expect(device_code).not.toContain(user_code.replace('-', ''))
      }
    }
    expect(codes.size).toBe(10_000)
    for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9_-]+$/)
    s.expectLive(0)
  })

  test('DA4 live user codes are unique; a dead one may come again', async () => {
    const real = seededIds()
    const drawn = ['BBBBBBBB', 'BBBBBBBB', 'BBBBBBBB', 'CCCCCCCC', 'BBBBBBBB']
    await using s = await startServer({
      ids: { ...real, code: (length, alphabet) => drawn.shift() ?? real.code(length, alphabet) },
    })
    const first = await s.start()
    const second = await s.start()
    expect([first.user_code, second.user_code]).toEqual(['BBBB-BBBB', 'CCCC-CCCC'])
    await s.clock.advance(600_000)
    const third = await s.start()
    expect(third.user_code).toBe('BBBB-BBBB')
    expect((await s.approve('BBBB-BBBB')).status).toBe(200)
    expectRefusal(await s.poll(first.device_code), 'expired_token')
    expect((await s.poll(third.device_code)).status).toBe(200)
    s.expectLive(1)
  })

  test('DA4 a random source that has only taken codes: server_error, nothing stored', async () => {
    const real = seededIds()
    await using s = await startServer({ ids: { ...real, code: () => 'BBBBBBBB' } })
    await s.start()
    expectRefusal(
      await s.device({ client_id: 'public', scope: 'read_builds' }),
      'server_error',
      'The service is temporarily unavailable',
    )
    expect(s.persistence.values('deviceAuthorizations')).toHaveLength(1)
    s.expectLive(0)
  })

  test.each([
    ['public', 'read_builds nope'],
    ['public', 'READ_BUILDS'],
    ['public', 'read_builds\u00a0write_builds'],
    ['public', 'read_builds\twrite_builds'],
    ['public', '__proto__'],
    ['public', 'toString'],
    ['narrow', 'read_builds write_builds'],
  ])('DA6 %s may not have %j', async (client_id, scope) => {
    await using s = await startServer()
    expectRefusal(await s.device({ client_id, scope }), 'invalid_scope', 'Invalid scope')
    expect(s.persistence.values('deviceAuthorizations')).toEqual([])
    s.expectLive(0)
  })

  test('extraScopes adds names', async () => {
    await using s = await startServer({ extraScopes: ['read_agents'] })
    await s.apply({ applications: [{ client_id: 'narrow', grantableScopes: ['read_agents'] }] })
    expect((await s.device({ client_id: 'narrow', scope: 'read_agents' })).status).toBe(200)
    s.expectLive(0)
  })

  test('DA7 an exchange application, here and at polling', async () => {
    await using s = await startServer()
    const text = 'The application may not use this grant type'
    expectRefusal(await s.device({ client_id: 'minter', scope: 'read_builds' }), 'unauthorized_client', text)
    const poll = { grant_type: deviceGrant, client_id: 'minter', device_code: 'x' }
    expectRefusal(await s.token(poll), 'unauthorized_client', text)
    expectRefusal(await s.token({ ...poll, client_id: 'sleeping' }), 'invalid_client')
    s.expectLive(0)
  })
})
