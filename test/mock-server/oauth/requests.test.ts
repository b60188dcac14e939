import { type Ids, type LogLine, seededIds } from '@buildwire/mock-server'
import { describe, expect } from 'vitest'
import { exchangeRaw, openRaw } from '../../support/raw-socket.js'
import {
  deviceGrant,
  encodeForm,
  exchangeGrant,
  expectOAuthHeaders,
  expectRefusal,
  expectTokens,
  startServer,
  test,
} from './harness.js'

describe('form', () => {
  test('FO5 the connection closes after a body over 64 KiB', async ({ s }) => {
    const { port } = await s.server.listen()
    const head =
      'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n11000\r\n${'a'.repeat(0x11000)}\r\n0\r\n\r\n`
    for (const text of [chunked, `${head}Content-Length: 70000\r\n\r\n`])
      expect((await exchangeRaw(port, text)).map(({ status }) => status)).toEqual([413])
    s.expectLive(0)
  })

  test('FO6 incomplete bodies change nothing, and the server keeps running', async ({ s }) => {
    const { port } = await s.server.listen()
    const { device_code } = await s.start()
    const body = encodeForm({ grant_type: deviceGrant, client_id: 'public', device_code })
    const head =
      'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'
    const leaving = await openRaw(port)
    await leaving.write(`${head}Content-Length: ${body.length + 10}\r\n\r\n${body}`)
    leaving.close()
    const both = `${head}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    expect((await exchangeRaw(port, both))[0]?.status).toBe(400)
    // A poll that had been counted would make this one too early.
    expectRefusal(await s.poll(device_code), 'authorization_pending')
    s.expectLive(0)
  })
})

describe('A10 parameter smuggling', () => {
  test('two Content-Type headers', async ({ s }) => {
    const { port } = await s.server.listen()
    const body = encodeForm({ grant_type: exchangeGrant })
    const [answer] = await exchangeRaw(
      port,
      `POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Type: application/json\r\n\r\n${body}`,
    )
    expect(answer?.status).toBe(400)
    expect(answer?.body).toContain('The request must be a form POST')
    s.expectLive(0)
  })

  test('; is not a separator', async ({ s }) => {
    const form = encodeForm(s.exchangeForm(s.assertion(), { audience: undefined }))
    expectRefusal(
      await s.token(`${form};audience=acme`),
      'invalid_request',
      'Missing parameter: audience',
    )
    expectTokens(await s.token(`${form}&x=1;scope=nope&audience=acme`), { scope: 'read_builds' })
    s.expectLive(1)
  })
})

const failed = 'Client authentication failed'

describe('client authentication', () => {
  test.each([
    ['Bearer abc'],
    ['Basic'],
    ['Basic !!!'],
    [`Basic ${btoa('no colon')}`],
    [`Basic ${btoa('public:%zz')}`],
    [`Basic ${Buffer.from([0xff, 0x3a]).toString('base64')}`],
    ['Digest username="public"'],
  ])(
    'CA4 the header %j is no readable Basic: a challenge, like any other failure',
    async (Authorization) => {
      await using s = await startServer()
      const form = { client_id: 'public', scope: 'read_builds' }
      expectRefusal(await s.device(form, { headers: { Authorization } }), 'invalid_client', failed)
      expectRefusal(
        await s.device({ scope: 'read_builds' }, { headers: { Authorization } }),
        'invalid_client',
        failed,
      )
      s.expectLive(0)
    },
  )
})

describe('answers', () => {
  test('RE1 no-store and JSON on every status, whatever is accepted', async () => {
    await using s = await startServer({ tokenRateLimit: { limit: 3, windowSeconds: 60 } })
    const headers = { Accept: 'text/html' }
    for (const path of ['/oauth/token', '/oauth/device_authorization']) {
      const answers = [
        await s.post(path, { client_id: 'public' }, { headers }),
        await s.post(
          path,
          { client_id: 'nobody', scope: 'read_builds', grant_type: deviceGrant, device_code: 'x' },
          { headers },
        ),
        await s.post(path, 'x'.repeat(70_000), { headers }),
        await s.call(path, { headers }),
        await s.post(path, '', { headers: { ...headers, 'Content-Encoding': 'br' } }),
      ]
      for (let n = 0; n < 4; n++)
        answers.push(await s.post(path, { client_id: `limited${path}` }, { headers }))
      await s.control('POST', '/rules', {
        match: { path },
        times: 1,
        actions: [{ preset: 'unavailable' }],
      })
      answers.push(await s.post(path, {}, { headers }))
      expect(new Set(answers.map(({ status }) => status))).toEqual(
        new Set([400, 413, 405, 415, 429, 503]),
      )
      for (const answer of answers) {
        expectOAuthHeaders(answer)
        expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
      }
    }
    s.expectLive(0)
  })

  test('RE4 an unexpected exception gives 500 without a stack', async () => {
    const lines: LogLine[] = []
    const ids: Ids = {
      ...seededIds(),
      code: () => {
        throw new RangeError('inner detail of a bug')
      },
    }
    await using s = await startServer({ ids, log: (line) => lines.push(line) })
    const answer = await s.device({ client_id: 'public', scope: 'read_builds' })
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      error: 'server_error',
      error_description: 'The service is temporarily unavailable',
    })
    expectOAuthHeaders(answer)
    expect(answer.text).not.toContain('inner detail')
    expect(JSON.stringify(lines)).toContain('inner detail of a bug')
    expect(s.persistence.values('deviceAuthorizations')).toEqual([])
    s.expectLive(0)
  })

  test('RE5 the rate limit counts per client and address, and a refusal uses up nothing', async () => {
    await using s = await startServer({
      tokenRateLimit: { limit: 2, windowSeconds: 60, retryAfter: true },
    })
    const { device_code } = await s.start('public')
    await s.clock.advance(10_000)
    expectRefusal(await s.poll(device_code), 'authorization_pending')
    const limited = await s.poll(device_code)
    expectRefusal(limited, 'temporarily_unavailable', 'Too many token requests')
    expect(Object.fromEntries(limited.headers)).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '50',
      'retry-after': '50',
    })
    const assertions = [s.assertion(), s.assertion(), s.assertion()]
    expectTokens(await s.exchange(assertions[0]))
    expectTokens(await s.exchange(assertions[1]))
    expectRefusal(await s.exchange(assertions[2]), 'temporarily_unavailable')
    s.expectBurnt(2)
    expectTokens(await s.exchange(assertions[2], {}, { ip: '192.0.2.9' }))
    await s.clock.advance(49_999)
    expectRefusal(await s.poll(device_code), 'temporarily_unavailable')
    await s.clock.advance(1)
    // The refused polls did not restart the poll clock.
    expectRefusal(await s.poll(device_code), 'authorization_pending')
    s.expectLive(3)
  })
})
