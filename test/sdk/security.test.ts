import { CiClient, type CiClientOptions, type CiEvent, isCiError } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { buildPath, canary, client, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { printed } from './support/secrets.js'
import { build, json, serve } from './support/server.js'

describe('S1: canary secrets in every error class are found nowhere', () => {
  // A server that throws the bearer back: whole, in a sentence, as a key, encoded.
  const echo = {
    message: `bad ${canary}`,
    [canary]: 1,
    scope: canary,
    errors: [{ field: canary, message: encodeURIComponent(canary) }],
  }
  const statuses = [301, 400, 401, 403, 404, 409, 422, 429, 500, 503]

  test.each(statuses)('ApiError of status %d', async (status) => {
    const events: CiEvent[] = []
    const server = await serve((response) =>
      json(response, status, echo, {
        location: `https://user:${canary}@other.example/?t=${canary}`,
        'www-authenticate': `Bearer error="insufficient_scope", scope="${canary}"`,
        'x-request-id': 'r-1',
      }),
    )
    const ci = client(server.url, {
      clock: new SleeplessClock(),
      onEvent: (event) => events.push(event),
    })
    const error = await rejection(ci.builds.get(buildPath))
    expect(printed(error)).not.toContain(canary)
    expect(printed(events)).not.toContain(canary)
    expect(printed(ci)).not.toContain(canary)
    expect(error.message).toContain(`answered ${status}`)
    expect(error).toMatchObject({ requestId: 'r-1' })
  })

  test('ConfigError', async () => {
    const wrong: [string, Partial<CiClientOptions>][] = [
      ['auth', { auth: `${canary}\n` }],
      ['baseUrl', { baseUrl: `https://user:${canary}@api.ci.example` }],
      ['baseUrl', { baseUrl: `https://api.ci.example/?token=${canary}` }],
      ['baseUrl', { baseUrl: `not a url ${canary}` }],
      ['userAgent', { userAgent: `${canary}\n` }],
    ]
    for (const [option, options] of wrong) {
      const error = thrown(() => new CiClient({ baseUrl: 'https://api.ci.example', ...options }))
      expect(error).toMatchObject({ code: 'config', option })
      expect(printed(error)).not.toContain(canary)
    }
    const auth = {
      getToken: async () => ({ value: `${canary} `, expiresAt: null }),
      invalidate: () => {},
    }
    const error = await rejection(client('http://127.0.0.1:9', { auth }).builds.get(buildPath))
    expect(error).toMatchObject({ code: 'config', option: 'auth' })
    expect(printed(error)).not.toContain(canary)
  })

  test('ConnectionError and TimeoutError, whatever the transport throws', async () => {
    const transport = async (request: { headers: Record<string, string> }): Promise<never> => {
      const error = new Error(
        `cannot reach http://proxy:${canary}@proxy.example:8080/?t=${canary} for ${canary}`,
      )
      throw Object.assign(error, { code: 'ECONNRESET', request, headers: request.headers })
    }
    const ci = client('http://127.0.0.1:9', { transport, clock: new SleeplessClock() })
    const error = await rejection(ci.builds.get(buildPath))
    expect(error).toMatchObject({ code: 'connection', cause: { code: 'ECONNRESET' } })
    expect(error.message).toContain('http://proxy.example:8080/')
    expect(printed(error)).not.toContain(canary)
    const hanging = client('http://127.0.0.1:9', {
      transport: () => new Promise(() => {}),
      timeoutMs: 20,
    })
    expect(printed(await rejection(hanging.builds.get(buildPath)))).not.toContain(canary)
  })

  test('InvalidResponseError and PaginationError', async () => {
    const server = await serve((response, _, index) => {
      if (index === 0) return json(response, 200, { token: canary })
      if (index === 1)
        return json(response, 200, [], {
          link: `<https://${canary}@evil.example/${canary}>; rel=next`,
        })
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<p>${canary}</p>`)
    })
    const ci = client(server.url)
    for (const call of [
      () => ci.builds.get(buildPath),
      () => ci.builds.list().toArray(),
      () => ci.builds.get(buildPath),
    ]) {
      const error = await rejection(call())
      expect(['invalid_response', 'unsafe_link']).toContain(error.code)
      expect(printed(error)).not.toContain(canary)
    }
  })

  test.each(['onlyLetters', 'aTokenOfTwentyLetter'])(
    'a token that is a word is not shown as a name, a type or an encoding: %s',
    async (auth) => {
      const server = await serve((response, _, index) => {
        if (index === 0) return json(response, 200, { [auth]: 1 })
        const header = index === 1 ? 'content-type' : 'content-encoding'
        response.writeHead(200, { [header]: auth }).end('{}')
      })
      const ci = client(server.url, { auth })
      for (const got of [
        'an object with [redacted]',
        'a body of type [redacted]',
        'a content-encoding that was not asked for ([redacted])',
      ]) {
        const error = await rejection(ci.builds.get(buildPath))
        expect(error).toMatchObject({ code: 'invalid_response', got })
        expect(printed(error).toLowerCase()).not.toContain(auth.toLowerCase())
      }
    },
  )

  test("a server's text is cut, and cannot drive a terminal", async () => {
    const message = `\u001b[2J\u202e${'x'.repeat(2_000)}`
    const server = await serve((response) => json(response, 400, { message }))
    const error = await rejection(client(server.url).builds.get(buildPath))
    expect(error.message).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(error.message.length).toBeLessThan(700)
  })

  test('an HTML failure is named by its type and never quoted', async () => {
    const server = await serve((response) => {
      response.writeHead(502, { 'content-type': 'text/html; charset=utf-8' })
      response.end('<html>proxy says no</html>')
    })
    const error = await rejection(client(server.url, { maxRetries: 0 }).builds.get(buildPath))
    expect(error.message).toContain('a body of type text/html')
    expect(error.message).not.toContain('proxy says no')
  })
})

test.each([
  `${canary}\n`,
  `${canary}😀`,
  `${canary} `,
  ` ${canary}`,
  '',
  `${canary}\u0000`,
  'x'.repeat(8_193),
])(
  "S3: a caller's token with a newline, an emoji or a trailing space is a ConfigError without echo (%#)",
  (auth) => {
    const error = thrown(() => new CiClient({ baseUrl: 'https://api.ci.example', auth }))
    expect(error).toMatchObject({ code: 'config', option: 'auth' })
    expect(printed(error)).not.toContain(canary)
  },
)

describe('where tokens may travel', () => {
  test.each(
    'http://api.ci.example http://192.168.0.5:8080 http://127.0.0.1.evil.example http://localhost.evil.example ftp://api.ci.example https://api.ci.example/#x https://api.ci.example? api.ci.example '.split(
      ' ',
    ),
  )('baseUrl %j is refused', (baseUrl) => {
    expect(thrown(() => new CiClient({ baseUrl }))).toMatchObject({
      code: 'config',
      option: 'baseUrl',
    })
  })

  test.each([
    'https://api.ci.example/base/',
    'http://localhost:4010',
    'http://api.localhost',
    'http://127.8.9.10',
    'http://[::1]:80',
  ])('baseUrl %j is fine', (baseUrl) => {
    expect(new CiClient({ baseUrl })).toBeInstanceOf(CiClient)
    expect(new CiClient({ baseUrl: new URL(baseUrl) })).toBeInstanceOf(CiClient)
  })

  test('middleware sees no token, before or after, and cannot carry one to another origin', async () => {
    const other = await serve((response) => json(response, 200, build(42)))
    const server = await serve((response) => json(response, 200, build(42)))
    const seen: string[] = []
    const ci = client(server.url, {
      middleware: [
        async (request, next) => {
          const response = await next({
            ...request,
            headers: { ...request.headers, 'x-trace': '1' },
          })
          seen.push(printed(request))
          return response
        },
        async (request, next) => {
          const response = await next(request)
          seen.push(printed(request))
          return response
        },
      ],
    })
    await ci.builds.get(buildPath)
    expect(seen.join()).not.toContain(canary)
    expect(server.requests[0]?.headers).toMatchObject({
      'x-trace': '1',
      authorization: `Bearer ${canary}`,
    })
    const carrier = client(server.url, {
      middleware: [
        (request, next) => next({ ...request, url: request.url.replace(server.url, other.url) }),
      ],
    })
    expect(await rejection(carrier.builds.get(buildPath))).toMatchObject({
      code: 'config',
      option: 'middleware',
    })
    expect(other.requests).toEqual([])
  })

  test.each(['a\nb', 'a\u0000', '😀'])(
    "a middleware's header with %j is a ConfigError that names it without its value",
    async (value) => {
      const ci = client('http://127.0.0.1:9', {
        middleware: [
          (request, next) =>
            next({ ...request, headers: { ...request.headers, 'x-key': canary + value } }),
        ],
      })
      const error = await rejection(ci.builds.get(buildPath))
      expect(error).toMatchObject({ code: 'config', option: 'middleware' })
      expect(error.message).toContain('x-key')
      expect(printed(error)).not.toContain(canary)
    },
  )

  test('the GraphQL endpoint gets the token, wherever it is configured', async () => {
    const api = await serve((response) => json(response, 200, []))
    const graphql = await serve((response) =>
      json(response, 200, { data: { viewer: null }, errors: [{ message: 'm' }] }),
    )
    const ci = client(api.url, { graphqlUrl: `${graphql.url}/query` })
    const result = await ci.graphql({ query: '{ viewer { id } }', variables: { a: 1 } })
    expect(result).toEqual({ data: { viewer: null }, errors: [{ message: 'm' }] })
    expect(graphql.requests[0]).toMatchObject({
      method: 'POST',
      url: '/query',
      body: '{"query":"{ viewer { id } }","variables":{"a":1}}',
      headers: { authorization: `Bearer ${canary}` },
    })
    expect(api.requests).toEqual([])
  })

  test('without auth no credentials are sent', async () => {
    const server = await serve((response) => json(response, 200, build(42)))
    await client(server.url, { auth: undefined }).builds.get(buildPath)
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })
})

test('__proto__ in an answer stays an own key and pollutes nothing', async () => {
  const text = '{"id":"x","number":42,"state":"passed","__proto__":{"polluted":true}}'
  const server = await serve((response, _, index) => {
    response.writeHead(index === 0 ? 200 : 400, { 'content-type': 'application/json' })
    response.end(text)
  })
  const ci = client(server.url)
  const data = await ci.builds.get(buildPath)
  expect(Object.hasOwn(data, '__proto__')).toBe(true)
  const error = await rejection(ci.builds.get(buildPath))
  expect(Object.hasOwn((error as { body?: object }).body ?? {}, '__proto__')).toBe(true)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

function thrown(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    if (isCiError(error)) return error
    throw error
  }
  return expect.fail('nothing was thrown')
}
