import { type Ids, type LogLine, seededIds } from '@buildwire/mock-server'
import { describe, expect, test } from 'vitest'
import { deviceGrant, expectOAuthHeaders, expectRefusal, expectTokens, startServer } from './harness.js'

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
  ])('CA4 the header %j is no readable Basic: a challenge, like any other failure', async (Authorization) => {
    await using s = await startServer()
    const form = { client_id: 'public', scope: 'read_builds' }
    expectRefusal(await s.device(form, { headers: { Authorization } }), 'invalid_client', failed)
    expectRefusal(await s.device({ scope: 'read_builds' }, { headers: { Authorization } }), 'invalid_client', failed)
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
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 413, 405, 415, 429, 503]))
      for (const answer of answers) {
        expectOAuthHeaders(answer)
        expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
      }
    }
    s.expectLive(0)
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
