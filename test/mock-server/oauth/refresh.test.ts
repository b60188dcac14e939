import { describe, expect, test } from 'vitest'
import {
  type Answer,
  confidentialSecret,
  expectIdentical,
  expectRefusal,
  expectTokens,
  type OAuthServer,
  startServer,
} from './harness.js'

const invalid = (answer: Answer) => expectRefusal(answer, 'invalid_grant', 'Invalid refresh token')

const refresh = (s: OAuthServer, refresh_token: unknown, changes: Record<string, string> = {}) =>
  s.token({ grant_type: 'refresh_token', client_id: 'refreshing', refresh_token: String(refresh_token), ...changes })

const works = async (s: OAuthServer, token: unknown) => (await s.api('/v2/builds', String(token))).status

describe('refresh', () => {
  test('RF1 rotation', async () => {
    await using s = await startServer()
    const first = await s.login('refreshing')
    const second = await refresh(s, first.refresh_token)
    expectTokens(second, { expires_in: 900, scope: 'read_builds', refresh_token: expect.stringMatching(/^bwrt_/) })
    expect(second.body['refresh_token']).not.toBe(first.refresh_token)
    expect(await works(s, first.access_token)).toBe(200)
    expect(await works(s, second.body['access_token'])).toBe(200)
    s.expectLive(2)
    await s.clock.advance(900_000)
    s.expectLive(0)
    expectTokens(await refresh(s, second.body['refresh_token']))
    s.expectLive(1)
  })

  test('RF2 reuse ends the family, in the same turn', async () => {
    await using s = await startServer()
    const first = await s.login('refreshing')
    const bystander = await s.login('refreshing')
    const second = await refresh(s, first.refresh_token)
    const third = await refresh(s, second.body['refresh_token'])
    s.expectLive(4)
    invalid(await refresh(s, first.refresh_token))
    s.expectLive(1)
    invalid(await refresh(s, third.body['refresh_token']))
    for (const token of [first.access_token, second.body['access_token'], third.body['access_token']]) {
      expect(await works(s, token)).toBe(401)
    }
    expect(await works(s, bystander.access_token)).toBe(200)
    expectTokens(await refresh(s, bystander.refresh_token))
    s.expectLive(2)
  })

  test('RF2 two at once: one wins, and the reuse of the other ends what it won', async () => {
    await using s = await startServer()
    const { refresh_token } = await s.login('refreshing')
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(s, refresh_token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    s.expectLive(0)
  })

  test('unknown, revoked, reused, foreign, inactive: one body; a foreign attempt revokes nothing', async () => {
    await using s = await startServer()
    const login = await s.login('refreshing', 'read_builds', 'sam@acme.example')
    await s.apply({
      applications: [{ kind: 'device', client_id: 'second', name: 'Second', refreshTokens: true }],
    })
    const foreign = await refresh(s, login.refresh_token, { client_id: 'second' })
    expect(await works(s, login.access_token)).toBe(200)
    const answers = [foreign, await refresh(s, 'bwrt_unknown'), await refresh(s, login.access_token)]
    await s.apply({ users: [{ email: 'sam@acme.example', active: false }] })
    answers.push(await refresh(s, login.refresh_token))
    await s.apply({
      users: [{ email: 'sam@acme.example', active: true }],
      organizations: [{ slug: 'acme', members: [{ user: 'sam@acme.example', active: false }] }],
    })
    answers.push(await refresh(s, login.refresh_token))
    await s.apply({ organizations: [{ slug: 'acme', members: [{ user: 'sam@acme.example', active: true }] }] })
    expectTokens(await refresh(s, login.refresh_token))
    answers.push(await refresh(s, login.refresh_token))
    answers.push(await refresh(s, login.refresh_token))
    for (const answer of answers) invalid(answer)
    expectIdentical(answers)
    s.expectLive(0)
  })

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

  test('RF3 not enabled, never or no longer, and an exchange application', async () => {
    await using s = await startServer()
    const text = 'The application may not use this grant type'
    const { refresh_token } = await s.login('refreshing')
    expectRefusal(await refresh(s, refresh_token, { client_id: 'public' }), 'unauthorized_client', text)
    expectRefusal(await refresh(s, refresh_token, { client_id: 'minter' }), 'unauthorized_client', text)
    await s.apply({ applications: [{ client_id: 'refreshing', refreshTokens: false }] })
    expectRefusal(await refresh(s, refresh_token), 'unauthorized_client', text)
    await s.apply({ applications: [{ client_id: 'refreshing', refreshTokens: true }] })
    expectTokens(await refresh(s, refresh_token))
    s.expectLive(2)
  })

  test('RF4 a refusal rotates nothing', async () => {
    await using s = await startServer()
    const client_id = 'refreshing-confidential'
    const { refresh_token } = await s.login(client_id)
    for (const extra of [{}, { client_secret: 'wrong' }]) {
      expectRefusal(
        await refresh(s, refresh_token, { client_id, ...extra }),
        'invalid_client',
        'Client authentication failed',
      )
    }
    const proved = { client_id, client_secret: confidentialSecret }
    const wider = await refresh(s, refresh_token, { ...proved, scope: 'read_builds write_builds' })
    expectRefusal(wider, 'invalid_scope', 'Requested scopes exceed granted scopes')
    expectRefusal(await refresh(s, refresh_token, { ...proved, scope: 'nope' }), 'invalid_scope', 'Invalid scope')
    expectRefusal(await refresh(s, '', proved), 'invalid_request', 'Missing parameter: refresh_token')
    s.expectLive(1)
    expectTokens(await refresh(s, refresh_token, proved))
    s.expectLive(2)
  })

  test('a narrower scope narrows one access token, and the family keeps its own', async () => {
    await using s = await startServer()
    const { refresh_token } = await s.login('refreshing', 'read_builds write_builds')
    const narrowed = await refresh(s, refresh_token, { scope: 'write_builds' })
    expectTokens(narrowed, { scope: 'write_builds' })
    expect(await works(s, narrowed.body['access_token'])).toBe(403)
    expectTokens(await refresh(s, narrowed.body['refresh_token']), { scope: 'read_builds write_builds' })
    s.expectLive(3)
  })

  test('DELETE /v2/access-token ends the token and its family; the grant stays', async () => {
    await using s = await startServer()
    const login = await s.login('refreshing')
    const again = await s.login('refreshing')
    const renewed = await refresh(s, login.refresh_token)
    s.expectLive(3)
    expect((await s.api('/v2/access-token', login.access_token, { method: 'DELETE' })).status).toBe(204)
    // A family is all that descends from one login.
    for (const token of [login.access_token, renewed.body['access_token']]) expect(await works(s, token)).toBe(401)
    invalid(await refresh(s, renewed.body['refresh_token']))
    expect(await works(s, again.access_token)).toBe(200)
    expectTokens(await refresh(s, again.refresh_token))
    expect(s.persistence.values('grants').filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1)
    s.expectLive(2)
  })
})
