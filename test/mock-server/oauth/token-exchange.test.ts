import { describe, expect, test } from 'vitest'
import { basic, expectIdentical, expectRefusal, expectTokens, otherKey, startServer } from './harness.js'

const subjectFault = 'Subject user must be an active member of the organization'

describe('token exchange', () => {
  test('TX4 the vendor is configuration', async () => {
    await using s = await startServer({ vendor: 'example' })
    const subject_token_type = 'urn:example:params:oauth:token-type:user-email'
    expectTokens(await s.exchange(s.assertion(), { subject_token_type }))
    expectRefusal(await s.exchange(), 'invalid_request', 'Unsupported value: subject_token_type')
    s.expectLive(1)
  })

  test('TX6 an assertion beside another method', async () => {
    await using s = await startServer()
    const text = 'Use one client authentication method'
    expectRefusal(await s.exchange(s.assertion(), { client_secret: 'x' }), 'invalid_request', text)
    expectRefusal(await s.exchange(s.assertion(), {}, { headers: basic('minter', 'x') }), 'invalid_request', text)
    s.expectLive(0)
  })

  test('client_id beside an assertion must be its iss', async () => {
    await using s = await startServer()
    expectTokens(await s.exchange(s.assertion(), { client_id: 'minter' }))
    expectRefusal(
      await s.exchange(s.assertion(), { client_id: 'other' }),
      'invalid_client',
      'Invalid client assertion signature',
    )
    s.expectLive(1)
  })

  test('TX9 a bad assertion hides everything else', async () => {
    await using s = await startServer()
    const forged = s.assertion({}, otherKey, { kid: 'ec-1' })
    const answers = [
      await s.exchange(forged, { audience: 'unknown' }),
      await s.exchange(forged, { audience: 'off' }),
      await s.exchange(forged, { subject_token: 'outsider@acme.example' }),
      await s.exchange(forged, { scope: 'nope' }),
      await s.exchange(forged, { expires_in: '0' }),
      await s.exchange(forged, { resource: 'x' }),
    ]
    for (const answer of answers) expectRefusal(answer, 'invalid_client', 'Invalid client assertion signature')
    expectIdentical(answers)
    s.expectLive(0)
  })

  test('the order of step 11', async () => {
    await using s = await startServer()
    const everything = {
      subject_token_type: 'x',
      resource: 'x',
      audience: 'unknown',
      subject_token: 'nobody@acme.example',
      scope: 'nope',
      expires_in: '0',
    }
    const errors: string[] = []
    const mended: Record<string, string | undefined> = { ...everything }
    const mends: readonly (readonly [string, string | undefined])[] = [
      ['subject_token_type', 'urn:buildwire:params:oauth:token-type:user-email'],
      ['resource', undefined],
      ['audience', 'off'],
      ['audience', 'strict'],
      ['subject_token', 'robin@acme.example'],
      ['scope', undefined],
      ['expires_in', undefined],
    ]
    const assertion = s.assertion({ jti: undefined })
    for (const [name, value] of mends) {
      errors.push(String((await s.exchange(assertion, mended)).body['error']))
      mended[name] = value
    }
    // An organization that requires a jti says so before it looks at the subject.
    expect(errors).toEqual([
      'invalid_request',
      'invalid_target',
      'invalid_target',
      'unsupported_grant_type',
      'invalid_client',
      'invalid_client',
      'invalid_client',
    ])
    const remaining = { audience: 'acme', subject_token: 'nobody@acme.example', scope: 'nope', expires_in: '0' }
    const codes: unknown[] = []
    for (const mend of [{}, { subject_token: 'robin@acme.example' }, { scope: undefined }]) {
      Object.assign(remaining, mend)
      codes.push((await s.exchange(s.assertion(), remaining)).body['error_description'])
    }
    expect(codes).toEqual([subjectFault, 'Invalid scope', 'expires_in must be a positive integer'])
    s.expectBurnt(0)
    s.expectLive(0)
  })
})

describe('scope and lifetime', () => {
  test.each([
    [['192.0.2.1'], '192.0.2.1', 200],
    [['192.0.2.1'], '::ffff:192.0.2.1', 200],
    [['192.0.2.1'], '::ffff:c000:201', 200],
    [['::ffff:192.0.2.1'], '192.0.2.1', 200],
    [['::ffff:192.0.2.0/120'], '192.0.2.77', 200],
    [['192.0.2.1'], '192.0.2.2', 403],
    [['192.0.2.0/24'], '192.0.2.255', 200],
    [['192.0.2.0/24'], '192.0.3.0', 403],
    [['0.0.0.0/0'], '2001:db8::1', 403],
    [['2001:db8::/32'], '2001:db8:ffff::1', 200],
    [['2001:db8::/32'], '2001:db9::1', 403],
    [['192.0.2.0/24'], 'garbage', 403],
    [[], '192.0.2.9', 200],
  ])('SC6 addresses %j, from %s: %i', async (allowedIpAddresses, ip, status) => {
    await using s = await startServer()
    await s.apply({ applications: [{ client_id: 'minter', allowedIpAddresses }] })
    const minted = await s.exchange(s.assertion(), {}, { ip: '198.51.100.7' })
    expectTokens(minted)
    const answer = await s.api('/v2/builds', String(minted.body['access_token']), { ip })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body).toEqual({ message: "Your access token can't be used from this IP address" })
    s.expectLive(1)
  })

  test('SC6 a forwarded address counts only behind a trusted proxy', async () => {
    for (const [trustProxy, status] of [
      [[], 403],
      [['198.51.100.0/24'], 200],
    ] as const) {
      await using s = await startServer({ trustProxy: [...trustProxy] })
      await s.apply({ applications: [{ client_id: 'minter', allowedIpAddresses: ['192.0.2.1'] }] })
      const { body } = await s.exchange()
      const headers = {
        Authorization: `Bearer ${body['access_token']}`,
        'X-Forwarded-For': '203.0.113.9, 192.0.2.1, 198.51.100.8',
      }
      expect((await s.call('/v2/builds', { headers }, '198.51.100.7')).status).toBe(status)
      s.expectLive(1)
    }
  })
})
