import { describe, expect, test } from 'vitest'
import { type Answer, expectRefusal, expectTokens, type OAuthServer, startServer } from './harness.js'

const invalid = (answer: Answer) => expectRefusal(answer, 'invalid_grant', 'Invalid refresh token')

const refresh = (s: OAuthServer, refresh_token: unknown, changes: Record<string, string> = {}) =>
  s.token({ grant_type: 'refresh_token', client_id: 'refreshing', refresh_token: String(refresh_token), ...changes })

describe('refresh', () => {
  test('a rotation costs the same at any age of its family, and a token from the start is still known', async () => {
    await using s = await startServer()
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

  test('what no answer depends on any more is thrown away by a later write', async () => {
    await using s = await startServer()
    const { refresh_token, access_token } = await s.login('refreshing')
    await refresh(s, refresh_token)
    await s.api('/v2/access-token', access_token, { method: 'DELETE' })
    expectTokens(await s.exchange())
    await s.start()
    const count = (collection: 'accessTokens' | 'refreshFamilies' | 'usedRefreshTokens' | 'usedAssertions') =>
      s.persistence.values(collection).filter((record) => !('kind' in record && record.kind === 'api')).length
    expect([
      count('accessTokens'),
      count('refreshFamilies'),
      count('usedRefreshTokens'),
      count('usedAssertions'),
    ]).toEqual([3, 1, 1, 1])
    await s.clock.advance(3 * 86_400_000)
    expectTokens(await s.exchange())
    expect([
      count('accessTokens'),
      count('refreshFamilies'),
      count('usedRefreshTokens'),
      count('usedAssertions'),
    ]).toEqual([1, 0, 0, 1])
    expect(s.persistence.values('deviceAuthorizations')).toEqual([])
    expect((await s.api('/v2/builds', 'seeded-api-token')).status).toBe(200)
    s.expectLive(1)
  })
})
