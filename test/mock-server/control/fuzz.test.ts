import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { controlRoutes } from '../../../mock-server/src/control/control-routes.js'
import { seedSchema } from '../../../mock-server/src/seed/tables.js'
import { it } from '../../support/acme-test.js'

/** Words that documents are made of, so that the fuzz gets past the first check. */
const words = [...new Set(JSON.stringify(seedSchema()).match(/"[A-Za-z_]{2,40}"(?=:)/g) ?? [])].map(
  (word) => word.slice(1, -1),
)
const keys = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...words,
      'match',
      'actions',
      'document',
      'id',
      'state',
      '__proto__',
      'constructor',
    ),
  },
  { weight: 1, arbitrary: fc.string() },
)
const leaf = fc.oneof(
  fc.constantFrom(
    ...'acme web robin@acme.example -2h 2026-03-01 passed running manual frozen demo'.split(' '),
  ),
  fc.constantFrom(null, true, 0, 1, -1, 1e308, ''),
  fc.string({ unit: 'binary' }),
  fc.double(),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
  ),
}))
const segment = fc.oneof(
  fc.constantFrom(
    'users',
    'builds',
    'acme',
    'acme:web',
    'main',
    '00000000-0000-4000-8000-000000000000',
  ),
  fc.string({ minLength: 1 }),
)

describe('no input to the control API gives a 5xx', { timeout: 120_000 }, () => {
  it('for any route, path and body', async ({ server, call }) => {
    const routes = controlRoutes.filter(({ path }) => path !== '/requests/wait')
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.array(segment, { minLength: 2, maxLength: 2 }),
        value,
        async ({ method, path }, segments, body) => {
          const filled = [...path.matchAll(/\{\w+\}/g)].reduce(
            (text, [name], n) =>
              text.replace(
                name,
                encodeURIComponent((segments[n] ?? '').replaceAll(/\p{Surrogate}/gu, '?')),
              ),
            path,
          )
          const answer = await call(
            method,
            filled,
            method === 'GET' ? undefined : JSON.stringify(body),
          )
          expect(answer.status, `${method} ${filled} ${JSON.stringify(body)}`).toBeLessThan(500)
          if (answer.status >= 400) expect(answer.body.message).toEqual(expect.any(String))
        },
      ),
      { numRuns: 1000 },
    )
    expect(await server.control.info.get()).toMatchObject({ internalErrors: 0 })
  })

  it('for any time of the clock', async ({ call }) => {
    const time = fc.oneof(
      fc.constantFrom('0000-01-01', '9999-12-31T23:59:59Z', '2026-02-30', 'now'),
      fc.string(),
    )
    const ms = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.constantFrom(Number.MAX_SAFE_INTEGER, 3_153_600_000_000, -1),
    )
    const body = fc.oneof(
      fc.record({ ms }),
      fc.record({ to: time }),
      fc.record(
        { mode: fc.constantFrom('real', 'offset', 'frozen'), now: time },
        { requiredKeys: ['mode'] },
      ),
      fc.record({ mode: fc.constantFrom('offset'), offsetMs: ms }),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/clock', '/clock/advance'), body, async (path, asked) => {
        const answer = await call(path === '/clock' ? 'PUT' : 'POST', path, asked)
        expect(answer.status, `${path} ${JSON.stringify(asked)}`).toBeLessThan(500)
        expect((await call('GET', '/clock')).body.now).toMatch(/^\d{4}-/)
      }),
      { numRuns: 400 },
    )
  })

  it('for any rule: it is refused, or the server still answers', async ({
    server,
    token,
    call,
  }) => {
    const name = fc.constantFrom(
      'X-A',
      'Content-Type',
      'content-length',
      'Set-Cookie',
      'bad name',
      '__proto__',
    )
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
    const headers = fc.dictionary(name, fc.option(text), { maxKeys: 3 })
    const status = fc.constantFrom(100, 199, 200, 204, 205, 304, 404, 429, 500, 599, 600)
    const action = fc.oneof(
      fc.record({
        respond: fc.record(
          { status, headers, json: value, text, base64: text },
          { requiredKeys: ['status'] },
        ),
      }),
      fc.record({
        patchResponse: fc.record(
          { status, headers, json: fc.dictionary(keys, value, { maxKeys: 3 }) },
          { requiredKeys: [] },
        ),
      }),
      fc.record({
        preset: fc.constantFrom(
          'rateLimited',
          'truncatedJson',
          'emptyBody',
          'wrongContentType',
          'none',
        ),
      }),
      fc.record({ advanceClockMs: fc.constantFrom(0, 1, 3_153_600_000_000) }),
    )
    const paths = ['/v2/builds', '/v2/user', '/oauth/token', '/', '/openapi.json']
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...paths),
        async (actions, path) => {
          await call('DELETE', '/rules')
          const made = await call('POST', '/rules', { actions })
          expect([201, 422]).toContain(made.status)
          const response = await server.fetch(
            new Request(`${server.baseUrl}${path}`, {
              headers: { authorization: `Bearer ${token}` },
            }),
          )
          await response.text()
        },
      ),
      { numRuns: 500 },
    )
    expect(await server.control.info.get()).toMatchObject({ internalErrors: 0 })
  })
})
