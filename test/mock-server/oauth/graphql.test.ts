import { describe, expect } from 'vitest'
import { type Answer, type OAuthServer, startServer, test } from './harness.js'

const blocked = (answer: Answer, name: string) => {
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    errors: [
      {
        message: `The ${name} mutation is not permitted for token exchange tokens`,
        extensions: { code: 'FORBIDDEN' },
      },
    ],
  })
}

const refused = (answer: Answer, message: unknown = expect.any(String)) => {
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ errors: expect.arrayContaining([{ message }]) })
}

const run = (s: OAuthServer, token: string, query: unknown, more: Record<string, unknown> = {}) =>
  s.api('/graphql', token, { method: 'POST', body: { query, ...more } })

const exchanged = async (s: OAuthServer, scope = 'graphql write_builds') =>
  String((await s.exchange(s.assertion(), { scope })).body['access_token'])

/** The seeded build as the REST API shows it now. */
const build = async (s: OAuthServer) => {
  const { body } = await s.api('/v2/organizations/acme/pipelines/web/builds', 'seeded-api-token')
  const builds = body as unknown as {
    id: string
    graphql_id: string
    number: number
    state: string
  }[]
  const oldest = builds.at(-1)
  if (oldest === undefined) throw new Error('the seed has no build')
  return { ...oldest, count: builds.length }
}

const theSeven =
  'emailCreate emailResendVerification totpActivate totpCreate totpDelete totpRecoveryCodesRegenerate apiAccessTokenCodeAuthorize'.split(
    ' ',
  )

describe('GraphQL', () => {
  test('GQ2 a mutation needs write_builds and graphql', async ({ s }) => {
    const { access_token } = await s.login('public', 'graphql read_builds')
    const { graphql_id, count } = await build(s)
    for (const token of [access_token, await exchanged(s, 'graphql read_builds')]) {
      for (const name of ['buildCancel', 'buildRebuild']) {
        const { body } = await run(
          s,
          token,
          `mutation { ${name}(input: { id: "${graphql_id}" }) { build { state } } }`,
        )
        const message = "Your access token doesn't have the write_builds scope"
        expect(body).toEqual({ data: { [name]: null }, errors: [{ message }] })
      }
    }
    expect(await build(s)).toMatchObject({ state: 'scheduled', count })
  })

  test('a document that cannot be executed is an error, and nothing runs', async ({ s }) => {
    const token = await exchanged(s)
    const cancel = `buildCancel(input: { id: "${(await build(s)).graphql_id}" }) { build { state } }`
    const several = `mutation A { ${cancel} } query B { viewer { email } }`
    refused(await run(s, token, several))
    refused(await run(s, token, several, { operationName: 'C' }))
    refused(
      await run(s, token, `mutation A { ${cancel} } mutation A { ${cancel} }`, {
        operationName: 'A',
      }),
    )
    refused(await run(s, token, 'subscription { buildCanceled { id } }'))
    refused(await run(s, token, 'fragment A on Query { viewer { email } }'))
    refused(await run(s, token, '{ viewer {'))
    refused(await run(s, token, ''))
    refused(await run(s, token, undefined))
    refused(await run(s, token, 7))
    refused(await run(s, token, `mutation { ${cancel} }`, { variables: [] }))
    refused(await run(s, token, `mutation { ${cancel} }`, { operationName: 7 }))
    refused(await run(s, token, `{ ${'a '.repeat(5001)} }`))
    refused(await run(s, token, '{ __proto__ }'))
    expect((await build(s)).state).toBe('scheduled')
    s.expectLive(1)
  })

  test('invalid bodies are refused', async ({ s }) => {
    const token = await exchanged(s)
    const send = (body: string, headers: Record<string, string> = {}) =>
      s.call('/graphql', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, ...headers },
        body,
      })
    expect((await send('{')).status).toBe(400)
    expect(
      (await send('{"query":"{ viewer { email } }"}', { 'Content-Encoding': 'gzip' })).status,
    ).toBe(415)
    expect((await send(JSON.stringify({ query: ' '.repeat(270_000) }))).status).toBe(413)
    refused(await send('null'))
    expect(
      (await send('{"query":"{ viewer { email } }"}', { 'Content-Type': 'text/plain' })).body,
    ).toHaveProperty('data')
    s.expectLive(1)
  })

  test('scope, credentials and visibility are those of REST', async ({ s }) => {
    const query = '{ viewer { email } }'
    expect((await run(s, await exchanged(s, 'read_builds'), query)).status).toBe(403)
    expect(
      (await s.call('/graphql', { method: 'POST', body: JSON.stringify({ query }) })).status,
    ).toBe(401)
    const token = await exchanged(s)
    for (const slug of [
      'orbit/probe/1',
      'acme/web/999',
      'acme/web',
      'acme/web/1/2',
      '__proto__/web/1',
      '',
    ]) {
      expect((await run(s, token, `{ build(slug: "${slug}") { uuid } }`)).body).toEqual({
        data: { build: null },
      })
    }
    const foreign = (
      await s.exchange(s.assertion(), { audience: 'orbit', scope: 'graphql write_builds' })
    ).body['access_token']
    const cancel = `mutation { buildCancel(input: { id: "${(await build(s)).graphql_id}" }) { build { state } } }`
    const answer = await run(s, String(foreign), cancel)
    expect(answer.body).toEqual({
      data: { buildCancel: null },
      errors: [{ message: expect.stringMatching(/^No .* found$/) }],
    })
    expect((await build(s)).state).toBe('scheduled')
    s.expectLive(3)
  })

  test('the list of permitted mutations is a setting that cannot name one of the seven', async () => {
    await using s = await startServer({ permittedMutations: ['buildRebuild'] })
    const token = await exchanged(s)
    const { graphql_id } = await build(s)
    blocked(
      await run(
        s,
        token,
        `mutation { buildCancel(input: { id: "${graphql_id}" }) { build { state } } }`,
      ),
      'buildCancel',
    )
    for (const name of theSeven) {
      const answer = await s.control('POST', '/apply', {
        settings: { permittedMutations: ['buildCancel', name] },
      })
      expect(answer.status).toBe(422)
    }
    s.expectLive(1)
  })
})
