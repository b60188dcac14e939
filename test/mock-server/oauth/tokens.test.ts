import { describe, expect } from 'vitest'
import {
  type Answer,
  expectRefusal,
  expectTokens,
  type OAuthServer,
  startServer,
  test,
} from './harness.js'

describe('token exchange', () => {
  test('TX4 the vendor can be configured', async () => {
    await using s = await startServer({ vendor: 'example' })
    const subject_token_type = 'urn:example:params:oauth:token-type:user-email'
    expectTokens(await s.exchange(s.assertion(), { subject_token_type }))
    expectRefusal(await s.exchange(), 'invalid_request', 'Unsupported value: subject_token_type')
    s.expectLive(1)
  })

  test('SC6 a forwarded address counts only behind a trusted proxy', async () => {
    for (const [trustProxy, status, message] of [
      [[], 403, "Your access token can't be used from this IP address"],
      [['198.51.100.0/24'], 200, undefined],
    ] as const) {
      await using s = await startServer({ trustProxy: [...trustProxy] })
      await s.apply({ applications: [{ client_id: 'minter', allowedIpAddresses: ['192.0.2.1'] }] })
      const { body } = await s.exchange()
      const headers = {
        Authorization: `Bearer ${body['access_token']}`,
        'X-Forwarded-For': '203.0.113.9, 192.0.2.1, 198.51.100.8',
      }
      const answer = await s.call('/v2/builds', { headers }, '198.51.100.7')
      expect([answer.status, answer.body['message']]).toEqual([status, message])
      s.expectLive(1)
    }
  })
  test('CL12 a used jti is kept for its retention time, and not longer', async () => {
    await using s = await startServer({ jtiRetentionSeconds: 1000 })
    expectTokens(await s.exchange(s.assertion({ jti: 'once' })))
    await s.clock.advance(999_999)
    const used = 'JWT has already been used (jti)'
    expectRefusal(await s.exchange(s.assertion({ jti: 'once' })), 'invalid_client', used)
    await s.clock.advance(1)
    expectTokens(await s.exchange(s.assertion({ jti: 'once' })))
    s.expectLive(2)
    s.expectBurnt(1)
  })
})

const invalid = (answer: Answer) => expectRefusal(answer, 'invalid_grant', 'Invalid refresh token')

const refresh = (s: OAuthServer, refresh_token: unknown, changes: Record<string, string> = {}) =>
  s.token({
    grant_type: 'refresh_token',
    client_id: 'refreshing',
    refresh_token: String(refresh_token),
    ...changes,
  })

describe('refresh', () => {
  test('a rotation costs the same at any age of the family, and the first token is still known', async ({
    s,
  }) => {
    const { refresh_token } = await s.login('refreshing')
    const written: number[] = []
    let current: unknown = refresh_token
    for (let n = 0; n < 100; n++) {
      current = (await refresh(s, current)).body['refresh_token']
      written.push(JSON.stringify(s.persistence.last).length)
    }
    expect(Math.max(...written) - Math.min(...written)).toBeLessThan(50)
    s.expectLive(101)
    invalid(await refresh(s, refresh_token))
    invalid(await refresh(s, current))
    s.expectLive(0)
  })

  test('records that no answer depends on are deleted by a later write', async ({ s }) => {
    const { refresh_token, access_token } = await s.login('refreshing')
    await refresh(s, refresh_token)
    await s.api('/v2/access-token', access_token, { method: 'DELETE' })
    expectTokens(await s.exchange())
    await s.start()
    const collections = [
      'accessTokens',
      'refreshFamilies',
      'usedRefreshTokens',
      'usedAssertions',
    ] as const
    const counts = () =>
      collections.map(
        (name) =>
          s.persistence.values(name).filter((r) => !('kind' in r && r.kind === 'api')).length,
      )
    expect(counts()).toEqual([3, 1, 1, 1])
    await s.clock.advance(3 * 86_400_000)
    expectTokens(await s.exchange())
    expect(counts()).toEqual([1, 0, 0, 1])
    expect(s.persistence.values('deviceAuthorizations')).toEqual([])
    expect((await s.api('/v2/builds', 'seeded-api-token')).status).toBe(200)
    s.expectLive(1)
  })
})

const text = (s: OAuthServer) =>
  `Authentication required. Please supply a valid API Access Token: ${s.server.webUrl}/docs/authentication`

const invalidToken = (s: OAuthServer, answer: Answer) => {
  expect(answer.status).toBe(401)
  expect(answer.body).toEqual({ message: text(s) })
  expect(answer.headers.get('www-authenticate')).toBe(
    'Bearer realm="buildwire", error="invalid_token"',
  )
}

describe('bearer', () => {
  test('a credential works only in its own parameter (G9)', async ({ s }) => {
    const { device_code, user_code } = await s.start('refreshing')
    await s.approve(user_code)
    const { body } = await s.poll(device_code, 'refreshing')
    for (const other of [device_code, user_code, String(body['refresh_token'])]) {
      invalidToken(s, await s.api('/v2/builds', other))
    }
    const access_token = String(body['access_token'])
    expect((await s.poll(access_token, 'refreshing')).body['error']).toBe('invalid_grant')
    s.expectLive(1)
  })

  test('last_used_at: exact in memory, written at most once a minute', async ({ s }) => {
    const { access_token } = await s.login()
    const stored = () =>
      s.persistence.values('accessTokens').find(({ kind }) => kind === 'device')?.lastUsedAt
    expect(stored()).toBeNull()
    await s.api('/v2/builds', access_token)
    const first = s.now
    await expect.poll(stored).toBe(first)
    await s.clock.advance(59_999)
    await s.api('/v2/builds', access_token)
    await s.api('/v2/suites', access_token)
    expect(stored()).toBe(first)
    await s.clock.advance(1)
    await s.api('/v2/builds', access_token)
    await expect.poll(stored).toBe(first + 60_000)
    expect(s.persistence.values('grants').at(0)?.lastUsedAt).toBe(first + 60_000)
    s.expectLive(1)
  })
})
