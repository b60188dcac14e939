import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import {
  accessTokenType,
  confidentialSecret,
  deviceGrant,
  ec,
  exchangeGrant,
  type OAuthServer,
  otherKey,
  rsa,
  startServer,
  userEmailType,
} from './harness.js'

const privateKey = (key: typeof ec): Promise<CryptoKey> => {
  const algorithm =
    key.alg === 'ES256' ? { name: 'ECDSA', namedCurve: 'P-256' } : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  return crypto.subtle.importKey('pkcs8', key.privateKey.export({ type: 'pkcs8', format: 'der' }), algorithm, false, [
    'sign',
  ])
}

/** A server on a port and on the host's clock: these clients read the time and the network themselves. */
const listening = async (): Promise<OAuthServer> => {
  const { systemClock } = await import('../../../mock-server/src/base/clock.js')
  const s = await startServer({ clock: systemClock })
  await s.server.listen()
  return s
}

const serverMetadata = (s: OAuthServer) => ({
  issuer: s.server.authUrl,
  token_endpoint: s.tokenUrl,
  device_authorization_endpoint: `${s.server.authUrl}/oauth/device_authorization`,
})

describe('openid-client', () => {
  const configure = (s: OAuthServer, client_id: string, authentication: openid.ClientAuth) => {
    const configuration = new openid.Configuration(serverMetadata(s), client_id, undefined, authentication)
    openid.allowInsecureRequests(configuration)
    return configuration
  }

  test.each([
    ['public', 'refreshing', openid.None()],
    ['confidential by body', 'refreshing-confidential', openid.ClientSecretPost(confidentialSecret)],
    ['confidential by Basic', 'refreshing-confidential', openid.ClientSecretBasic(confidentialSecret)],
  ])('device grant and refresh: %s', async (_name, client_id, authentication) => {
    await using s = await listening()
    const configuration = configure(s, client_id, authentication)
    const device = await openid.initiateDeviceAuthorization(configuration, { scope: 'read_builds' })
    await s.approve(device.user_code)
    const tokens = await openid.pollDeviceAuthorizationGrant(configuration, { ...device, interval: 0 })
    expect(tokens.access_token).toMatch(/^bwua_/)
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect((await s.api('/v2/builds', refreshed.access_token)).status).toBe(200)
    expect(s.persistence.values('accessTokens').filter(({ kind }) => kind === 'device')).toHaveLength(2)
  })

  test.each([rsa, ec])('token exchange with private_key_jwt, $alg', async (key) => {
    await using s = await listening()
    const authentication = openid.PrivateKeyJwt(
      { key: await privateKey(key), kid: key.kid },
      // The aud of the assertion is the token endpoint, not the issuer.
      { [openid.modifyAssertion]: (_header, claims) => void Object.assign(claims, { aud: s.tokenUrl }) },
    )
    const configuration = configure(s, 'minter', authentication)
    const tokens = await openid.genericGrantRequest(configuration, exchangeGrant, {
      subject_token: 'robin@acme.example',
      subject_token_type: userEmailType,
      audience: 'acme',
      scope: 'read_builds',
    })
    expect(tokens).toMatchObject({ issued_token_type: accessTokenType, token_type: 'bearer', expires_in: 3600 })
    expect((await s.api('/v2/builds', tokens.access_token)).status).toBe(200)
    expect(s.persistence.values('accessTokens').filter(({ kind }) => kind === 'exchange')).toHaveLength(1)
  })
})

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  test.each([
    ['public', 'refreshing', oauth.None()],
    ['confidential by body', 'refreshing-confidential', oauth.ClientSecretPost(confidentialSecret)],
    ['confidential by Basic', 'refreshing-confidential', oauth.ClientSecretBasic(confidentialSecret)],
  ])('device grant and refresh: %s', async (_name, client_id, authentication) => {
    await using s = await listening()
    const as = serverMetadata(s)
    const client = { client_id }
    const started = await oauth.processDeviceAuthorizationResponse(
      as,
      client,
      await oauth.deviceAuthorizationRequest(as, client, authentication, { scope: 'read_builds' }, insecure),
    )
    const poll = async () =>
      oauth.processDeviceCodeResponse(
        as,
        client,
        await oauth.deviceCodeGrantRequest(as, client, authentication, started.device_code, insecure),
      )
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 })
    await expect(poll()).rejects.toMatchObject({ error: 'slow_down', status: 400 })
    await s.approve(started.user_code)
    const tokens = await poll()
    await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token ?? '', insecure),
    )
    expect((await s.api('/v2/builds', refreshed.access_token)).status).toBe(200)
    expect(s.persistence.values('accessTokens').filter(({ kind }) => kind === 'device')).toHaveLength(2)
  })

  test('an unknown client is told in words that the library reads', async () => {
    await using s = await listening()
    const as = serverMetadata(s)
    const client = { client_id: 'nobody' }
    const response = await oauth.deviceAuthorizationRequest(
      as,
      client,
      oauth.None(),
      { scope: 'read_builds' },
      insecure,
    )
    const failed = oauth.processDeviceAuthorizationResponse(as, client, response)
    await expect(failed).rejects.toMatchObject({
      error: 'invalid_client',
      error_description: 'Client authentication failed',
    })
  })

  test.each([rsa, ec])('token exchange with private_key_jwt, $alg', async (key) => {
    await using s = await listening()
    const as = serverMetadata(s)
    const client = { client_id: 'minter' }
    const authentication = oauth.PrivateKeyJwt(
      { key: await privateKey(key), kid: key.kid },
      { [oauth.modifyAssertion]: (_header, claims) => void Object.assign(claims, { aud: s.tokenUrl }) },
    )
    const response = await oauth.genericTokenEndpointRequest(
      as,
      client,
      authentication,
      exchangeGrant,
      { subject_token: 'robin@acme.example', subject_token_type: userEmailType, audience: 'acme' },
      insecure,
    )
    const tokens = await oauth.processGenericTokenEndpointResponse(as, client, response)
    expect(tokens).toMatchObject({ issued_token_type: accessTokenType, scope: 'read_builds' })
    expect(s.persistence.values('accessTokens').filter(({ kind }) => kind === 'exchange')).toHaveLength(1)
  })
})

