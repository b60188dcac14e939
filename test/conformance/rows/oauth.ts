import { strict as assert } from 'node:assert'
import { ask, expectStatus, type Row } from '../target.js'

const client_id = 'conformance-device'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const oauthRows: readonly Row[] = [
  {
    id: 'OA1',
    section: 'RFC 8628',
    level: 'M',
    title: 'a device login from code to token, and the code works once',
    needs: 'seed',
    async run(target) {
      const started = await ask(target, `${target.authUrl}/oauth/device_authorization`, {
        method: 'POST',
        as: null,
        form: { client_id, scope: 'read_builds' },
      })
      expectStatus(started, 200)
      assert.equal(started.headers.get('cache-control'), 'no-store')
      const { device_code, user_code, interval } = started.json
      const poll = () =>
        ask(target, `${target.authUrl}/oauth/token`, {
          method: 'POST',
          as: null,
          form: { grant_type: deviceGrant, client_id, device_code },
        })
      assert.equal((await poll()).json.error, 'authorization_pending')
      assert.equal((await poll()).json.error, 'slow_down')
      await target.control?.deviceAuthorizations.approve({ user_code, user: 'robin@acme.example', org_slug: 'acme' })
      const token = await poll()
      expectStatus(token, 200)
      assert.equal(token.json.token_type, 'Bearer')
      assert.equal(token.json.scope, 'read_builds')
      assert.equal(interval, 5)
      expectStatus(await ask(target, '/v2/builds', { as: token.json.access_token }), 200)
      assert.equal((await poll()).json.error, 'invalid_grant')
    },
  },
  {
    id: 'OA2',
    section: 'wire.md §10',
    level: 'M',
    title: 'OAuth refuses in its own words, never cached; GET is 405',
    async run(target) {
      const url = `${target.authUrl}/oauth/token`
      const answer = await ask(target, url, { method: 'POST', as: null, form: { grant_type: 'nope' } })
      expectStatus(answer, 400)
      assert.equal(answer.json.error, 'unsupported_grant_type')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const get = await ask(target, url, { as: null })
      expectStatus(get, 405)
      assert.equal(get.headers.get('allow'), 'POST')
    },
  },
  {
    id: 'OA3',
    section: 'wire.md §17',
    level: 'D',
    title: 'GraphQL answers who the caller is; an array body is refused',
    needs: 'seed',
    async run(target) {
      const query = { query: '{ viewer { user { email } } }' }
      const answer = await ask(target, '/graphql', { method: 'POST', json: query })
      expectStatus(answer, 200)
      const batch = await ask(target, '/graphql', { method: 'POST', json: [query] })
      expectStatus(batch, 400)
      assert.equal(batch.json.errors[0].message, 'Batches are not supported')
      expectStatus(await ask(target, '/graphql', { method: 'POST', json: query, as: 'bare' }), 403)
    },
  },
]
