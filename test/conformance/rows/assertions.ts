import { strict as assert } from 'node:assert'
import { createHmac } from 'node:crypto'
import type { Control } from '@buildwire/mock-server'
import { ask, expectStatus, rowsOf } from '../target.js'
import { type ClaimChanges, encode, newKeys, register, signed, steered } from './minter.js'
import { expectOAuthError } from './oauth.js'

const badSignature = 'Invalid client assertion signature'
const algorithms =
  'none None nOnE HS256 HS384 HS512 RS384 RS512 PS256 ES384 ES512 ES256K EdDSA es256'

export const assertionRows = rowsOf('seed', {
  'JO1 M oauth/assertions: every algorithm except RS256 and ES256 is refused, whatever the signature':
    async (target) => {
      const minter = await register(target, 'row-jo1')
      for (const alg of [...algorithms.split(' '), '', ['ES256'], null, 7]) {
        const answer = await minter.exchange(minter.assertion({}, { alg }))
        expectOAuthError(answer, 400, 'invalid_client', badSignature)
      }
    },
  'JO3 M RFC 8725 §3.1: HS256 keyed with the public key is refused in each of its forms': async (
    target,
  ) => {
    const { publicKey, privateKey: _ } = newKeys('RS256')
    const jwk = publicKey.export({ format: 'jwk' })
    const minter = await register(target, 'row-jo3', 'RS256', {
      jwks: { keys: [{ ...jwk, kid: 'row' }] },
    })
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
      String(jwk.n),
    ]
    const [, claims] = minter.assertion().split('.')
    for (const secret of secrets) {
      const input = `${encode({ alg: 'HS256', typ: 'JWT', kid: 'row' })}.${claims}`
      const mac = createHmac('sha256', secret).update(input).digest('base64url')
      expectOAuthError(
        await minter.exchange(`${input}.${mac}`),
        400,
        'invalid_client',
        badSignature,
      )
    }
  },
  'JO5 M oauth/assertions: ES256 signatures of zeros, of the order, in DER or too short are refused':
    async (target) => {
      const minter = await register(target, 'row-jo5')
      const [header, claims] = minter.assertion().split('.')
      const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'
      const one = `${'00'.repeat(31)}01`
      const zero = '00'.repeat(32)
      for (const hex of [
        zero + zero,
        zero + one,
        one + zero,
        order + one,
        one + order,
        one,
        `${one}${one}00`,
      ]) {
        const assertion = `${header}.${claims}.${Buffer.from(hex, 'hex').toString('base64url')}`
        expectOAuthError(await minter.exchange(assertion), 400, 'invalid_client', badSignature)
      }
    },
  'JO7 M oauth/assertions: keys inside an assertion are never used': async (target) => {
    const minter = await register(target, 'row-jo7')
    const { privateKey, publicKey } = newKeys('ES256')
    const [, claims = ''] = minter.assertion().split('.')
    const jwk = publicKey.export({ format: 'jwk' })
    for (const brought of [
      { jwk },
      { jku: 'http://127.0.0.1:1/keys' },
      { x5u: 'http://127.0.0.1:1/x' },
    ]) {
      const input = `${encode({ alg: 'ES256', typ: 'JWT', ...brought })}.${claims}`
      const answer = await minter.exchange(`${input}.${signed(input, privateKey)}`)
      expectOAuthError(answer, 400, 'invalid_client', badSignature)
      expectStatus(await minter.exchange(minter.assertion({}, brought)), 200)
    }
  },
  'JO8 D oauth/assertions: typ is JWT in any case, with or without application/, or absent': async (
    target,
  ) => {
    const minter = await register(target, 'row-jo8')
    for (const typ of ['JWT', 'jwt', 'application/jwt', undefined]) {
      expectStatus(await minter.exchange(minter.assertion({}, { typ })), 200)
    }
    for (const typ of ['at+jwt', 'JOSE', '', 7, null]) {
      const answer = await minter.exchange(minter.assertion({}, { typ }))
      expectOAuthError(answer, 400, 'invalid_client', badSignature)
    }
  },
  'JO10 M oauth/assertions: kid selects exactly one key; without kid all keys are tried': async (
    target,
  ) => {
    const others = (['RS256', 'ES256'] as const).map((alg, at) => ({
      ...newKeys(alg).publicKey.export({ format: 'jwk' }),
      kid: `other-${at}`,
      alg,
    }))
    const { privateKey, publicKey } = newKeys('ES256')
    const own = { ...publicKey.export({ format: 'jwk' }), kid: 'own' }
    for (const keys of [
      [own, ...others],
      [...others, own],
    ]) {
      const minter = await register(target, 'row-jo10', 'ES256', { jwks: { keys } })
      const send = (header: ClaimChanges) => {
        const [, claims] = minter.assertion().split('.')
        const input = `${encode({ alg: 'ES256', typ: 'JWT', ...header })}.${claims}`
        return minter.exchange(`${input}.${signed(input, privateKey)}`)
      }
      expectStatus(await send({}), 200)
      expectStatus(await send({ kid: 'own' }), 200)
      for (const kid of ['other-1', 'other-0', 'OWN', '', 7]) {
        expectOAuthError(await send({ kid }), 400, 'invalid_client', badSignature)
      }
    }
  },
  'JO11 M oauth/assertions: a key for another algorithm or another use is not used': async (
    target,
  ) => {
    for (const [at, jwk] of [{ alg: 'RS256' }, { use: 'enc' }, { key_ops: ['sign'] }].entries()) {
      const minter = await register(target, `row-jo11-${at}`, 'ES256', {}, jwk)
      const answer = await minter.exchange(minter.assertion())
      expectOAuthError(answer, 400, 'invalid_client', badSignature)
    }
  },
  'CL7 M oauth/claims: the boundaries of exp, iat and nbf to the second': async (target) => {
    const minter = await register(target, 'row-cl7')
    const { now } = minter
    const good: readonly ClaimChanges[] = [
      { exp: now + 300 },
      { iat: now - 299, exp: now + 0.5 },
      { iat: now + 60, exp: now + 360 },
      { nbf: now },
      { iat: now - 0.5, exp: now + 1 },
    ]
    for (const claims of good) expectStatus(await minter.exchange(minter.assertion(claims)), 200)
    const bad: readonly ClaimChanges[] = [
      { exp: now + 300.5 },
      { iat: now - 299, exp: now },
      { iat: now + 61, exp: now + 361 },
      { nbf: now + 0.5 },
      { nbf: null },
      { nbf: String(now) },
      { exp: null },
      { exp: [now + 10] },
      { iat: true },
    ]
    for (const claims of bad) expectStatus(await minter.exchange(minter.assertion(claims)), 400)
  },
  'CL13 M oauth/claims: two applications may use the same jti; an organization may require a jti':
    async (target) => {
      for (const client_id of ['row-cl13-a', 'row-cl13-b']) {
        const minter = await register(target, client_id)
        expectStatus(await minter.exchange(minter.assertion({ jti: 'shared' })), 200)
      }
      const minter = await register(target, 'row-cl13-c')
      const demand = (jtiRequired: boolean) =>
        steered(target).apply({ organizations: [{ slug: 'acme', jtiRequired }] } as Parameters<
          Control['apply']
        >[0])
      await demand(true)
      try {
        const answer = await minter.exchange(minter.assertion({ jti: undefined }))
        expectOAuthError(answer, 400, 'invalid_client', 'JWT must contain a jti claim')
      } finally {
        await demand(false)
      }
    },
  'TX8 M oauth/exchange: an organization may forbid the exchange; unverified users are unknown':
    async (target) => {
      const minter = await register(target, 'row-tx8')
      const control = steered(target)
      const apply = (document: object) => control.apply(document as Parameters<Control['apply']>[0])
      const text = 'Subject user must be an active member of the organization'
      await apply({ organizations: [{ slug: 'acme', tokenExchangeEnabled: false }] })
      const off = await minter.exchange(minter.assertion())
      await apply({ organizations: [{ slug: 'acme', tokenExchangeEnabled: true }] })
      expectOAuthError(
        off,
        400,
        'unsupported_grant_type',
        'Token exchange is not enabled for this organization',
      )
      for (const change of [{ active: false }, { emailVerified: false }]) {
        await apply({ users: [{ email: 'sam@acme.example', ...change }] })
        const answer = await minter.exchange(minter.assertion(), {
          subject_token: 'sam@acme.example',
        })
        await apply({ users: [{ email: 'sam@acme.example', active: true, emailVerified: true }] })
        expectOAuthError(answer, 400, 'invalid_request', text)
      }
      expectStatus(
        await minter.exchange(minter.assertion(), { subject_token: 'SAM@acme.example' }),
        200,
      )
    },
  'GQ2 M wire/graphql: permitted mutations and queries run; one forbidden mutation stops the whole request':
    async (target) => {
      const grantableScopes = ['read_builds', 'write_builds', 'graphql']
      const minter = await register(target, 'row-gq2', 'ES256', { grantableScopes })
      const as: string = (
        await minter.exchange(minter.assertion(), { scope: 'graphql write_builds read_builds' })
      ).json.access_token
      const run = (query: string, token = as) =>
        ask(target, '/graphql', { method: 'POST', as: token, json: { query } })
      const made = await ask(target, '/v2/organizations/acme/pipelines/api/builds', {
        method: 'POST',
        json: { commit: 'HEAD', branch: 'main' },
      })
      const cancel = `buildCancel(input: { id: "${made.json.graphql_id}" }) { build { state } }`
      const blocked = await run(`mutation { ${cancel} totpDelete }`)
      assert.equal(blocked.json.errors[0].extensions.code, 'FORBIDDEN')
      assert.ok(!('data' in blocked.json))
      assert.equal((await ask(target, made.json.url)).json.state, 'scheduled')
      assert.ok((await run('{ viewer { user { email } } }')).json.data)
      const done = await run(`mutation { ${cancel} }`)
      assert.equal(done.json.errors, undefined, done.text)
      assert.equal((await ask(target, made.json.url)).json.state, 'canceled')
      const ordinary = await run('mutation { emailCreate { x } }', 'admin')
      assert.match(ordinary.json.errors[0].message, /Cannot query field/)
    },
})
