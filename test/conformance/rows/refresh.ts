import { strict as assert } from 'node:assert'
import { ask, expectParts, expectStatus, rowsOf, type Target } from '../target.js'
import { newKeys, register, steered } from './minter.js'
import { expectOAuthError } from './oauth.js'
import { login } from './polling.js'

const userStatus = async (target: Target, as: string): Promise<number> =>
  (await ask(target, '/v2/user', { as })).status
const invalid = 'Invalid refresh token'

export const refreshRows = rowsOf('seed', {
  'RF1 S wire/refresh: a refresh gives new tokens; of the old ones only the access token stays valid':
    async (target) => {
      const one = await login(target, 'row-rf1', { refreshTokens: true })
      const first = await one.token()
      const second = (await one.refresh(first.refresh_token)).json
      expectParts(second, { token_type: 'Bearer', scope: first.scope })
      assert.notEqual(second.refresh_token, first.refresh_token)
      assert.notEqual(second.access_token, first.access_token)
      for (const { access_token } of [first, second])
        assert.equal(await userStatus(target, access_token), 200)
      expectStatus(await one.refresh(second.refresh_token), 200)
    },
  'RF2 S wire/refresh: a second use of a refresh token ends the whole login': async (target) => {
    const one = await login(target, 'row-rf2', { refreshTokens: true })
    const first = await one.token()
    const second = (await one.refresh(first.refresh_token)).json
    expectOAuthError(await one.refresh(first.refresh_token), 400, 'invalid_grant', invalid)
    expectOAuthError(await one.refresh(second.refresh_token), 400, 'invalid_grant', invalid)
    for (const { access_token } of [first, second])
      assert.equal(await userStatus(target, access_token), 401)
  },
  'RF3 M wire/refresh: an application without refresh tokens may not refresh, also later': async (
    target,
  ) => {
    const text = 'The application may not use this grant type'
    const none = await login(target, 'row-rf3')
    expectOAuthError(await none.refresh('x'), 400, 'unauthorized_client', text)
    const one = await login(target, 'row-rf3-off', { refreshTokens: true })
    const { refresh_token } = await one.token()
    await one.control.apply({
      applications: [{ client_id: 'row-rf3-off', refreshTokens: false }],
    } as object)
    expectOAuthError(await one.refresh(refresh_token), 400, 'unauthorized_client', text)
  },
  'RF4 M wire/refresh: a narrower scope is valid for one token; a wider one is refused': async (
    target,
  ) => {
    const one = await login(target, 'row-rf4', { refreshTokens: true })
    const { refresh_token } = await one.token()
    const wider = await one.refresh(refresh_token, { scope: 'read_builds graphql' })
    expectStatus(wider, 400)
    assert.equal(wider.json.error, 'invalid_scope')
    const narrow = await one.refresh(refresh_token, { scope: 'read_builds' })
    expectStatus(narrow, 200)
    assert.equal(narrow.json.scope, 'read_builds')
    assert.equal(await userStatus(target, narrow.json.access_token), 403)
    assert.equal((await one.refresh(narrow.json.refresh_token)).json.scope, 'read_user read_builds')
  },
  "RF5 M wire/refresh: another application's token is unharmed; fifty refreshes end a family":
    async (target) => {
      const one = await login(target, 'row-rf5', { refreshTokens: true })
      const other = await login(target, 'row-rf5-other', { refreshTokens: true })
      const { refresh_token } = await one.token()
      expectOAuthError(await other.refresh(refresh_token), 400, 'invalid_grant', invalid)
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => one.refresh(refresh_token)),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    },
  'RV1 D wire/refresh: DELETE of the token: 204, and token and refresh family are revoked': async (
    target,
  ) => {
    const one = await login(target, 'row-rv1', { refreshTokens: true })
    const { access_token, refresh_token } = await one.token()
    const answer = await ask(target, '/v2/access-token', { method: 'DELETE', as: access_token })
    expectStatus(answer, 204)
    assert.equal(answer.text, '')
    assert.equal(await userStatus(target, access_token), 401)
    expectOAuthError(await one.refresh(refresh_token), 400, 'invalid_grant', invalid)
  },
  'AU1 M oauth/bearer: settings apply to the next request: disabled, inactive, scope, address':
    async (target) => {
      const client_id = 'row-au1'
      const minter = await register(target, client_id)
      const control = steered(target)
      const { access_token } = (
        await minter.exchange(minter.assertion(), { scope: 'read_user read_builds' })
      ).json
      const status = () => userStatus(target, access_token)
      assert.equal(await status(), 200)
      const application = (change: object) => ({ applications: [{ client_id, ...change }] })
      const member = (active: boolean) => ({
        organizations: [{ slug: 'acme', members: [{ user: 'robin@acme.example', active }] }],
      })
      const exchanges = (tokenExchangeEnabled: boolean) => ({
        organizations: [{ slug: 'acme', tokenExchangeEnabled }],
      })
      const verified = (emailVerified: boolean) => ({
        users: [{ email: 'robin@acme.example', emailVerified }],
      })
      const grantable = ['read_builds', 'read_user', 'graphql']
      const keys = (kid: string) => ({
        jwks: { keys: [{ ...newKeys('ES256').publicKey.export({ format: 'jwk' }), kid }] },
      })
      const changes: readonly (readonly [change: object, back: object, status: number])[] = [
        [application({ enabled: false }), application({ enabled: true }), 401],
        [
          application({ grantableScopes: ['read_builds'] }),
          application({ grantableScopes: grantable }),
          403,
        ],
        [
          application({ allowedIpAddresses: ['203.0.113.0/24'] }),
          application({ allowedIpAddresses: [] }),
          403,
        ],
        [
          application({ allowedIpAddresses: ['127.0.0.0/8', '::1'] }),
          application({ allowedIpAddresses: [] }),
          200,
        ],
        [member(false), member(true), 401],
        // What a token was issued for is asked once.
        [application(keys('next')), application(keys('last')), 200],
        [exchanges(false), exchanges(true), 200],
        [verified(false), verified(true), 200],
      ]
      for (const [change, back, expected] of changes) {
        await control.apply(change)
        const answered = await status()
        await control.apply(back)
        assert.equal(answered, expected, JSON.stringify(change))
        assert.equal(await status(), 200)
      }
    },
  'AU2 M oauth/bearer: an exchanged token expires exactly at the end of its lifetime': async (
    target,
  ) => {
    const minter = await register(target, 'row-au2')
    const answer = await minter.exchange(minter.assertion(), {
      scope: 'read_user',
      expires_in: '10',
    })
    const control = steered(target)
    await control.clock.advance({ ms: 9_999 })
    assert.equal(await userStatus(target, answer.json.access_token), 200)
    await control.clock.advance({ ms: 1 })
    assert.equal(await userStatus(target, answer.json.access_token), 401)
  },
})
