import { operations } from '@buildwire/sdk/contract'
import { describe, expect, test } from 'vitest'
import { type Answer, type OAuthServer, startServer } from './harness.js'

const text = (s: OAuthServer) =>
  `Authentication required. Please supply a valid API Access Token: ${s.server.webUrl}/docs/authentication`

const invalidToken = (s: OAuthServer, answer: Answer) => {
  expect(answer.status).toBe(401)
  expect(answer.body).toEqual({ message: text(s) })
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="buildwire", error="invalid_token"')
}

const withHeader = (s: OAuthServer, Authorization: string, path = '/v2/builds') =>
  s.call(path, { headers: { Authorization } })

const exchangeToken = async (s: OAuthServer, scope = 'read_builds', audience = 'acme') =>
  String((await s.exchange(s.assertion(), { scope, audience })).body['access_token'])

describe('bearer', () => {
  test.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer a,b',
    'Bearer =',
    'Bearer a=b',
    'Bearer "a"',
    'Bearer ä',
    'Bearer\ta',
    'bearer {}',
  ])('BE2 %j', async (header) => {
    await using s = await startServer()
    invalidToken(s, await withHeader(s, header))
    s.expectLive(0)
  })

  const scopes = [...new Set(Object.values(operations).flatMap(({ scope }) => scope ?? []))]
  test('BE7 each operation wants its own scope, and no other will do', async () => {
    await using s = await startServer()
    let checked = 0
    for (const scope of scopes) {
      const token = await exchangeToken(s, scope)
      for (const operation of Object.values(operations)) {
        if (operation.server === 'auth') continue
        const path = operation.path
          .replace('{org_slug}', 'acme')
          .replace('{pipeline_slug}', 'web')
          .replace('{suite_slug}', 'unit')
          .replace('{number}', '999999')
          .replace(/\{\w+\}/, '00000000-0000-4000-8000-000000000000')
        if (operation.id === 'accessToken.revoke') continue
        const body = ['POST', 'PUT', 'PATCH'].includes(operation.method) ? { body: {} } : {}
        const answer = await s.api(path, token, { method: operation.method, ...body })
        const allowed = operation.scope === null || operation.scope === scope
        expect(answer.status === 403, `${operation.id} with ${scope}: ${answer.status} ${answer.text}`).toBe(!allowed)
        checked += 1
      }
    }
    expect(checked).toBeGreaterThan(100)
    s.expectLive(scopes.length)
  })

  test('a credential works only in its own parameter (G9)', async () => {
    await using s = await startServer()
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

  test('last_used_at: exact in memory, written at most once a minute', async () => {
    await using s = await startServer()
    const { access_token } = await s.login()
    const stored = () => s.persistence.values('accessTokens').find(({ kind }) => kind === 'device')?.lastUsedAt
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

  test('A12 authority after issue', async () => {
    const acme = (members: readonly object[]) => ({ organizations: [{ slug: 'acme', members }] })
    const changes: readonly (readonly [string, object, number])[] = [
      ['leave', acme([{ user: 'sam@acme.example', active: false }]), 401],
      ['deactivate', { users: [{ email: 'sam@acme.example', active: false }] }, 401],
      ['disable', { applications: [{ client_id: 'minter', enabled: false }] }, 401],
      ['shrink', { applications: [{ client_id: 'minter', grantableScopes: ['graphql'] }] }, 403],
      ['addresses', { applications: [{ client_id: 'minter', allowedIpAddresses: ['192.0.2.1'] }] }, 403],
      ['verified', { users: [{ email: 'sam@acme.example', emailVerified: false }] }, 200],
      ['feature', { organizations: [{ slug: 'acme', tokenExchangeEnabled: false }] }, 200],
      [
        'key',
        {
          applications: [{ client_id: 'minter', jwks: { keys: [{ ...(await import('./harness.js')).otherKey.jwk }] } }],
        },
        200,
      ],
    ]
    for (const [name, change, status] of changes) {
      await using s = await startServer()
      const { body } = await s.exchange(s.assertion(), { subject_token: 'sam@acme.example' })
      const token = String(body['access_token'])
      expect((await s.api('/v2/builds', token)).status).toBe(200)
      await s.apply(change as Record<string, unknown>)
      const answer = await s.api('/v2/builds', token)
      expect(answer.status, name).toBe(status)
      if (status === 401) invalidToken(s, answer)
      s.expectLive(1)
    }
  })
})
