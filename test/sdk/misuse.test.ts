import type { CiClient } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { client, path, rejection } from './support/client.js'
import { json, serve } from './support/server.js'

const create = { ...path, commit: 'HEAD', branch: 'main' }

test.each<[object, string]>([
  [{ created_from: new Date(Number.NaN) }, 'created_from must be a valid date'],
  [{ branch: [{}] }, 'branch must be made of strings, numbers, booleans and dates'],
  [{ state: [] }, 'state must not be empty: leave it out to match everything'],
])('%o: %s', async (params, message) => {
  expect((await rejection(client('http://127.0.0.1:9').builds.list(params))).message).toContain(
    message,
  )
})

describe('what plain JavaScript lets through is refused before anything is sent', () => {
  const get = { method: 'GET', path: '/v2/builds' }
  const post = { method: 'POST', path: '/v2/x' }
  const headers = new Headers({ a: 'b' })
  test.each<[string, string, (ci: CiClient) => PromiseLike<unknown>]>([
    [
      'toArray(5), which would read everything',
      'options',
      (ci) => ci.builds.list().toArray(5 as never),
    ],
    ['toArray(null)', 'options', (ci) => ci.builds.list().toArray(null as never)],
    ['a list as params', 'params', (ci) => ci.builds.list([] as never)],
    ['a text as params', 'params', (ci) => ci.builds.list('failed' as never)],
    ['a number as params', 'params', (ci) => ci.builds.get(42 as never)],
    ['a function as env', 'env', (ci) => ci.builds.create({ ...create, env: (() => {}) as never })],
    [
      'a symbol as message',
      'message',
      (ci) => ci.builds.create({ ...create, message: Symbol('m') as never }),
    ],
    [
      'Headers, which would all be lost',
      'headers',
      (ci) => ci.request({ ...get, headers: headers as never }),
    ],
    [
      'a header without a value',
      'headers',
      (ci) => ci.request({ ...get, headers: { a: undefined } as never }),
    ],
    ['a query as text', 'query', (ci) => ci.request({ ...get, query: 'a=b' as never })],
    ['a function as body', 'body', (ci) => ci.request({ ...post, body: () => 1 })],
    ['a symbol as body', 'body', (ci) => ci.request({ ...post, body: Symbol('b') })],
  ])('%s', async (_what, option, call) => {
    const server = await serve((response) => json(response, 200, []))
    expect(await rejection(call(client(server.url)))).toMatchObject({ name: 'ConfigError', option })
    expect(server.requests).toEqual([])
  })

  test('while no params at all are none, where none are needed', async () => {
    const server = await serve((response) => json(response, 200, []))
    expect((await client(server.url).builds.list(null as never)).items).toEqual([])
    expect(await client(server.url).builds.list().toArray(undefined)).toEqual([])
  })
})

test('a list keeps the params it was made with, however late it is read', async () => {
  const server = await serve((response) => json(response, 200, []))
  const params = { branch: 'main' }
  const list = client(server.url).builds.list(params)
  params.branch = 'other'
  await list
  await list.toArray({ limit: 1 })
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v2/builds?branch=main',
    '/v2/builds?branch=main&per_page=1',
  ])
})
