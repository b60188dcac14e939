import { strict as assert } from 'node:assert'
import {
  ask,
  type ConformanceRow,
  expectEach,
  expectRefusal,
  expectStatus,
  rowsOf,
} from '../target.js'

const unauthorized = (webUrl: string) =>
  `Authentication required. Please supply a valid API Access Token: ${webUrl}/docs/authentication`

export const bearerRows: readonly ConformanceRow[] = [
  ...rowsOf('seed', {
    'BE1 M wire/refusals: without credentials: 401 with a challenge that has no error': async (
      target,
    ) => {
      for (const headers of [
        {},
        { authorization: 'Basic Zm9vOmJhcg==' },
        { authorization: 'Token abc' },
      ]) {
        const answer = await ask(target, '/v2/user', { as: null, headers })
        expectRefusal(answer, 401, unauthorized(target.webUrl))
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="buildwire"')
      }
    },
  }),
  ...rowsOf([], {
    'BE2 D wire/refusals: unusable credentials: 401, never 500': async (target) => {
      const unusable = [
        'Bearer',
        'Bearer a b',
        'Bearer a,b',
        'Bearer =',
        'Bearer a=b',
        'Bearer "a"',
        'Bearer\ta',
        'bearer {}',
      ]
      for (const authorization of [...unusable, 'Bearer not-a-token-of-this-server']) {
        const answer = await ask(target, '/v2/builds', { as: null, headers: { authorization } })
        expectStatus(answer, 401)
        assert.match(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
      }
    },
    'BE3 M wire/refusals: the scheme is read in any case': async (target) => {
      for (const scheme of ['bearer', 'BEARER']) {
        const authorization = `${scheme} ${target.tokens['admin']}`
        const answer = await ask(target, '/v2/builds', { as: null, headers: { authorization } })
        expectStatus(answer, 200)
        assert.ok(Array.isArray(answer.json))
      }
    },
  }),
  ...rowsOf('seed', {
    'BE4 M oauth/bearer: unknown and expired tokens get the same response; a token expires on time':
      async (target) => {
        const unknown = await ask(target, '/v2/builds', { as: 'unknown-token-value' })
        const expired = await ask(target, '/v2/builds', { as: 'expiring' })
        expectStatus(expired, 401)
        assert.equal(expired.text, unknown.text)
        assert.equal(
          expired.headers.get('www-authenticate'),
          unknown.headers.get('www-authenticate'),
        )
      },
    'BE5 M wire/refusals: a missing scope is 403 and named in text and challenge': async (
      target,
    ) => {
      const answer = await ask(target, '/v2/builds', { as: 'bare' })
      expectRefusal(answer, 403, "Your access token doesn't have the read_builds scope")
      const challenge = 'Bearer realm="buildwire", error="insufficient_scope", scope="read_builds"'
      assert.equal(answer.headers.get('www-authenticate'), challenge)
    },
    'BE6 D wire/ground: order: token and scope before organization, that before query': async (
      target,
    ) => {
      expectStatus(await ask(target, '/v2/organizations/nobody/builds', { as: null }), 401)
      expectStatus(await ask(target, '/v2/organizations/orbit/builds', { as: 'bare' }), 403)
      expectRefusal(
        await ask(target, '/v2/organizations/orbit/builds?state=x'),
        404,
        'No organization found',
      )
      expectStatus(await ask(target, '/v2/organizations/acme/builds?state=x'), 400)
    },
    'BE7 D wire/refusals: a token in the query does not count, and is refused beside a header':
      async (target) => {
        const token = target.tokens['admin'] ?? ''
        expectStatus(await ask(target, `/v2/user?access_token=${token}`, { as: null }), 401)
        const two = await ask(target, `/v2/user?access_token=${token}`)
        expectRefusal(two, 400, 'Only one access token may be sent')
        assert.equal(
          two.headers.get('www-authenticate'),
          'Bearer realm="buildwire", error="invalid_request"',
        )
      },
    'BE8 M wire/scopes: webhook_url is shown only with write_pipelines and the right to edit':
      async (target) => {
        const path = '/v2/organizations/acme/pipelines/web'
        assert.match((await ask(target, path)).json.provider.webhook_url, /^http/)
        assert.equal((await ask(target, path, { as: 'sam' })).json.provider.webhook_url, '')
        const build = await ask(target, `${path}/builds/1`, { as: 'reader' })
        assert.equal(build.json.pipeline.provider.webhook_url, '')
      },
    'BE9 D wire/scopes: without rights no pipeline is found; with read rights writes are refused':
      async (target) => {
        const pipelines = '/v2/organizations/acme/pipelines'
        expectRefusal(
          await ask(target, `${pipelines}/secret`, { as: 'sam' }),
          404,
          'No pipeline found',
        )
        const write = await ask(target, `${pipelines}/web/builds/4/cancel`, {
          as: 'sam',
          method: 'PUT',
        })
        expectRefusal(write, 403, 'Forbidden')
        expectEach((await ask(target, pipelines, { as: 'sam' })).json, 'slug', ['api', 'web'])
        const builds = await ask(target, '/v2/builds?per_page=100', { as: 'sam' })
        assert.ok(
          builds.json.every(
            (build: { pipeline: { slug: string } }) => build.pipeline.slug !== 'secret',
          ),
        )
        expectRefusal(
          await ask(target, '/v2/organizations/acme', { as: 'foreign' }),
          404,
          'No organization found',
        )
      },
  }),
]
