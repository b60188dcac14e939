import { strict as assert } from 'node:assert'
import {
  type ApiResponse,
  ask,
  type ConformanceRow,
  expectParts,
  expectStatus,
  NotApplicable,
  post,
  rowsOf,
  type Target,
} from '../target.js'
import { tokenUrl } from './minter.js'
import { deviceGrant, deviceUrl, expectClientRefused, expectOAuthError } from './oauth.js'

type Form = Readonly<Record<string, string>>

function device(target: Target, kind: 'device' | 'confidential' = 'device') {
  const application = target.applications[kind]
  if (application === undefined) throw new NotApplicable('no such application')
  return application
}

async function started(target: Target) {
  const { client_id, scope } = device(target)
  const answer = await post(target, deviceUrl(target), { client_id, scope })
  expectStatus(answer, 200)
  return answer
}

const poll = (target: Target, device_code: string, more: Form = {}): Promise<ApiResponse> =>
  post(target, tokenUrl(target), {
    grant_type: deviceGrant,
    client_id: device(target).client_id,
    device_code,
    ...more,
  })

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
})

const deviceRows: readonly ConformanceRow[] = [
  ...rowsOf('deviceApplication', {
    'AO-device M RFC 8628 §3.2: a device authorization has its six members and is not cached':
      async (target) => {
        const { json, headers } = await started(target)
        for (const key of ['device_code', 'user_code', 'verification_uri'])
          assert.equal(typeof json[key], 'string', key)
        assert.match(json.user_code, /^[^-]{4}-[^-]{4}$/)
        expectParts(json, { expires_in: 600, interval: 5 })
        const complete = new URL(json.verification_uri_complete)
        assert.ok(complete.href.includes(json.user_code))
        assert.ok(complete.href.startsWith(json.verification_uri))
        assert.ok(!complete.href.includes(json.device_code))
        assert.match(headers.get('content-type') ?? '', /^application\/json/)
        assert.equal(headers.get('cache-control'), 'no-store')
      },
    'AO-device-codes M oauth/device: codes are new each time, and neither code contains the other':
      async (target) => {
        const answers = [await started(target), await started(target), await started(target)]
        for (const key of ['device_code', 'user_code']) {
          assert.equal(new Set(answers.map(({ json }) => json[key])).size, 3, key)
        }
        for (const { json } of answers)
          assert.ok(!json.device_code.includes(json.user_code.replace('-', '')))
      },
    'AO-pending M RFC 8628 §3.5: the first poll is authorization_pending, the next slow_down':
      async (target) => {
        const { device_code } = (await started(target)).json
        const first = await poll(target, device_code)
        expectOAuthError(first, 400, 'authorization_pending', 'Device authorization is pending')
        const second = await poll(target, device_code)
        expectOAuthError(second, 400, 'slow_down', 'Polling too quickly')
      },
    'AO-poll-bad M oauth/polling: a poll needs client_id and device_code; a user code is not accepted':
      async (target) => {
        const { device_code, user_code } = (await started(target)).json
        const { client_id } = device(target)
        const noCode = await post(target, tokenUrl(target), { grant_type: deviceGrant, client_id })
        expectOAuthError(noCode, 400, 'invalid_request', 'Missing parameter: device_code')
        const nobody = await post(target, tokenUrl(target), {
          grant_type: deviceGrant,
          device_code,
        })
        expectOAuthError(nobody, 400, 'invalid_request', 'Missing parameter: client_id')
        const text = 'The device code is invalid or has already been used'
        for (const code of [user_code, `${device_code}x`, device_code.slice(1), 'x']) {
          expectOAuthError(await poll(target, code), 400, 'invalid_grant', text)
        }
        assert.equal((await poll(target, device_code)).json.error, 'authorization_pending')
      },
    'AO-scope M api: no scope, an empty one and one with an unknown word are invalid_scope': async (
      target,
    ) => {
      const { client_id, scope } = device(target)
      const none = await post(target, deviceUrl(target), { client_id })
      expectOAuthError(none, 400, 'invalid_scope', 'At least one valid scope is required')
      const empty = await post(target, deviceUrl(target), { client_id, scope: '  ' })
      expectOAuthError(empty, 400, 'invalid_scope', 'At least one valid scope is required')
      for (const bad of [`${scope} fly`, scope.toUpperCase(), `${scope},${scope}`]) {
        const answer = await post(target, deviceUrl(target), { client_id, scope: bad })
        expectOAuthError(answer, 400, 'invalid_scope', 'Invalid scope')
      }
    },
    'AO-no-client D oauth/requests: a missing client is invalid_request; a public one with a secret is refused':
      async (target) => {
        const { client_id, scope } = device(target)
        const none = await post(target, deviceUrl(target), { scope })
        expectOAuthError(none, 400, 'invalid_request', 'Missing parameter: client_id')
        const secret = await post(target, deviceUrl(target), {
          client_id,
          scope,
          client_secret: 'a secret it has not',
        })
        expectClientRefused(secret, 'Client authentication failed')
      },
  }),
  ...rowsOf('confidentialApplication', {
    'AO-confidential M api: a confidential client needs its secret, in body or Basic, not both':
      async (target) => {
        const { client_id, client_secret = '', scope } = device(target, 'confidential')
        const send = (form: Form, headers: Form = {}) =>
          post(target, deviceUrl(target), { scope, ...form }, { headers })
        expectStatus(await send({ client_id, client_secret }), 200)
        expectStatus(await send({}, basic(client_id, client_secret)), 200)
        for (const answer of [
          await send({ client_id }),
          await send({ client_id, client_secret: `${client_secret}x` }),
        ]) {
          expectClientRefused(answer, 'Client authentication failed')
        }
        const wrong = await send({}, basic(client_id, 'wrong'))
        expectOAuthError(wrong, 401, 'invalid_client', 'Client authentication failed')
        assert.match(wrong.headers.get('www-authenticate') ?? '', /^Basic realm="/)
        const both = await send({ client_id, client_secret }, basic(client_id, client_secret))
        expectOAuthError(both, 400, 'invalid_request', 'Use one client authentication method')
      },
  }),
]

const formRows: readonly ConformanceRow[] = [
  ...rowsOf([], {
    'AO-method M RFC 6749 §3.2: both endpoints accept POST only, and parameters in the body only':
      async (target) => {
        for (const url of [tokenUrl(target), deviceUrl(target)]) {
          for (const method of ['GET', 'PUT', 'DELETE']) {
            const answer = await ask(target, url, { method, as: null })
            expectStatus(answer, 405)
            assert.equal(answer.headers.get('allow'), 'POST')
          }
        }
        const query = await post(target, `${tokenUrl(target)}?grant_type=refresh_token`, {})
        expectOAuthError(query, 400, 'invalid_request', 'Missing parameter: grant_type')
      },
    'AO-grant M RFC 6749 §5.2: a missing grant type is invalid_request, an unknown one is unsupported':
      async (target) => {
        const none = await post(target, tokenUrl(target), { grant_type: '' })
        expectOAuthError(none, 400, 'invalid_request', 'Missing parameter: grant_type')
        for (const grant_type of [
          'password',
          'client_credentials',
          'Refresh_Token',
          `${deviceGrant} `,
        ]) {
          const answer = await post(target, tokenUrl(target), { grant_type })
          expectOAuthError(answer, 400, 'unsupported_grant_type', 'Unsupported grant type')
        }
      },
    'AO-form M oauth/requests: a form that cannot be decoded is refused as a whole': async (
      target,
    ) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const body of 'grant_type=%zz x=%a grant_type=%ff a=%00&grant_type=x x=%c0%80 %ed%a0%80=x'.split(
        ' ',
      )) {
        const answer = await post(target, tokenUrl(target), undefined, { headers, body })
        expectStatus(answer, 400)
        assert.equal(answer.json?.error, 'invalid_request')
      }
    },
    'AO-cors D wire/leniency: a web page may use both endpoints': async (target) => {
      for (const url of [tokenUrl(target), deviceUrl(target)]) {
        const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
        expectStatus(await ask(target, url, { method: 'OPTIONS', as: null, headers }), 204)
        const answer = await post(target, url, {})
        assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      }
    },
  }),
  ...rowsOf('deviceApplication', {
    'AO-refresh-unknown M wire/refresh: an unknown refresh token gives no token': async (
      target,
    ) => {
      const { client_id } = device(target)
      const answer = await post(target, tokenUrl(target), {
        grant_type: 'refresh_token',
        client_id,
        refresh_token: 'not-a-refresh-token',
      })
      expectStatus(answer, 400)
      assert.ok(['invalid_grant', 'unauthorized_client'].includes(answer.json?.error), answer.text)
      assert.ok(!answer.text.includes('not-a-refresh-token'))
    },
  }),
]

/** Tokens of any server by the device grant. */
export const anyOAuthRows: readonly ConformanceRow[] = [...formRows, ...deviceRows]