interface Assertion {
  readonly key?: typeof ec
  readonly claims?: object
}

/** One request by a library, which ends in tokens or in the error that the library makes of the answer. */
interface Library {
  device(s: OAuthServer, client_id: string, scope: string, secret?: string): Promise<unknown>
  grant(
    s: OAuthServer,
    client_id: string,
    type: string,
    form: Record<string, string>,
    signed?: Assertion,
  ): Promise<unknown>
}

const signer = async (s: OAuthServer, client_id: string, { key = ec, claims }: Assertion) => {
  const own = { ...s.claims(), iss: client_id, sub: client_id, ...claims }
  const change = (_header: object, given: object): void => {
    for (const name of Object.keys(given)) delete given[name as never]
    Object.assign(given, own)
  }
  return {
    key: { key: await privateKey(key), kid: key === otherKey && client_id === 'minter' ? ec.kid : key.kid },
    change,
  }
}

const libraries: Readonly<Record<string, Library>> = {
  oauth4webapi: {
    async device(s, client_id, scope, secret) {
      const as = serverMetadata(s)
      const authentication = secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret)
      const options = { [oauth.allowInsecureRequests]: true }
      const response = await oauth.deviceAuthorizationRequest(as, { client_id }, authentication, { scope }, options)
      return oauth.processDeviceAuthorizationResponse(as, { client_id }, response)
    },
    async grant(s, client_id, type, form, signed) {
      const as = serverMetadata(s)
      const made = signed && (await signer(s, client_id, signed))
      const authentication = made
        ? oauth.PrivateKeyJwt(made.key, { [oauth.modifyAssertion]: made.change })
        : oauth.None()
      const options = { [oauth.allowInsecureRequests]: true }
      const response = await oauth.genericTokenEndpointRequest(as, { client_id }, authentication, type, form, options)
      return oauth.processGenericTokenEndpointResponse(as, { client_id }, response)
    },
  },
  'openid-client': {
    async device(s, client_id, scope, secret) {
      const authentication = secret === undefined ? openid.None() : openid.ClientSecretPost(secret)
      const configuration = new openid.Configuration(serverMetadata(s), client_id, undefined, authentication)
      openid.allowInsecureRequests(configuration)
      return openid.initiateDeviceAuthorization(configuration, { scope })
    },
    async grant(s, client_id, type, form, signed) {
      const made = signed && (await signer(s, client_id, signed))
      const authentication = made
        ? openid.PrivateKeyJwt(made.key, { [openid.modifyAssertion]: made.change })
        : openid.None()
      const configuration = new openid.Configuration(serverMetadata(s), client_id, undefined, authentication)
      openid.allowInsecureRequests(configuration)
      return openid.genericGrantRequest(configuration, type, form)
    },
  },
}

