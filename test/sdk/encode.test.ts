import type { CiClient } from '@buildwire/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildPath, client, path, rejection } from './support/client.js'
import { build, json, serve } from './support/server.js'

async function sent(
  call: (ci: CiClient) => PromiseLike<unknown>,
): Promise<{ url: string; body: string; type?: string }> {
  const server = await serve((response, seen) =>
    json(
      response,
      200,
      /\/(builds|tests|pipelines)(\?|$)/.test(seen.url) && seen.method === 'GET' ? [] : build(42),
    ),
  )
  await call(client(server.url))
  const seen = server.requests[0]
  if (seen === undefined) throw new Error('nothing was sent')
  return { url: seen.url, body: seen.body, type: seen.headers['content-type'] ?? '' }
}

test.each<[string, (ci: CiClient) => PromiseLike<unknown>, string]>([
  ['a string goes bare', (ci) => ci.builds.list({ branch: 'main' }), 'branch=main'],
  [
    'an array goes with brackets',
    (ci) => ci.builds.list({ branch: ['a', 'b'] }),
    'branch[]=a&branch[]=b',
  ],
  ['one element too', (ci) => ci.builds.list({ state: ['failed'] }), 'state[]=failed'],
  [
    'a plus travels as %2B',
    (ci) => ci.builds.list({ created_from: '2026-03-01T09:05:00+01:00' }),
    'created_from=2026-03-01T09%3A05%3A00%2B01%3A00',
  ],
  [
    'a Date is UTC with Z',
    (ci) => ci.builds.list({ created_to: new Date(0) }),
    'created_to=1970-01-01T00%3A00%3A00.000Z',
  ],
  [
    'a map has its keys in brackets',
    (ci) => ci.builds.list({ meta_data: { 'a b': 'x&y', k: ['1', '2'] } }),
    'meta_data[a%20b]=x%26y&meta_data[k]=1&meta_data[k]=2',
  ],
  [
    'a boolean that is the default is left out',
    (ci) => ci.builds.list({ include_paused: true, exclude_jobs: false }),
    '',
  ],
  [
    'any other boolean is a word',
    (ci) => ci.builds.list({ include_paused: false, exclude_jobs: true }),
    'exclude_jobs=true&include_paused=false',
  ],
  [
    'a page size is sent although it is the default',
    (ci) => ci.builds.list({ per_page: 30 }),
    'per_page=30',
  ],
  ['undefined is skipped', (ci) => ci.builds.list({ branch: undefined, creator: undefined }), ''],
  [
    'job_states is documented with its brackets',
    (ci) => ci.builds.get({ ...buildPath, job_states: 'failed' }),
    'job_states[]=failed',
  ],
  [
    'labels',
    (ci) => ci.tests.list({ org_slug: 'acme', suite_slug: 'unit', label: ['a,b', 'ü'] }),
    'label[]=a%2Cb&label[]=%C3%BC',
  ],
])('query: %s', async (_, call, query) => {
  expect((await sent(call)).url.split('?')[1] ?? '').toBe(query)
})

test('the body holds what the table says, and the path the rest', async () => {
  const created = await sent((ci) =>
    ci.builds.create({
      ...path,
      commit: 'HEAD',
      branch: 'main',
      env: { A: '1' },
      message: undefined,
    }),
  )
  expect(created).toEqual({
    url: '/v2/organizations/acme/pipelines/web/builds',
    body: '{"commit":"HEAD","branch":"main","env":{"A":"1"}}',
    type: 'application/json',
  })
  const retried = await sent((ci) =>
    ci.builds.retryFailedJobs({ ...buildPath, states: ['failed', 'timed_out'] }),
  )
  expect(retried.body).toBe('{"states":"failed,timed_out"}')
  const canceled = await sent((ci) => ci.builds.cancel(buildPath))
  expect(canceled).toMatchObject({ body: '', type: '' })
  const found = await sent((ci) =>
    ci.tests.find({ org_slug: 'acme', suite_slug: 'unit', scope: '', name: 'n' }),
  )
  expect(found).toMatchObject({
    url: '/v2/analytics/organizations/acme/suites/unit/tests/find',
    body: '{"scope":"","name":"n"}',
  })
})

describe('S4: an org_slug "..", "a/b", "a?x=1" or empty, and a number that is a UUID, "1e3" or -1, is refused or encoded, and never another endpoint', () => {
  test.each(['..', '.', ''])('org_slug %j is refused', async (org_slug) => {
    const error = await rejection(
      client('http://127.0.0.1:9').builds.get({ ...buildPath, org_slug }),
    )
    expect(error).toMatchObject({ code: 'config', option: 'org_slug' })
  })

  test.each([
    ['a/b', 'a%2Fb'],
    ['a?x=1', 'a%3Fx%3D1'],
    ['a#b', 'a%23b'],
    ['%2e%2e', '%252e%252e'],
    ['..;', '..%3B'],
    ['a\\b', 'a%5Cb'],
  ])('org_slug %j is encoded', async (org_slug, encoded) => {
    const { url } = await sent((ci) => ci.builds.get({ ...buildPath, org_slug }))
    expect(url).toBe(`/v2/organizations/${encoded}/pipelines/web/builds/42`)
  })

  test.each([
    ['0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90', 'builds are addressed by number, not id'],
    ['1e3', 'positive integer'],
    [-1, 'positive integer'],
    [0, 'positive integer'],
    [1.5, 'positive integer'],
    [2 ** 53, 'positive integer'],
    [Number.NaN, 'positive integer'],
    [undefined, 'positive integer'],
  ])('number %j is refused', async (number, why) => {
    const wrong = { ...path, number } as { org_slug: string; pipeline_slug: string; number: number }
    const error = await rejection(client('http://127.0.0.1:9').builds.get(wrong))
    expect(error).toMatchObject({ code: 'config', option: 'number' })
    expect(error.message).toContain(why)
  })

  test('whatever the slug is, the path keeps its shape', async () => {
    const server = await serve((response) => json(response, 200, build(1)))
    const ci = client(server.url)
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), async (slug) => {
        server.requests.length = 0
        const refused = await ci.builds.get({ ...buildPath, org_slug: slug }).then(
          () => false,
          (error: { code?: string }) => error.code === 'config',
        )
        if (refused) return server.requests.length === 0
        const parts = new URL(server.requests[0]?.url ?? '', 'http://x').pathname.split('/')
        return (
          parts.length === 8 && decodeURIComponent(parts[3] ?? '') === slug && parts[7] === '42'
        )
      }),
      { numRuns: 300 },
    )
  })
})

