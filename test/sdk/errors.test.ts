import * as sdk from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { buildPath, client, rejection } from './support/client.js'
import { json, serve } from './support/server.js'

async function refusal(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<sdk.ApiError> {
  const server = await serve((response) => json(response, status, body, headers))
  const error = await rejection(client(server.url, { maxRetries: 0 }).builds.cancel(buildPath))
  expect(error).toBeInstanceOf(sdk.ApiError)
  return error as sdk.ApiError
}

describe('H11: a 422 with errors[], a 403 naming a scope, a 404 of a hidden pipeline', () => {
  test('every field is in the message', async () => {
    const error = await refusal(422, {
      message: 'Validation Failed',
      errors: [
        { field: 'commit', code: 'missing' },
        'branch is odd',
        { field: 'env.A', message: 'must be text' },
      ],
    })
    expect(error).toBeInstanceOf(sdk.UnprocessableError)
    expect(error).toMatchObject({
      code: 'unprocessable',
      errors: [
        { field: 'commit', code: 'missing' },
        { message: 'branch is odd' },
        { field: 'env.A', message: 'must be text' },
      ],
    })
    expect(error.message).toBe(
      'PUT /v2/organizations/acme/pipelines/web/builds/42/cancel answered 422: Validation Failed (commit missing; branch is odd; env.A must be text)',
    )
  })

  test.each<[string, object, Record<string, string>]>([
    [
      'the challenge',
      { message: 'no' },
      { 'www-authenticate': 'Bearer realm="x", error="insufficient_scope", scope="write_builds"' },
    ],
    ['the message', { message: "Your access token doesn't have the write_builds scope" }, {}],
    ['the table', { message: 'Missing scope' }, {}],
  ])('requiredScope comes from %s', async (_, body, headers) => {
    const error = await refusal(403, body, {
      ...headers,
      'x-oauth-scopes': 'read_builds, read_user',
    })
    expect(error).toMatchObject({
      code: 'insufficient_scope',
      requiredScope: 'write_builds',
      grantedScopes: ['read_builds', 'read_user'],
    })
    expect(error.message).toContain('The token lacks the scope write_builds')
  })

  test('a 403 that names no scope is forbidden', async () => {
    const error = await refusal(403, {
      message: "Your access token can't be used from this IP address",
    })
    expect(error).toMatchObject({
      code: 'forbidden',
      serverMessage: "Your access token can't be used from this IP address",
    })
    expect((error as sdk.ApiError).requiredScope).toBeUndefined()
  })

  test('a 404 says "or your user cannot see it", and an extension that the server may not offer it', async () => {
    expect((await refusal(404, { message: 'No pipeline found' })).message).toContain(
      'or your user cannot see it',
    )
    const server = await serve((response) =>
      json(response, 404, { message: 'No route matches v2/user' }),
    )
    const error = await rejection(client(server.url).user.get())
    expect(error.message).toContain('this server may not offer it')
  })
})

test.each<[number, unknown, string]>([
  [301, {}, 'redirect_refused'],
  [400, { message: 'page must be a positive integer' }, 'bad_request'],
  [400, { message: 'Listing builds this deep is not supported.' }, 'listing_too_deep'],
  [401, { message: 'no' }, 'unauthorized'],
  [404, { message: 'no' }, 'not_found'],
  [405, { message: 'no' }, 'http_error'],
  [409, { message: 'no' }, 'conflict'],
  [413, { message: 'no' }, 'http_error'],
  [500, { message: 'no' }, 'server_error'],
  [599, 'text', 'server_error'],
])('status %d with %j has the code %s', async (status, body, code) => {
  const error = await refusal(status, body)
  expect(error).toMatchObject({
    code,
    status,
    operationId: 'builds.cancel',
    method: 'PUT',
    path: '/v2/organizations/acme/pipelines/web/builds/42/cancel',
    attempts: 1,
  })
})

test.each<[unknown, string]>([
  [{ message: 'a sentence' }, 'a sentence'],
  [{ error: 'a word' }, 'a word'],
  [{ message: '', error: 'a word' }, 'a word'],
  [{ message: 7, error: 'a word' }, 'a word'],
  [{ error: 'word', error_description: 'a sentence' }, 'a sentence'],
  [{ errors: [{ message: 'Batches are not supported' }] }, 'Batches are not supported'],
  ['just a string', 'just a string'],
  [{}, 'a body of type application/json'],
  [null, 'a body of type application/json'],
])('the words of %j are repeated', async (body, words) => {
  expect((await refusal(400, body)).message).toContain(`answered 400: ${words}`)
})

test('a 429 carries its window, limit and wait', async () => {
  const body = { message: 'slow', scope: 'rest_user', limit: 50, current: 51, reset: 42 }
  const error = await refusal(429, body)
  expect(error).toBeInstanceOf(sdk.RateLimitError)
  expect(error).toMatchObject({
    scope: 'rest_user',
    limit: 50,
    retryAfterMs: 42_000,
    sent: 'yes',
    body,
  })
})

test('isCiError narrows by brand and code, also across two copies of the package', () => {
  const foreign = Object.assign(new Error('x'), {
    code: 'config',
    [Symbol.for('buildwire.error')]: true,
  })
  expect(sdk.isCiError(foreign)).toBe(true)
  expect(sdk.isCiError(foreign, 'config')).toBe(true)
  expect(sdk.isCiError(foreign, 'timeout')).toBe(false)
  expect(sdk.isCiError(Object.assign(new Error('x'), { code: 'config' }))).toBe(false)
  for (const other of [null, undefined, 'config', { code: 'config' }])
    expect(sdk.isCiError(other)).toBe(false)
})

test('every class has its name, its code and an allow-list for logs', () => {
  const api = {
    status: 400,
    operationId: 'builds.get',
    method: 'GET',
    path: '/v2',
    attempts: 1,
    body: { secret: 1 },
  }
  const oauth = {
    error: 'invalid_grant',
    status: 400,
    sent: 'yes',
    operationId: 'oauth.token',
  } as const
  const cause = new Error('the cause')
  const all = [
    new sdk.ConfigError('baseUrl', 'm'),
    new sdk.ConnectionError('m', { sent: 'no', attempts: 1, cause }),
    new sdk.TimeoutError('m', { kind: 'total', timeoutMs: 1, sent: 'no', attempts: 1 }),
    new sdk.ApiError('m', { ...api, code: 'bad_request', sent: 'yes' }),
    new sdk.UnprocessableError('m', { ...api, status: 422, errors: [{ field: 'a' }], sent: 'yes' }),
    new sdk.RateLimitError('m', { ...api, status: 429, retryAfterMs: 5, sent: 'no' }),
    new sdk.OAuthError('m', oauth),
    new sdk.DeviceAuthorizationError('m', { ...oauth, local: true, maybeApproved: false }),
    new sdk.InvalidResponseError('m', { expected: 'array', got: 'null' }),
    new sdk.PaginationError('m', { code: 'page_loop', pages: 2 }),
  ]
  for (const error of all) {
    expect(error).toBeInstanceOf(Error)
    expect(sdk.isCiError(error, error.code)).toBe(true)
    expect(String(error)).toBe(`${error.name}: m`)
  }
  const call = { operationId: 'builds.get', method: 'GET', path: '/v2', attempts: 1 }
  expect(all.map((error) => JSON.parse(JSON.stringify(error)))).toEqual(
    [
      { name: 'ConfigError', code: 'config', option: 'baseUrl', sent: 'no' },
      { name: 'ConnectionError', code: 'connection', attempts: 1, sent: 'no' },
      {
        name: 'TimeoutError',
        code: 'timeout',
        kind: 'total',
        timeoutMs: 1,
        attempts: 1,
        sent: 'no',
      },
      { name: 'ApiError', code: 'bad_request', ...call, status: 400, sent: 'yes' },
      {
        name: 'UnprocessableError',
        code: 'unprocessable',
        ...call,
        status: 422,
        errors: [{ field: 'a' }],
        sent: 'yes',
      },
      {
        name: 'RateLimitError',
        code: 'rate_limited',
        ...call,
        status: 429,
        retryAfterMs: 5,
        sent: 'no',
      },
      { name: 'OAuthError', code: 'oauth_error', ...oauth },
      {
        name: 'DeviceAuthorizationError',
        code: 'device_authorization',
        ...oauth,
        local: true,
        maybeApproved: false,
      },
      {
        name: 'InvalidResponseError',
        code: 'invalid_response',
        expected: 'array',
        got: 'null',
        sent: 'unknown',
      },
      { name: 'PaginationError', code: 'page_loop', pages: 2, sent: 'no' },
    ].map((shown) => ({ ...shown, message: 'm' })),
  )
  expect(all[1]?.cause).toBe(cause)
})

describe('what an error advises', () => {
  test('a 404 under a baseUrl that ends in /v2 says that the path brings it', async () => {
    const server = await serve((response) =>
      json(response, 404, { message: 'No route matches v2/v2/builds' }),
    )
    const error = await rejection(client(`${server.url}/v2/`).builds.list())
    expect(error.message).toMatch(/baseUrl must end before \/v2, which every path brings itself$/)
    const query = { query: '{ viewer { id } }' }
    expect((await rejection(client(`${server.url}/v2`).graphql(query))).message).toContain(
      'baseUrl must end before',
    )
    const apart = client(server.url, { graphqlUrl: `${server.url}/v1/v2/graphql` })
    expect((await rejection(apart.graphql(query))).message).not.toContain('baseUrl')
    expect((await rejection(client(`${server.url}/s/v2x`).builds.list())).message).not.toContain(
      'baseUrl',
    )
  })

  test('a 429 that is not waited for says how long the server wants rest', async () => {
    const error = await refusal(429, { scope: 'rest_user', reset: 90 })
    expect(error.message).toMatch(/answered 429: .*\. The server wants 90 s of rest$/)
    expect((await refusal(429, { message: 'no' })).message).toMatch(/answered 429: no$/)
  })

  test('a redirect that leads nowhere asks for no other baseUrl', async () => {
    expect((await refusal(304, {})).message).toMatch(/Redirects are not followed$/)
    const away = await refusal(301, {}, { location: 'https://new.example/v2' })
    expect(away.message).toMatch(
      /\(this one leads to https:\/\/new\.example\): set the final address as baseUrl$/,
    )
  })

  test.each([
    ['https://evil.example/v2/builds?page=2', 'https://evil.example'],
    ['javascript:alert(1)', 'a javascript: address'],
    ['http://user:secret@HOST/v2/builds?page=2', 'http://HOST under a user name'],
  ])('a next link %s is said to be at %s', async (link, place) => {
    const host: { name?: string } = {}
    const at = (text: string): string => text.replace('HOST', host.name ?? '')
    const server = await serve((response) =>
      json(response, 200, [], { link: `<${at(link)}>; rel=next` }),
    )
    host.name = new URL(server.url).host
    const error = await rejection(client(server.url).builds.list().toArray())
    expect(error).toMatchObject({ code: 'unsafe_link' })
    expect(error.message).toContain(`said to be at ${at(place)}, which`)
    expect(error.message).not.toContain('secret')
  })
})
