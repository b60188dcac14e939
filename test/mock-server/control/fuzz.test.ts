import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { controlRoutes } from '../../../mock-server/src/control/control-routes.js'
import { seedSchema } from '../../../mock-server/src/seed/seed-document.js'
import { acmeServer, controlOver } from '../../support/control-client.js'

/** Words that documents are made of, so that the fuzz gets past the first check. */
const words = [...new Set(JSON.stringify(seedSchema()).match(/"[A-Za-z_]{2,40}"(?=:)/g) ?? [])].map((word) =>
  word.slice(1, -1),
)
const keys = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(...words, 'match', 'actions', 'document', 'id', 'state', '__proto__', 'constructor'),
  },
  { weight: 1, arbitrary: fc.string() },
)
const leaf = fc.oneof(
  fc.constantFrom(
    'acme',
    'web',
    'robin@acme.example',
    '-2h',
    '2026-03-01',
    'passed',
    'running',
    'manual',
    'frozen',
    'demo',
    null,
    true,
    0,
    1,
    -1,
    1e308,
    '',
  ),
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
  fc.constantFrom('users', 'builds', 'acme', 'acme:web', 'main', '00000000-0000-4000-8000-000000000000'),
  fc.string({ minLength: 1 }),
)

describe('no input to the control API gives a 5xx', () => {
  it('whatever the route, path and body', async () => {
    await using server = acmeServer()
    await server.ready()
    const call = controlOver(server)
    const routes = controlRoutes.filter(
      ({ path }) => path !== '/requests/wait' && path !== '/clock/advance' && path !== '/clock',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.array(segment, { minLength: 2, maxLength: 2 }),
        value,
        async ({ method, path }, segments, body) => {
          const filled = [...path.matchAll(/\{\w+\}/g)].reduce(
            (text, [name], n) =>
              text.replace(name, encodeURIComponent((segments[n] ?? '').replaceAll(/\p{Surrogate}/gu, '?'))),
            path,
          )
          const answer = await call(method, filled, method === 'GET' ? undefined : JSON.stringify(body))
          expect(answer.status, `${method} ${filled} ${JSON.stringify(body)}`).toBeLessThan(500)
          if (answer.status >= 400) expect(answer.body.message).toEqual(expect.any(String))
        },
      ),
      { numRuns: 1500 },
    )
    expect(await server.control.info.get()).toMatchObject({ internalErrors: 0 })
  })
})