test.each<[string, object, string]>([
  ['an empty filter, which would match everything', { branch: [] }, 'branch'],
  ['an empty value, which servers drop', { branch: '' }, 'branch'],
  ['an empty value in a list', { state: ['failed', ''] }, 'state'],
  ['an empty creator', { creator: '' }, 'creator'],
  ['an empty time', { created_from: '' }, 'created_from'],
  ['an empty map', { meta_data: {} }, 'meta_data'],
  ['a map of nothing', { meta_data: { k: undefined } }, 'meta_data'],
  ['a map without brackets', { meta_data: 'k' }, 'meta_data'],
  ['a null filter', { branch: null }, 'branch'],
  ['a word for a boolean', { exclude_jobs: 'true' }, 'exclude_jobs'],
  ['a time that is none', { created_from: new Date(Number.NaN) }, 'created_from'],
  ['a page that is none', { page: 1.5 }, 'page'],
  ['half a surrogate pair', { creator: '\ud800' }, 'creator'],
  ['an unknown parameter', { brunch: 'main' }, 'brunch'],
])('refuses %s', async (_, params, option) => {
  const error = await rejection(client('http://127.0.0.1:9').builds.list(params))
  expect(error).toMatchObject({ code: 'config', option })
})

test('names the missing parameter when there are none at all', async () => {
  const ci = client('http://127.0.0.1:9')
  expect(await rejection(ci.builds.get(undefined as never))).toMatchObject({
    code: 'config',
    option: 'org_slug',
  })
})

test('refuses what JSON cannot hold, and an empty list of states', async () => {
  const ci = client('http://127.0.0.1:9')
  const circular: Record<string, string> = {}
  Object.assign(circular, { self: circular })
  const wrong = ci.builds.create({ ...path, commit: 'c', branch: 'b', env: circular })
  expect(await rejection(wrong)).toMatchObject({ code: 'config' })
  expect(await rejection(ci.builds.retryFailedJobs({ ...buildPath, states: [] }))).toMatchObject({
    option: 'states',
  })
})

describe('request', () => {
  test('sends anything to the origin of baseUrl and returns every status', async () => {
    const server = await serve((response) => {
      response.writeHead(418, { 'x-request-id': 'r' })
      response.end('teapot')
    })
    const ci = client(`${server.url}/s/3f2a`)
    const params = {
      method: 'patch',
      path: '/v2/x?a=1',
      query: { b: [1, 2], c: { d: true } },
      body: { e: 1 },
    }
    const { response, text, bytes } = await ci.request({
      ...params,
      headers: { Accept: 'text/plain' },
    })
    expect(response).toMatchObject({ status: 418, requestId: 'r', attempts: 1 })
    expect(await text()).toBe('teapot')
    expect(await bytes()).toHaveLength(6)
    expect(server.requests[0]).toMatchObject({
      method: 'PATCH',
      url: '/s/3f2a/v2/x?a=1&b[]=1&b[]=2&c[d]=true',
      body: '{"e":1}',
      headers: {
        accept: 'text/plain',
        'content-type': 'application/json',
        authorization: expect.stringContaining('Bearer'),
      },
    })
  })

  test.each([
    [{ method: 'GET', path: 'https://evil.example/v2' }, 'path'],
    [{ method: 'GET', path: '' }, 'path'],
    [{ method: 'GET', path: 'http:' }, 'path'],
    [{ method: 'TRACE', path: '/' }, 'method'],
    [{ method: 'GET', path: '/', body: {} }, 'body'],
    [{ method: 'GET', path: '/', headers: { Authorization: 'x' } }, 'headers'],
    [{ method: 'GET', path: '/', headers: { 'x-a': 'a\nb' } }, 'headers'],
    [{ method: 'GET', path: '/', headers: { 'x-a': '😀' } }, 'headers'],
    [{ method: 'GET', path: '/', headers: { 'x a': '1' } }, 'headers'],
  ])('refuses %j', async (params, option) => {
    expect(await rejection(client('http://127.0.0.1:9').request(params))).toMatchObject({
      code: 'config',
      option,
    })
  })

  test('retries GET and HEAD, and nothing else', async () => {
    for (const [method, hits] of [
      ['GET', 3],
      ['HEAD', 3],
      ['POST', 1],
      ['PUT', 1],
    ] as const) {
      const server = await serve((response) => json(response, 503, {}))
      const { response } = await client(server.url, { random: () => 0 }).request({
        method,
        path: '/v2/x',
      })
      expect(response.status).toBe(503)
      expect(server.requests).toHaveLength(hits)
    }
  })
})
