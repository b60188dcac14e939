import { strict as assert } from 'node:assert'
import {
  ask,
  type ConformanceRow,
  expectHeaders,
  expectRefusal,
  expectStatus,
  NotApplicable,
  rowsOf,
} from '../target.js'

const exactTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const groundRows: readonly ConformanceRow[] = [
  ...rowsOf('seed', {
    'GR1 D wire/ground: responses have request id, date, nosniff, scopes and cache headers': async (
      target,
    ) => {
      const answer = await ask(target, '/v2/builds', { as: 'reader' })
      expectStatus(answer, 200)
      assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
      expectHeaders(answer, {
        date: 'Mon, 02 Mar 2026 09:00:00 GMT',
        'x-content-type-options': 'nosniff',
      })
      expectHeaders(answer, {
        'x-oauth-scopes': 'read_builds',
        'x-accepted-oauth-scopes': 'read_builds',
      })
      assert.equal(answer.headers.get('cache-control'), 'max-age=0, private, must-revalidate')
      expectHeaders(answer, { 'content-type': 'application/json; charset=utf-8', etag: null })
    },
    'GR1b D wire/ground: refusals have them too, also for an unknown path or method': async (
      target,
    ) => {
      for (const [path, method, status] of [
        ['/v2/nothing', 'GET', 404],
        ['/v2/builds', 'DELETE', 405],
        ['/v2/%zz', 'GET', 400],
        ['/v2/builds?page=x', 'GET', 400],
      ] as const) {
        const answer = await ask(target, path, { method })
        expectStatus(answer, status)
        assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
        assert.equal(answer.headers.get('cache-control'), 'max-age=0, private, must-revalidate')
      }
    },
  }),
  ...rowsOf([], {
    'GR2 M wire/ground: lists are bare arrays, and their times are ISO 8601': async (target) => {
      const answer = await ask(target, `/v2/organizations/${target.org}/builds`)
      expectStatus(answer, 200)
      assert.ok(Array.isArray(answer.json))
      if (answer.json.length === 0) throw new NotApplicable('the organization shows no build')
      for (const build of answer.json) assert.ok(!Number.isNaN(Date.parse(build.created_at)))
    },
  }),
  ...rowsOf('seed', {
    'GR3 D wire/ground: times have three decimals and Z; only the token has the plain form': async (
      target,
    ) => {
      const { json } = await ask(target, '/v2/organizations/acme/pipelines/web/builds/1')
      for (const key of ['created_at', 'scheduled_at', 'started_at', 'finished_at'])
        assert.match(json[key], exactTime)
      const token = await ask(target, '/v2/access-token')
      assert.match(token.json.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    },
    'GR4 S wire/leniency: double slashes, upper-case UUIDs and encoded letters are the same path':
      async (target) => {
        for (const path of [
          '//v2//organizations/acme/',
          '/v2/organizations/acme',
          '/v2/organizations/%61cme',
        ]) {
          expectStatus(await ask(target, `${target.baseUrl}${path}`), 200)
        }
        const { json } = await ask(target, '/v2/analytics/organizations/acme/suites/web-unit/tests')
        const id = String(json[0].id).toUpperCase()
        expectStatus(
          await ask(target, `/v2/analytics/organizations/acme/suites/web-unit/tests/${id}`),
          200,
        )
      },
    'GR5 D wire/ground: slugs are compared exactly, and an encoded slash stays inside its segment':
      async (target) => {
        expectRefusal(await ask(target, '/v2/organizations/ACME'), 404, 'No organization found')
        expectRefusal(
          await ask(target, '/v2/organizations/acme%2Fpipelines'),
          404,
          'No organization found',
        )
        expectRefusal(
          await ask(target, '/v2/organizations/__proto__'),
          404,
          'No organization found',
        )
      },
  }),
  ...rowsOf([], {
    'GR6 D wire/refusals: an undecodable path is 400 before any other check': async (target) => {
      for (const path of [
        '/v2/organizations/%zz',
        '/v2/organizations/%ff',
        '/v2/organizations/a%00b',
      ]) {
        expectRefusal(await ask(target, path, { as: null }), 400, 'Bad request')
      }
    },
  }),
  ...rowsOf('accessToken', {
    'GR7 D wire/refusals: unknown route: 404 names the path; wrong method: 405 with Allow': async (
      target,
    ) => {
      expectRefusal(
        await ask(target, '/v2/nothing/here?x=1', { as: null }),
        404,
        'No route matches v2/nothing/here',
      )
      const wrong = await ask(target, '/v2/builds', { method: 'DELETE', as: null })
      expectRefusal(wrong, 405, 'Method not allowed')
      assert.equal(wrong.headers.get('allow'), 'GET, HEAD')
      const token = await ask(target, '/v2/access-token', { method: 'PATCH', as: null, body: 'x' })
      assert.equal(token.headers.get('allow'), 'GET, HEAD, DELETE')
    },
  }),
  ...rowsOf([], {
    'GR8 S wire/leniency: HEAD answers like GET, with the length and without the body': async (
      target,
    ) => {
      const path = `/v2/organizations/${target.org}/builds?per_page=1`
      const get = await ask(target, path)
      const head = await ask(target, path, { method: 'HEAD' })
      expectStatus(head, 200)
      assert.equal(head.text, '')
      assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(get.text))
    },
    'GR9 D wire/leniency: every status has CORS headers; a preflight needs no token': async (
      target,
    ) => {
      for (const [path, as] of [
        ['/v2/builds', 'admin'],
        ['/v2/builds', null],
        ['/v2/nothing', null],
        ['/openapi.json', null],
      ] as const) {
        const answer = await ask(target, path, { as })
        assert.equal(answer.headers.get('access-control-allow-origin'), '*', path)
        assert.match(
          answer.headers.get('access-control-expose-headers') ?? '',
          /Link, Location, Content-Range, Date/,
        )
        assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      }
      const preflight = await ask(target, '/v2/builds', {
        method: 'OPTIONS',
        as: null,
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization, x-custom',
        },
      })
      expectStatus(preflight, 204)
      assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization, x-custom')
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PATCH/)
      assert.equal(preflight.headers.get('access-control-max-age'), '600')
    },
  }),
  ...rowsOf('seed', {
    'GR10 D server/limits: a target above 8 KiB is 414, more than 1 000 query pairs are 400':
      async (target) => {
        expectStatus(await ask(target, `/v2/builds?x=${'y'.repeat(9_000)}`), 414)
        expectRefusal(
          await ask(target, `/v2/builds?${'a&'.repeat(1_001)}`),
          400,
          'Too many query parameters',
        )
      },
  }),
]
