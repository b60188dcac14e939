import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { fetchTransport, type Transport } from '@buildwire/sdk'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { expect, test } from 'vitest'
import { canary, client, path, rejection, textOf } from './support/client.js'
import { type Answering, json, serve } from './support/server.js'

const at = {
  ...path,
  number: 1,
  job_id: '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90',
  artifact_id: '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e91',
}

/** A service whose artifacts are at another origin. */
async function service(content: Answering, transport?: Transport) {
  const store = await serve(content)
  const api = await serve((response) => {
    response.writeHead(302, { location: `${store.url}/secret-key?signature=s3cret` }).end()
  })
  const middleware = [
    (request: { headers: Record<string, string> }, next: (given: never) => never) => {
      request.headers['x-inside'] = 'yes'
      return next(request as never)
    },
  ]
  return {
    store,
    api,
    ci: client(api.url, { middleware: middleware as never, maxRetries: 0, transport }),
  }
}

test('content comes from the other origin, which gets neither the token nor what middleware adds', async () => {
  const { store, api, ci } = await service(
    (response) => void response.writeHead(200, { 'content-length': 5 }).end('bytes'),
  )
  const stream = await ci.artifacts.content(at)
  expect(stream.size).toBe(5)
  expect(await textOf(stream)).toBe('bytes')
  expect(api.requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${canary}`,
    'x-inside': 'yes',
  })
  expect(store.requests[0]?.url).toBe('/secret-key?signature=s3cret')
  expect(store.requests[0]?.headers).not.toHaveProperty('authorization')
  expect(store.requests[0]?.headers).not.toHaveProperty('x-inside')
})

test('what the other origin refuses is an error that keeps its address; an endless redirect ends', async () => {
  for (const [status, code, advice] of [
    [401, 'unauthorized', /^No token was sent there: /],
    [403, 'forbidden', /Ask for a new one$/],
    [404, 'not_found', /the address alone opens the content/],
    [307, 'redirect_refused', /^Redirects are not followed$/],
  ] as const) {
    const { ci } = await service(
      (response) =>
        void response.writeHead(status, { location: '/secret-key?signature=s3cret' }).end(),
    )
    const error = await rejection(ci.artifacts.content(at))
    expect(error.code).toBe(code)
    expect((error as { advice?: string }).advice).toMatch(advice)
    expect(JSON.stringify(error) + error.message).not.toMatch(/s3cret|secret-key/)
  }
})

const transports = [
  ['undici', undefined],
  ['node', nodeTransport],
  ['fetch', fetchTransport],
] as const

test.each(transports)(
  'content behind another redirect, kept as gzip, is unpacked: %s',
  async (_, make) => {
    const third = await serve(
      (response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('bytes')),
    )
    const { store, ci } = await service(
      (response) =>
        void response.writeHead(307, { location: `${third.url}/c?signature=s3cret` }).end(),
      make?.(),
    )
    const stream = await ci.artifacts.content(at)
    expect(stream.size).toBeNull()
    expect(await textOf(stream)).toBe('bytes')
    for (const { headers } of [...store.requests, ...third.requests])
      expect(headers).not.toHaveProperty('authorization')
    expect(third.requests).toHaveLength(1)
  },
)

// The platform's fetch unpacks every body.
test.each(transports.slice(0, 2))(
  'content whose record describes the packed bytes is not unpacked: %s',
  async (_, make) => {
    const packed = gzipSync('bytes')
    const headers = { 'content-encoding': 'gzip', 'content-length': packed.length }
    const { ci } = await service(
      (response) => void response.writeHead(200, headers).end(packed),
      make?.(),
    )
    const kept = await ci.artifacts.content(at, { file_size: packed.length })
    expect(kept.size).toBe(packed.length)
    const parts: Uint8Array[] = []
    for await (const part of kept) parts.push(part)
    expect(Buffer.concat(parts)).toEqual(packed)
    const unpacked = await ci.artifacts.content(at, { file_size: 5 })
    expect([unpacked.size, await textOf(unpacked)]).toEqual([null, 'bytes'])
  },
)

// The platform's fetch takes a gzip body that breaks off for a whole one.
test.each(transports.slice(0, 2))(
  'gzip that breaks off is an error of its own: %s',
  async (_, make) => {
    const packed = gzipSync(randomBytes(10_000)).subarray(0, 5_000)
    const { ci } = await service(
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
      make?.(),
    )
    const error = await rejection(textOf(await ci.artifacts.content(at)))
    expect(error.code).toBe('invalid_response')
    expect(JSON.stringify(error) + error.message).not.toContain('s3cret')
  },
)

test.each(['http://files.example/a', 'file:///etc/passwd', 'https://a:b@files.example/x'])(
  '%s is not fetched',
  async (location) => {
    const transport = async (request: { url: string }): Promise<never> => {
      const headers = new Map([['location', location]])
      expect(request.url).toMatch(/^https:\/\/api\.ci\.example\//)
      const body = {
        text: async () => '',
        bytes: async () => new Uint8Array(),
        discard: async () => {},
      }
      return {
        status: 302,
        header: (name: string) => headers.get(name),
        entries: () => headers,
        ...body,
      } as never
    }
    const error = await rejection(
      client('https://api.ci.example', { transport }).artifacts.content(at),
    )
    expect(error).toMatchObject({ code: 'invalid_response' })
  },
)

const artifact = { ...path, number: 42, job_id: 'j1', artifact_id: 'a1' }
const html = { 'content-type': 'text/html' }

test.each<[location: string, url: string]>([
  ['https://files.ci.example/9c12?signature=4f3a', 'https://files.ci.example/9c12?signature=4f3a'],
  ['/files/9c12', 'BASE/files/9c12'],
  ['../content', 'BASE/v2/organizations/acme/pipelines/web/builds/42/jobs/j1/artifacts/content'],
])('a download that leads to %s says where, and is not followed', async (location, url) => {
  const server = await serve(
    (response) => void response.writeHead(302, { location, ...html }).end('<p>Found</p>'),
  )
  for (const transport of [undefined, fetchTransport()]) {
    const ci = client(server.url, { transport })
    expect(await ci.artifacts.download(artifact)).toEqual({ url: url.replace('BASE', server.url) })
  }
  expect(server.requests).toHaveLength(2)
})

test('without Location the body says where', async () => {
  const server = await serve((response) =>
    json(response, 302, { url: 'https://files.ci.example/9c12' }),
  )
  expect(await client(server.url).artifacts.download(artifact)).toEqual({
    url: 'https://files.ci.example/9c12',
  })
})

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://[', 'data:text/plain,x'])(
  '%s is not an address of content',
  async (location) => {
    const server = await serve((response) => void response.writeHead(302, { location }).end())
    const error = await rejection(client(server.url).artifacts.download(artifact))
    expect(error).toMatchObject({ code: 'invalid_response', operationId: 'artifacts.download' })
    expect(error.message).not.toContain(location)
  },
)
