import { type Ids, type LogLine, seededIds } from '@buildwire/mock-server'
import { describe, expect, test } from 'vitest'
import {
  basic,
  confidentialSecret,
  deviceGrant,
  expectIdentical,
  expectOAuthHeaders,
  expectRefusal,
  expectTokens,
  startServer,
} from './harness.js'

const failed = 'Client authentication failed'
const oneMethod = 'Use one client authentication method'

describe('client authentication', () => {
  test('CA1 no client_id anywhere', async () => {
    await using s = await startServer()
    const missing = 'Missing parameter: client_id'
    expectRefusal(await s.device({ scope: 'read_builds' }), 'invalid_request', missing)
    expectRefusal(await s.device({ client_id: '', scope: 'read_builds' }), 'invalid_request', missing)
    expectRefusal(await s.token({ grant_type: deviceGrant, device_code: 'x' }), 'invalid_request', missing)
    s.expectLive(0)
  })

  test('CA2, A11(b) unknown, disabled, without and with wrong secret look alike', async () => {
    await using s = await startServer()
    const scope = 'read_builds'
    const wrong = ['x', `${confidentialSecret} `, confidentialSecret.slice(1), 'y'.repeat(4000)]
    const device = [
      await s.device({ client_id: 'nobody', scope }),
      await s.device({ client_id: '__proto__', scope }),
      await s.device({ client_id: 'disabled', scope }),
      await s.device({ client_id: 'confidential', scope }),
      await s.device({ client_id: 'public', client_secret: 'anything', scope }),
      ...(await Promise.all(
        wrong.map((client_secret) => s.device({ client_id: 'confidential', client_secret, scope })),
      )),
    ]
    for (const answer of device) expectRefusal(answer, 'invalid_client', failed)
    expectIdentical(device)
    const poll = { grant_type: deviceGrant, device_code: 'x' }
    const token = [
      await s.token({ ...poll, client_id: 'nobody' }),
      await s.token({ ...poll, client_id: 'disabled' }),
      await s.token({ ...poll, client_id: 'confidential' }),
      await s.token({ ...poll, client_id: 'confidential', client_secret: 'wrong' }),
      await s.token({ ...poll, client_id: 'public', client_secret: 'wrong' }),
    ]
    expectIdentical([...device, ...token])
    expect(s.persistence.values('deviceAuthorizations')).toEqual([])
    s.expectLive(0)
  })

  test('CA3 the right secret, in the body and in Basic', async () => {
    await using s = await startServer()
    const scope = 'read_builds'
    const secret = { client_secret: confidentialSecret }
    expect((await s.device({ client_id: 'confidential', scope, ...secret })).status).toBe(200)
    const headers = basic('confidential', confidentialSecret)
    expect((await s.device({ scope }, { headers })).status).toBe(200)
    expect((await s.device({ client_id: 'confidential', scope }, { headers })).status).toBe(200)
    expect(
      (
        await s.device(
          { scope },
          { headers: { Authorization: headers['Authorization']?.replace('Basic', 'bAsIc') ?? '' } },
        )
      ).status,
    ).toBe(200)
    expect((await s.device({ scope }, { headers: basic('public', '') })).status).toBe(200)
    expect(s.persistence.values('deviceAuthorizations')).toHaveLength(5)
    s.expectLive(0)
  })

  test.each([
    ['Bearer abc'],
    ['Basic'],
    ['Basic !!!'],
    [`Basic ${btoa('no colon')}`],
    [`Basic ${btoa('public:%zz')}`],
    [`Basic ${Buffer.from([0xff, 0x3a]).toString('base64')}`],
    ['Digest username="public"'],
  ])('CA4 the header %j is no readable Basic: a challenge, like any other failure', async (Authorization) => {
    await using s = await startServer()
    const form = { client_id: 'public', scope: 'read_builds' }
    expectRefusal(await s.device(form, { headers: { Authorization } }), 'invalid_client', failed)
    expectRefusal(await s.device({ scope: 'read_builds' }, { headers: { Authorization } }), 'invalid_client', failed)
    s.expectLive(0)
  })

  test('CA5 two methods in one request', async () => {
    await using s = await startServer()
    const scope = 'read_builds'
    const headers = basic('confidential', confidentialSecret)
    const both = await s.device({ scope, client_secret: confidentialSecret }, { headers })
    expectRefusal(both, 'invalid_request', oneMethod)
    expectRefusal(await s.device({ scope, client_id: 'public' }, { headers }), 'invalid_request', oneMethod)
    const twoHeaders = { Authorization: `${headers['Authorization']}, ${headers['Authorization']}` }
    expectRefusal(await s.device({ scope }, { headers: twoHeaders }), 'invalid_request', oneMethod)
    expectRefusal(
      await s.device({ scope, client_id: 'confidential', client_secret: confidentialSecret, client_assertion: 'x' }),
      'invalid_request',
      oneMethod,
    )
    expect(s.persistence.values('deviceAuthorizations')).toEqual([])
    s.expectLive(0)
  })

  test('an assertion is no method of a device application', async () => {
    await using s = await startServer()
    const form = { client_id: 'public', scope: 'read_builds', client_assertion: s.assertion() }
    expectRefusal(await s.device(form), 'invalid_client', failed)
    s.expectLive(0)
  })
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
      for (let n = 0; n < 4; n++) answers.push(await s.post(path, { client_id: `limited${path}` }, { headers }))
      await s.control('POST', '/rules', { match: { path }, times: 1, actions: [{ preset: 'unavailable' }] })
      answers.push(await s.post(path, {}, { headers }))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 401, 413, 405, 415, 429, 503]))
      for (const answer of answers) {
        expectOAuthHeaders(answer)
        expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
      }
    }
    s.expectLive(0)
  })

  test('RE2 POST only', async () => {
    await using s = await startServer()
    for (const path of ['/oauth/token', '/oauth/device_authorization']) {
      for (const method of ['GET', 'PUT', 'HEAD', 'DELETE', 'PATCH']) {
        const answer = await s.call(`${path}?grant_type=x`, { method })
        expect(answer.status).toBe(405)
        expect(answer.headers.get('allow')).toBe('POST')
        expect(answer.headers.get('cache-control')).toBe('no-store')
        if (method !== 'HEAD') expect(answer.body['error']).toBe('invalid_request')
      }
      const preflight = await s.call(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
      })
      expect(preflight.status).toBe(204)
    }
    s.expectLive(0)
  })

  test('RE3 the shape of token responses', async () => {
    await using s = await startServer()
    const device = await s.login('refreshing')
    expect(device).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
    expect(Object.keys(await s.login('public')).sort()).toEqual(['access_token', 'scope', 'token_type'])
    const exchanged = await s.exchange()
    expectTokens(exchanged, { expires_in: 3600 })
    expect(exchanged.text).toContain('"expires_in":3600')
    s.expectLive(3)
  })

  test('RE4 unavailable by a rule and by a failed commit', async () => {
    await using s = await startServer()
    await s.control('POST', '/rules', {
      match: { path: '/oauth/token' },
      times: 1,
      actions: [{ preset: 'unavailable' }],
    })
    const assertion = s.assertion()
    const byRule = await s.exchange(assertion)
    expectRefusal(byRule, 'server_error', 'The service is temporarily unavailable')
    expect(byRule.headers.get('retry-after')).toBe('5')
    s.persistence.failures = 1
    const byStore = await s.exchange(assertion)
    expectRefusal(byStore, 'server_error', 'The service is temporarily unavailable')
    expect(byStore.headers.get('retry-after')).toBe('5')
    s.expectLive(0)
    s.expectBurnt(0)
  })

  test('RE4 an unforeseen exception: 500 without a stack', async () => {
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
    expect(answer.body).toEqual({ error: 'server_error', error_description: 'The service is temporarily unavailable' })
    expectOAuthHeaders(answer)
    expect(answer.text).not.toContain('inner detail')
    expect(JSON.stringify(lines)).toContain('inner detail of a bug')
    expect(s.persistence.values('deviceAuthorizations')).toEqual([])
    s.expectLive(0)
  })

  test('RE5 the rate limit counts per client and address, and burns nothing', async () => {
    await using s = await startServer({ tokenRateLimit: { limit: 2, windowSeconds: 60, retryAfter: true } })
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

  test('RE6 token texts', { timeout: 120_000 }, async () => {
    await using s = await startServer({ requestLog: false, strict: false })
    const { access_token, refresh_token } = await s.login('refreshing')
    expect(access_token).toMatch(/^bwua_[A-Za-z0-9]{43}$/)
    expect(refresh_token).toMatch(/^bwrt_[A-Za-z0-9]{43}$/)
    const minted = new Set<unknown>()
    const assertion = s.assertion({ jti: undefined })
    for (let n = 0; n < 10_000; n += 100) {
      const batch = Array.from({ length: 100 }, () => s.exchange(assertion))
      for (const { body } of await Promise.all(batch)) minted.add(body['access_token'])
    }
    expect(minted.size).toBe(10_000)
    for (const token of minted) expect(token).toMatch(/^bwtx_[A-Za-z0-9]{43}$/)
    s.expectLive(10_001)
  })
})
