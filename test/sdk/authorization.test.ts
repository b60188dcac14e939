import type { AccessToken } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { buildPath, client, path, rejection } from './support/client.js'
import { type Answering, build, json, serve } from './support/server.js'

/** A provider with one token at a time: invalidating that very token makes room for the next. */
function rotating() {
  let current = 1
  let asked = 0
  const invalidated: string[] = []
  return {
    invalidated,
    asked: () => asked,
    async getToken(): Promise<AccessToken> {
      asked++
      return { value: `token_${current}`, expiresAt: null }
    },
    invalidate(token: AccessToken): void {
      invalidated.push(token.value)
      if (token.value === `token_${current}`) current++
    },
  }
}

const refusingFirst: Answering = (response, { headers }) =>
  headers.authorization === 'Bearer token_1'
    ? json(response, 401, {})
    : json(response, 200, build(42))

describe('after a 401', () => {
  test('the refused token is invalidated and the call goes again, once, with another one', async () => {
    const auth = rotating()
    const server = await serve(refusingFirst)
    const { response } = await client(server.url, { auth }).builds.get(buildPath).withResponse()
    expect(response.attempts).toBe(2)
    expect(auth.invalidated).toEqual(['token_1'])
  })

  test('an unsafe operation goes again too, since a 401 was not processed', async () => {
    const server = await serve(refusingFirst)
    const ci = client(server.url, { auth: rotating() })
    expect(await ci.builds.create({ ...path, commit: 'HEAD', branch: 'main' })).toMatchObject({
      number: 42,
    })
    expect(server.requests).toHaveLength(2)
  })

  test('a second 401 is thrown and invalidates nothing', async () => {
    const auth = rotating()
    const server = await serve((response) => json(response, 401, { message: 'no' }))
    expect(await rejection(client(server.url, { auth }).builds.get(buildPath))).toMatchObject({
      code: 'unauthorized',
    })
    expect(auth.invalidated).toEqual(['token_1'])
    expect(server.requests).toHaveLength(2)
  })

  test('a provider with nothing else to offer ends it', async () => {
    const server = await serve((response) => json(response, 401, { message: 'no' }))
    expect(await rejection(client(server.url).builds.get(buildPath))).toMatchObject({
      code: 'unauthorized',
      attempts: 1,
    })
    expect(server.requests).toHaveLength(1)
  })

  test('the replay stands outside the retries, and each page of a list has its own', async () => {
    const auth = rotating()
    const server = await serve((response, _, index) => {
      if (index % 2 === 0) return json(response, 401, {})
      json(
        response,
        200,
        [build(index)],
        index === 1 ? { link: '</v2/builds?page=2>; rel="next"' } : {},
      )
    })
    const items = await client(server.url, { auth, maxRetries: 0 }).builds.list().toArray()
    expect(items).toHaveLength(2)
    expect(auth.invalidated).toEqual(['token_1', 'token_2'])
  })

  test('ten parallel requests share what the provider offers', async () => {
    const auth = rotating()
    const server = await serve(refusingFirst)
    const ci = client(server.url, { auth })
    const all = await Promise.all(Array.from({ length: 10 }, () => ci.builds.get(buildPath)))
    expect(all).toHaveLength(10)
    expect(new Set(auth.invalidated)).toEqual(new Set(['token_1']))
    expect(server.requests).toHaveLength(20)
  })
})

test('a 403 never asks for another token', async () => {
  const auth = rotating()
  const server = await serve((response) => json(response, 403, { message: 'Forbidden' }))
  await rejection(client(server.url, { auth }).builds.get(buildPath))
  expect(auth.invalidated).toEqual([])
  expect(auth.asked()).toBe(1)
})

const throws = (): never => {
  throw new RangeError('mine')
}

test.each([
  ['throws', throws],
  ['rejects', async () => throws()],
])('a provider that %s rejects the call with its own error', async (_, getToken) => {
  const auth = { getToken, invalidate: () => {} }
  const call = client('http://127.0.0.1:9', { auth }).builds.get(buildPath)
  await expect(call).rejects.toThrow(RangeError)
})

test('withAuth acts as another user over the same connections and closes with its parent', async () => {
  const server = await serve((response) => json(response, 200, build(42)))
  const ci = client(server.url)
  const users = Array.from({ length: 50 }, (_, n) => ci.withAuth(`bwtx_user_${n}`))
  for (const user of users) await user.builds.get(buildPath)
  expect(new Set(server.requests.map((seen) => seen.headers.authorization)).size).toBe(50)
  expect(server.connections()).toBeLessThan(10)
  await users[1]?.close()
  expect(await rejection(users[1]?.builds.get(buildPath) ?? Promise.resolve())).toMatchObject({
    code: 'config',
  })
  expect(await users[0]?.builds.get(buildPath)).toMatchObject({ number: 42 })
  await ci.close()
  await ci.close()
  expect(await rejection(users[0]?.builds.get(buildPath) ?? Promise.resolve())).toMatchObject({
    code: 'config',
  })
  expect(await rejection(ci.builds.list())).toMatchObject({ code: 'config', option: 'client' })
  expect(() => ci.withAuth('not a token\n')).toThrow('1 to 8192')
})
