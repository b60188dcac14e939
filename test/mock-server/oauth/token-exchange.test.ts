import { describe, expect, test } from 'vitest'
import {
  type Answer,
  accessTokenType,
  basic,
  expectIdentical,
  expectRefusal,
  expectTokens,
  otherKey,
  startServer,
} from './harness.js'

const subjectFault = 'Subject user must be an active member of the organization'

describe('token exchange', () => {
  test.each([
    [{ client_assertion: undefined }, 'Missing parameter: client_assertion'],
    [{ client_assertion: '' }, 'Missing parameter: client_assertion'],
    [{ client_assertion_type: undefined }, 'Missing parameter: client_assertion_type'],
    [{ client_assertion_type: '' }, 'Missing parameter: client_assertion_type'],
    [
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      'Unsupported value: client_assertion_type',
    ],
    [
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer ' },
      'Unsupported value: client_assertion_type',
    ],
    [
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:JWT-bearer' },
      'Unsupported value: client_assertion_type',
    ],
  ])('TX2 %j', async (changes, text) => {
    await using s = await startServer()
    expectRefusal(await s.exchange(s.assertion(), changes), 'invalid_request', text)
    s.expectBurnt(0)
    s.expectLive(0)
  })

  test.each([
    accessTokenType,
    'urn:elsewhere:params:oauth:token-type:user-email',
    'urn:BuildWire:params:oauth:token-type:user-email',
  ])('TX4 subject_token_type %s', async (subject_token_type) => {
    await using s = await startServer()
    const answer = await s.exchange(s.assertion(), { subject_token_type })
    expectRefusal(answer, 'invalid_request', 'Unsupported value: subject_token_type')
    s.expectBurnt(0)
    s.expectLive(0)
  })

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

  test('TX7 parameters of RFC 8693 that would change the meaning', async () => {
    await using s = await startServer()
    expectTokens(await s.exchange(s.assertion(), { requested_token_type: accessTokenType }))
    const refusals: readonly (readonly [Record<string, string>, string, string])[] = [
      [
        { requested_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
        'invalid_request',
        'Unsupported value: requested_token_type',
      ],
      [{ actor_token: 'x' }, 'invalid_request', 'Unsupported parameter: actor_token'],
      [{ actor_token_type: accessTokenType }, 'invalid_request', 'Unsupported parameter: actor_token_type'],
      [{ resource: 'https://api.example' }, 'invalid_target', 'Invalid audience organization'],
    ]
    for (const [changes, error, text] of refusals) {
      expectRefusal(await s.exchange(s.assertion(), changes), error, text)
    }
    s.expectBurnt(1)
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

  test('TX10, A11(c) subjects that may not be: one body', async () => {
    await using s = await startServer()
    const subjects = [
      'outsider@acme.example',
      'former@acme.example',
      'inactive@acme.example',
      'unverified@acme.example',
      'nobody@acme.example',
      'not-an-email',
      'robin@acme.example,sam@acme.example',
      'Robin <robin@acme.example>',
      'robin@acme.example\r\n',
      ' robin@acme.example',
      '__proto__',
      'ſam@acme.example',
    ]
    const answers: Answer[] = []
    for (const subject_token of subjects) answers.push(await s.exchange(s.assertion(), { subject_token }))
    for (const answer of answers) expectRefusal(answer, 'invalid_request', subjectFault)
    expectIdentical(answers)
    s.expectBurnt(0)
    expectTokens(await s.exchange(s.assertion(), { subject_token: 'RoBiN@ACME.example' }))
    s.expectLive(1)
  })

  test('TX11 facts are those of the request', async () => {
    await using s = await startServer()
    expectTokens(await s.exchange(s.assertion(), { subject_token: 'sam@acme.example' }))
    await s.apply({ users: [{ email: 'sam@acme.example', active: false }] })
    expectRefusal(
      await s.exchange(s.assertion(), { subject_token: 'sam@acme.example' }),
      'invalid_request',
      subjectFault,
    )
    s.expectBurnt(1)
    s.expectLive(1)
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
  test('SC1 granted is what was asked for, or nothing', async () => {
    await using s = await startServer()
    const scope = 'write_builds read_builds'
    expectTokens(await s.exchange(s.assertion(), { scope: ` ${scope}  read_builds` }), { scope })
    const outside = await s.exchange(s.assertion({ iss: 'other', sub: 'other' }, otherKey), {
      scope: 'read_builds graphql',
    })
    expectRefusal(outside, 'invalid_scope', 'Requested scopes exceed grantable scopes')
    expectRefusal(await s.exchange(s.assertion(), { scope: 'read_builds nope' }), 'invalid_scope', 'Invalid scope')
    s.expectLive(1)
  })

  test('SC2 defaults as they are now', async () => {
    await using s = await startServer()
    expectTokens(await s.exchange(), { scope: 'read_builds' })
    expectTokens(await s.exchange(s.assertion(), { scope: '' }), { scope: 'read_builds' })
    const none = 'No scope requested and the application has no default scopes'
    const other = { iss: 'other', sub: 'other' }
    expectRefusal(await s.exchange(s.assertion(other, otherKey)), 'invalid_scope', none)
    await s.apply({ applications: [{ client_id: 'other', defaultScopes: ['graphql', 'read_suites'] }] })
    expectTokens(await s.exchange(s.assertion(other, otherKey)), { scope: 'read_suites' })
    await s.apply({ applications: [{ client_id: 'other', grantableScopes: ['read_builds'] }] })
    expectRefusal(await s.exchange(s.assertion(other, otherKey)), 'invalid_scope', none)
    s.expectLive(3)
  })

  test.each([
    [undefined, 600],
    ['', 600],
    ['1', 1],
    ['599', 599],
    ['600', 600],
    ['601', 600],
    ['9'.repeat(400), 600],
  ])('SC3 expires_in %j lives %i s', async (expires_in, seconds) => {
    await using s = await startServer()
    const assertion = s.assertion({ iss: 'other', sub: 'other' }, otherKey)
    expectTokens(await s.exchange(assertion, { scope: 'read_builds', expires_in }), { expires_in: seconds })
    s.expectLive(1)
    await s.clock.advance(seconds * 1000)
    s.expectLive(0)
  })

  test.each(['0', '-1', '1.5', 'abc', '01', '+1', '1e3', ' 1', '١', 'Infinity', 'NaN'])(
    'SC4 expires_in %j',
    async (expires_in) => {
      await using s = await startServer()
      expectRefusal(
        await s.exchange(s.assertion(), { expires_in }),
        'invalid_request',
        'expires_in must be a positive integer',
      )
      s.expectBurnt(0)
      s.expectLive(0)
    },
  )

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
