import { strict as assert } from 'node:assert'
import {
  type ApiResponse,
  ask,
  type ConformanceRow,
  expectHeaders,
  expectParts,
  expectStatus,
  post,
  rowsOf,
  type Target,
} from '../target.js'
import { tokenUrl } from './minter.js'

const client_id = 'conformance-device'
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const deviceUrl = (target: Target): string => `${target.authUrl}/oauth/device_authorization`

/** A client that fails without an Authorization header. RFC 6749 §5.2 says 400 and allows 401. */
export function expectClientRefused(answer: ApiResponse, error_description: string): void {
  expectOAuthError(answer, answer.status === 401 ? 401 : 400, 'invalid_client', error_description)
}

/** Checks a refusal by RFC 6749 §5.2: status, code, exact text, and headers that forbid caching. */
export function expectOAuthError(
  answer: ApiResponse,
  status: number,
  error: string,
  error_description: string,
): void {
  expectStatus(answer, status)
  assert.deepEqual(answer.json, { error, error_description })
  expectHeaders(answer, { 'cache-control': 'no-store', pragma: 'no-cache' })
}

export const oauthRows: readonly ConformanceRow[] = [
  ...rowsOf('seed', {
    'OA1 M RFC 8628: a device login from code to token; the code works once': async (target) => {
      const started = await post(target, deviceUrl(target), { client_id, scope: 'read_builds' })
      expectStatus(started, 200)
      assert.equal(started.headers.get('cache-control'), 'no-store')
      const { device_code, user_code, interval } = started.json
      const poll = () =>
        post(target, tokenUrl(target), { grant_type: deviceGrant, client_id, device_code })
      assert.equal((await poll()).json.error, 'authorization_pending')
      assert.equal((await poll()).json.error, 'slow_down')
      await target.control?.deviceAuthorizations.approve({
        user_code,
        user: 'robin@acme.example',
        org_slug: 'acme',
      })
      const token = await poll()
      expectStatus(token, 200)
      expectParts(token.json, { token_type: 'Bearer', scope: 'read_builds' })
      assert.equal(interval, 5)
      expectStatus(await ask(target, '/v2/builds', { as: token.json.access_token }), 200)
      assert.equal((await poll()).json.error, 'invalid_grant')
    },
  }),
  ...rowsOf([], {
    'OA2 M wire/oauth: OAuth refuses with its own errors, never cached; GET is 405': async (
      target,
    ) => {
      const url = tokenUrl(target)
      const answer = await post(target, url, { grant_type: 'nope' })
      expectStatus(answer, 400)
      assert.equal(answer.json.error, 'unsupported_grant_type')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const get = await ask(target, url, { as: null })
      expectStatus(get, 405)
      assert.equal(get.headers.get('allow'), 'POST')
    },
  }),
  ...rowsOf('seed', {
    'OA3 D wire/graphql: GraphQL returns the user of the token; an array body is refused': async (
      target,
    ) => {
      const query = { query: '{ viewer { user { email } } }' }
      const answer = await ask(target, '/graphql', { method: 'POST', json: query })
      expectStatus(answer, 200)
      const batch = await ask(target, '/graphql', { method: 'POST', json: [query] })
      expectStatus(batch, 400)
      assert.equal(batch.json.errors[0].message, 'Batches are not supported')
      expectStatus(await ask(target, '/graphql', { method: 'POST', json: query, as: 'bare' }), 403)
      const get = await ask(target, '/graphql?query=%7B__typename%7D')
      assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST'])
    },
    'FO1 M RFC 6749 §3.2: a form with its media type in any case; unknown parameters are ignored':
      async (target) => {
        const headers = { 'content-type': 'APPLICATION/x-www-form-urlencoded; charset="UTF-8"' }
        const body = `client_id=${client_id}&scope=read_builds&foo=1&foo=2`
        expectStatus(await post(target, deviceUrl(target), undefined, { headers, body }), 200)
      },
  }),
  ...rowsOf([], {
    'FO2 D RFC 6749 §3.2: JSON and a form without its media type are not OAuth requests': async (
      target,
    ) => {
      const form = 'application/x-www-form-urlencoded'
      for (const type of [
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
        `${form}; charset=latin1`,
        `${form}2`,
      ]) {
        const body = 'grant_type=refresh_token'
        const headers = { 'content-type': type }
        const answer = await post(target, tokenUrl(target), undefined, { headers, body })
        expectOAuthError(answer, 400, 'invalid_request', 'The request must be a form POST')
      }
    },
    'FO4 M RFC 6749 §3.2: a repeated known parameter is refused, also if one is empty': async (
      target,
    ) => {
      for (const name of ['client_id', 'scope', 'grant_type', 'audience']) {
        const body = `client_id=${client_id}&${name}=a&${name}=`
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const answer = await post(target, tokenUrl(target), undefined, { headers, body })
        expectOAuthError(answer, 400, 'invalid_request', `Repeated parameter: ${name}`)
      }
    },
    'FO5 D oauth/requests: a body over 64 KiB and an encoded body are refused': async (target) => {
      const large = await post(target, tokenUrl(target), { x: 'y'.repeat(70_000) })
      expectOAuthError(large, 413, 'invalid_request', 'The request body could not be read')
      const headers = {
        'content-encoding': 'gzip',
        'content-type': 'application/x-www-form-urlencoded',
      }
      const encoded = await post(target, tokenUrl(target), undefined, { headers, body: 'x' })
      expectOAuthError(encoded, 415, 'invalid_request', 'The request body could not be read')
    },
    'CA2 M RFC 6749 §5.2: an unknown client is invalid_client: 400, or 401 with a challenge':
      async (target) => {
        const form = { client_id: 'nobody-knows-me', scope: 'read_builds' }
        const plain = await post(target, deviceUrl(target), form)
        expectOAuthError(plain, 400, 'invalid_client', 'Client authentication failed')
        assert.equal(plain.headers.get('www-authenticate'), null)
        const headers = { authorization: `Basic ${btoa('nobody-knows-me:a-secret')}` }
        const answer = await post(target, deviceUrl(target), form, { headers })
        expectOAuthError(answer, 401, 'invalid_client', 'Client authentication failed')
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm="/)
      },
  }),
  ...rowsOf('seed', {
    'DA1 M RFC 8628 §3.2: a device authorization has exactly its six members': async (target) => {
      const form = { client_id, scope: 'read_builds' }
      const { json } = await post(target, deviceUrl(target), form)
      assert.match(json.device_code, /^[A-Za-z0-9]{43}$/)
      assert.match(json.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
      const verification_uri = `${target.webUrl}/oauth/device`
      const { device_code: _, user_code, ...rest } = json
      assert.deepEqual(rest, {
        verification_uri,
        verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
        expires_in: 600,
        interval: 5,
      })
    },
    'DA5 M api: no scope, an unknown one and one that is not grantable are invalid_scope': async (
      target,
    ) => {
      const texts = {
        '': 'At least one valid scope is required',
        ' ': 'At least one valid scope is required',
      }
      const bad = { 'read_builds nope': 'Invalid scope', 'read_builds graphql': 'Invalid scope' }
      for (const [scope, text] of Object.entries({ ...texts, ...bad })) {
        const form = { client_id, scope }
        const answer = await post(target, deviceUrl(target), form)
        expectOAuthError(answer, 400, 'invalid_scope', text)
      }
    },
    'PO4 M api: an unknown device code is invalid_grant': async (target) => {
      const form = { grant_type: deviceGrant, client_id, device_code: 'unknown' }
      const answer = await post(target, tokenUrl(target), form)
      const text = 'The device code is invalid or has already been used'
      expectOAuthError(answer, 400, 'invalid_grant', text)
    },
    'PO10 M api: a denied code is access_denied': async (target) => {
      const started = await post(target, deviceUrl(target), { client_id, scope: 'read_builds' })
      const { device_code, user_code } = started.json
      await target.control?.deviceAuthorizations.deny({ user_code, user: 'robin@acme.example' })
      const form = { grant_type: deviceGrant, client_id, device_code }
      const answer = await post(target, tokenUrl(target), form)
      expectOAuthError(answer, 400, 'access_denied', 'The user denied the authorization request')
    },
  }),
]
