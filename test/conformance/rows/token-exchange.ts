import { strict as assert } from 'node:assert'
import { ask, expectStatus, rowsOf } from '../target.js'
import { type ClaimChanges, encode, register, tokenUrl } from './minter.js'
import { expectOAuthError } from './oauth.js'

const badSignature = 'Invalid client assertion signature'

export const tokenExchangeRows = rowsOf('seed', {
  'TX1 M RFC 8693 §2.2.1: with ES256 and RS256, the token acts for the user in one organization':
    async (target) => {
      for (const alg of ['ES256', 'RS256'] as const) {
        const minter = await register(target, `row-tx1-${alg}`, alg)
        const { status, json, text } = await minter.exchange(minter.assertion())
        assert.equal(status, 200, text)
        const { access_token, ...rest } = json
        assert.match(access_token, /^bwtx_[A-Za-z0-9]{43}$/)
        assert.deepEqual(rest, {
          issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'read_builds',
        })
        expectStatus(await ask(target, '/v2/organizations/acme/builds', { as: access_token }), 200)
        expectStatus(await ask(target, '/v2/organizations/orbit/builds', { as: access_token }), 404)
        expectStatus(await ask(target, '/v2/user', { as: access_token }), 403)
      }
    },
  'TX2 M api: wrong audience, subject, scope, lifetime: the error names it, the jti stays unused':
    async (target) => {
      const minter = await register(target, 'row-tx2')
      const assertion = minter.assertion()
      const subject = 'Subject user must be an active member of the organization'
      const refusals: readonly (readonly [Readonly<Record<string, string>>, string, string])[] = [
        [{ audience: 'Acme Rockets' }, 'invalid_target', 'Invalid audience organization'],
        [{ subject_token: 'kim@orbit.example' }, 'invalid_request', subject],
        [{ subject_token: 'not-an-address' }, 'invalid_request', subject],
        [
          { scope: 'read_builds write_builds' },
          'invalid_scope',
          'Requested scopes exceed grantable scopes',
        ],
        [{ expires_in: '0' }, 'invalid_request', 'expires_in must be a positive integer'],
        [{ subject_token_type: 'x' }, 'invalid_request', 'Unsupported value: subject_token_type'],
        [{ actor_token: 'x' }, 'invalid_request', 'Unsupported parameter: actor_token'],
        [{ audience: '' }, 'invalid_request', 'Missing parameter: audience'],
        [{ client_secret: 'x' }, 'invalid_request', 'Use one client authentication method'],
      ]
      for (const [changes, error, text] of refusals) {
        expectOAuthError(await minter.exchange(assertion, changes), 400, error, text)
      }
      expectStatus(await minter.exchange(assertion), 200)
    },
  'JO2 M RFC 8725 §3.1: other algorithms, other keys and other forms get the same refusal': async (
    target,
  ) => {
    const minter = await register(target, 'row-jo2')
    const stranger = await register(target, 'row-jo2-stranger')
    const good = minter.assertion()
    const [header, claims, signature] = good.split('.')
    const bad = [
      `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
      `${good}.x`,
      `${header}.${claims}.${signature}=`,
      minter.assertion({}, { alg: 'HS256' }),
      minter.assertion({}, { alg: 'ES384' }),
      minter.assertion({}, { kid: 'other' }),
      minter.assertion({}, { crit: ['exp'] }),
      stranger.assertion({ iss: 'row-jo2', sub: 'row-jo2' }),
      minter.assertion({ iss: 'nobody', sub: 'nobody' }),
    ]
    for (const assertion of bad) {
      const answer = await minter.exchange(assertion)
      expectOAuthError(answer, 400, 'invalid_client', badSignature)
      assert.equal(answer.headers.get('www-authenticate'), null)
    }
    const forged = stranger.assertion({ iss: 'row-jo2', sub: 'row-jo2' })
    const hidden = [
      { audience: 'x' },
      { subject_token: 'x' },
      { scope: 'x' },
      { expires_in: '0' },
      { resource: 'x' },
    ]
    for (const changes of hidden) {
      expectOAuthError(await minter.exchange(forged, changes), 400, 'invalid_client', badSignature)
    }
    expectStatus(await minter.exchange(good), 200)
  },
  'CL3 M api: each claim has its boundary and its error text': async (target) => {
    const minter = await register(target, 'row-cl3')
    const { iat } = JSON.parse(
      Buffer.from(minter.assertion().split('.')[1] ?? '', 'base64url').toString(),
    )
    const life = 'JWT exp claim must be within 5 minutes of iat'
    const jti = 'JWT jti claim must be a non-empty string of at most 255 bytes'
    const refusals: readonly (readonly [ClaimChanges, string])[] = [
      [{ sub: 'other' }, 'JWT iss claim must match sub'],
      [{ aud: `${tokenUrl(target)}/` }, 'JWT aud claim is invalid'],
      [{ aud: 'acme' }, 'JWT aud claim is invalid'],
      [{ iat: iat + 61, exp: iat + 300 }, 'JWT iat claim is invalid'],
      [{ iat: iat - 100, exp: iat }, 'JWT exp claim must be in the future'],
      [{ exp: iat + 301 }, life],
      [{ nbf: iat + 1 }, 'JWT nbf claim must not be in the future'],
      [{ jti: '' }, jti],
      [{ jti: 'x'.repeat(256) }, jti],
    ]
    for (const [claims, text] of refusals) {
      expectOAuthError(await minter.exchange(minter.assertion(claims)), 400, 'invalid_client', text)
    }
    expectStatus(await minter.exchange(minter.assertion({ nbf: iat, jti: 'x'.repeat(255) })), 200)
    const oldest = minter.assertion({ aud: ['x', tokenUrl(target)], iat: iat - 299, exp: iat + 1 })
    expectStatus(await minter.exchange(oldest), 200)
  },
  'CL12 M api: a jti works once, also if fifty requests arrive together': async (target) => {
    const minter = await register(target, 'row-cl12')
    const assertion = minter.assertion()
    const answers = await Promise.all(Array.from({ length: 50 }, () => minter.exchange(assertion)))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.equal(refused.length, 49)
    for (const answer of refused) {
      expectOAuthError(answer, 400, 'invalid_client', 'JWT has already been used (jti)')
    }
  },
  'GQ1 M api: mutations that exchanged tokens may not run are refused before any field runs':
    async (target) => {
      const minter = await register(target, 'row-gq1')
      const { json } = await minter.exchange(minter.assertion(), { scope: 'graphql' })
      for (const name of ['emailCreate', 'totpDelete', 'somethingNew']) {
        const query = `mutation { ...All } fragment All on Mutation { alias: ${name} @skip(if: true) }`
        const answer = await ask(target, '/graphql', {
          method: 'POST',
          as: json.access_token,
          json: { query },
        })
        expectStatus(answer, 200)
        assert.deepEqual(answer.json, {
          errors: [
            {
              message: `The ${name} mutation is not permitted for token exchange tokens`,
              extensions: { code: 'FORBIDDEN' },
            },
          ],
        })
      }
    },
})
