import { createMockServer } from '@buildwire/mock-server'
import { expect, it } from 'vitest'
import { isTameJson } from '../../mock-server/src/domain/budget.js'

const nested = (open: string, close: string, levels: number) =>
  open.repeat(levels) + close.repeat(levels)

it.each([
  [nested('[', ']', 64), true],
  [nested('[', ']', 65), false],
  [`"${'['.repeat(100)}"`, true],
  [`"\\"${'['.repeat(100)}"`, true],
  ['"\\ud83d\\ude00"', true],
  ['"\\\\ud83d"', true],
  ['"\\ud83d"', false],
  ['"\\ude00"', false],
  ['{"\\ud83d\\u0041": 1}', false],
  ['"\\ud83d\\ud83d\\ude00"', false],
  ['"\\uD83D\\uDE00\\ud83d"', false],
])('JSON is counted before it is parsed: %.40s', (text, isTame) => {
  expect(isTameJson(text)).toBe(isTame)
})

it('text with too deep nesting is refused wherever the server parses text', async () => {
  await using server = createMockServer({ seed: 'demo' })
  const { accessTokens } = await server.ready()
  const post = async (
    path: string,
    body: string,
    type = 'application/json',
    token = accessTokens['admin'],
  ) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const answer = await server.fetch(
      new Request(server.baseUrl + path, { method: 'POST', headers, body }),
    )
    return {
      status: answer.status,
      body: (await answer.json()) as { errors?: { message: string }[] },
    }
  }
  const tooMuch = {
    errors: [{ message: 'The document may have 500 tokens and 64 levels at most' }],
  }
  for (const query of [
    `{ build(slug: ${nested('[', ']', 4000)}) { id } }`,
    nested('{a', '}', 4000),
    `query($a: ${nested('[', ']', 4000)}) { viewer { id } }`,
    `{ ${'viewer { id } '.repeat(200)} }`,
  ]) {
    expect(await post('/graphql', JSON.stringify({ query }))).toEqual({
      status: 200,
      body: tooMuch,
    })
  }
  const deep = nested('[', ']', 8000)
  expect((await post('/graphql', deep)).status).toBe(400)
  expect((await post('/v2/organizations/acme/pipelines/web/builds', deep)).status).toBe(400)
  const create = { commit: 'HEAD', branch: 'main' }
  const named = (names: number) =>
    Object.fromEntries(Array.from({ length: names }, (_, n) => [`k${n}`, 'x']))
  for (const key of ['env', 'meta_data']) {
    const [most, more] = [10_000, 10_001].map((names) =>
      JSON.stringify({ ...create, [key]: named(names) }),
    )
    expect((await post('/v2/organizations/acme/pipelines/web/builds', most ?? '')).status).toBe(201)
    expect(await post('/v2/organizations/acme/pipelines/web/builds', more ?? '')).toMatchObject({
      status: 422,
      body: { errors: [{ field: key, code: 'invalid' }] },
    })
  }
  // The log reads a JSON body beside the form that the endpoint wants.
  expect((await post('/oauth/token', deep)).status).toBe(400)
  expect((await post('/_control/apply', deep, undefined, server.controlToken)).status).toBe(400)
  expect((await server.control.info.get()).internalErrors).toBe(0)
})