const acted = { subject_token: 'robin@acme.example', subject_token_type: userEmailType, audience: 'acme' }
const exchange =
  (form: Record<string, string> = {}, signed: (s: OAuthServer) => Assertion = () => ({}), client_id = 'minter') =>
  (library: Library, s: OAuthServer) =>
    library.grant(s, client_id, exchangeGrant, { ...acted, ...form }, signed(s))
const device =
  (client_id: string, scope = 'read_builds', secret?: string) =>
  (library: Library, s: OAuthServer) =>
    library.device(s, client_id, scope, secret)
const poll =
  (before: (s: OAuthServer, user_code: string, ask: () => Promise<unknown>) => unknown = () => {}) =>
  async (library: Library, s: OAuthServer) => {
    const { device_code, user_code } = await s.start()
    const ask = () => library.grant(s, 'public', deviceGrant, { device_code })
    await before(s, user_code, () => ask().catch(() => {}))
    return ask()
  }

/** Every refusal that the API documents for its OAuth endpoints. */
const refusals: readonly [string, string, RegExp, (library: Library, s: OAuthServer) => Promise<unknown>][] = [
  ['authorization_pending', 'while nobody has acted', /./, poll()],
  ['slow_down', 'to a poll too fast', /./, poll((_s, _code, ask) => ask())],
  ['access_denied', 'after a no', /./, poll((s, code) => s.deny(code))],
  ['expired_token', 'after 600 s', /./, poll((s) => s.clock.advance(600_000))],
  [
    'invalid_grant',
    'to an unknown code',
    /./,
    (library, s) => library.grant(s, 'public', deviceGrant, { device_code: 'x' }),
  ],
  ['invalid_client', 'to an unknown client', /./, device('nobody')],
  ['invalid_client', 'to a disabled application', /./, device('disabled')],
  ['invalid_client', 'to a confidential client without its secret', /./, device('confidential')],
  ['invalid_client', 'to one with another secret', /./, device('confidential', 'read_builds', 'wrong')],
  ['invalid_scope', 'to an unknown scope', /./, device('public', 'no_such_scope')],
  ['invalid_scope', 'to an empty scope', /./, device('public', '')],
  ['invalid_client', 'to another key', /signature/i, exchange({}, () => ({ key: otherKey }))],
  [
    'invalid_client',
    'to another aud',
    /aud claim/i,
    exchange({}, () => ({ claims: { aud: 'https://other.example' } })),
  ],
  [
    'invalid_client',
    'to an assertion of the past',
    /exp claim/i,
    exchange({}, (s) => ({ claims: { iat: s.seconds - 300, exp: s.seconds - 60 } })),
  ],
  [
    'invalid_client',
    'to a jti used before',
    /already been used/i,
    async (library, s) => {
      const once = exchange({}, () => ({ claims: { jti: 'once' } }))
      await once(library, s)
      return once(library, s)
    },
  ],
  [
    'invalid_client',
    'to none where the organization wants one',
    /jti claim/i,
    exchange({ audience: 'strict' }, () => ({ claims: { jti: undefined } })),
  ],
  ['invalid_request', 'for somebody who is no member', /member/i, exchange({ subject_token: 'outsider@acme.example' })],
  [
    'invalid_scope',
    'above the grantable scopes',
    /exceed/i,
    exchange({ scope: 'write_builds' }, () => ({ key: otherKey }), 'other'),
  ],
  ['invalid_target', 'to another audience', /audience/i, exchange({ audience: 'nowhere' })],
  ['unsupported_grant_type', 'where exchange is off', /not enabled/i, exchange({ audience: 'off' })],
]

describe.each(Object.entries(libraries))('%s reads every documented refusal', (_name, library) => {
  test.each(refusals)('%s %s', async (error, _when, description, act) => {
    await using s = await startServer()
    await s.server.listen()
    await expect(act(library, s)).rejects.toMatchObject({
      error,
      error_description: expect.stringMatching(description),
    })
  })

  test('but for server_error: a 503 is to it no answer of this protocol, and it hands on the answer, unread', async () => {
    await using s = await startServer()
    await s.server.listen()
    await s.control('POST', '/rules', { match: { operation: 'oauth.token' }, actions: [{ preset: 'unavailable' }] })
    const error = await library.grant(s, 'public', deviceGrant, { device_code: 'x' }).catch((reason: unknown) => reason)
    const { code, cause } = error as { code: string; cause: Response }
    expect([code, cause.status, Number(cause.headers.get('retry-after')) > 0]).toEqual([
      'OAUTH_RESPONSE_IS_NOT_CONFORM',
      503,
      true,
    ])
    expect(await cause.json()).toMatchObject({ error: 'server_error' })
  })
})
