import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import {
  accessTokenType,
  confidentialSecret,
  ec,
  exchangeGrant,
  type OAuthServer,
  rsa,
  startServer,
  userEmailType,
} from './harness.js'

const privateKey = (key: typeof ec): Promise<CryptoKey> => {
  const algorithm =
    key.alg === 'ES256'
      ? { name: 'ECDSA', namedCurve: 'P-256' }
      : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  return crypto.subtle.importKey(
    'pkcs8',
    key.privateKey.export({ type: 'pkcs8', format: 'der' }),
    algorithm,
    false,
    ['sign'],
  )
}

/**
 * A server on a port and on the host's clock: these clients read the time and the network
 * themselves.
 */
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
    const configuration = new openid.Configuration(
      serverMetadata(s),
      client_id,
      undefined,
      authentication,
    )
    openid.allowInsecureRequests(configuration)
    return configuration
  }

  test.each([
    ['public', 'refreshing', openid.None()],
    [
      'confidential by body',
      'refreshing-confidential',
      openid.ClientSecretPost(confidentialSecret),
    ],
    [
      'confidential by Basic',
      'refreshing-confidential',
      openid.ClientSecretBasic(confidentialSecret),
    ],
  ])('device grant and refresh: %s', async (_name, client_id, authentication) => {
    await using s = await listening()
    const configuration = configure(s, client_id, authentication)
    const device = await openid.initiateDeviceAuthorization(configuration, { scope: 'read_builds' })
    await s.approve(device.user_code)
    const tokens = await openid.pollDeviceAuthorizationGrant(configuration, {
      ...device,
      interval: 0,
    })
    expect(tokens.access_token).toMatch(/^bwua_/)
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect((await s.api('/v2/builds', refreshed.access_token)).status).toBe(200)
    expect(
      s.persistence.values('accessTokens').filter(({ kind }) => kind === 'device'),
    ).toHaveLength(2)
  })

  test.each([rsa, ec])('token exchange with private_key_jwt, $alg', async (key) => {
    await using s = await listening()
    const authentication = openid.PrivateKeyJwt(
      { key: await privateKey(key), kid: key.kid },
      // The aud of the assertion is the token endpoint, not the issuer.
      {
        [openid.modifyAssertion]: (_header, claims) =>
          void Object.assign(claims, { aud: s.tokenUrl }),
      },
    )
    const configuration = configure(s, 'minter', authentication)
    const tokens = await openid.genericGrantRequest(configuration, exchangeGrant, {
      subject_token: 'robin@acme.example',
      subject_token_type: userEmailType,
      audience: 'acme',
      scope: 'read_builds',
    })
    expect(tokens).toMatchObject({
      issued_token_type: accessTokenType,
      token_type: 'bearer',
      expires_in: 3600,
    })
    expect((await s.api('/v2/builds', tokens.access_token)).status).toBe(200)
    expect(
      s.persistence.values('accessTokens').filter(({ kind }) => kind === 'exchange'),
    ).toHaveLength(1)
  })
})

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  test.each([
    ['public', 'refreshing', oauth.None()],
    ['confidential by body', 'refreshing-confidential', oauth.ClientSecretPost(confidentialSecret)],
    [
      'confidential by Basic',
      'refreshing-confidential',
      oauth.ClientSecretBasic(confidentialSecret),
    ],
  ])('device grant and refresh: %s', async (_name, client_id, authentication) => {
    await using s = await listening()
    const as = serverMetadata(s)
    const client = { client_id }
    const started = await oauth.processDeviceAuthorizationResponse(
      as,
      client,
      await oauth.deviceAuthorizationRequest(
        as,
        client,
        authentication,
        { scope: 'read_builds' },
        insecure,
      ),
    )
    const poll = async () =>
      oauth.processDeviceCodeResponse(
        as,
        client,
        await oauth.deviceCodeGrantRequest(
          as,
          client,
          authentication,
          started.device_code,
          insecure,
        ),
      )
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 })
    await expect(poll()).rejects.toMatchObject({ error: 'slow_down', status: 400 })
    await s.approve(started.user_code)
    const tokens = await poll()
    await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(
        as,
        client,
        authentication,
        tokens.refresh_token ?? '',
        insecure,
      ),
    )
    expect((await s.api('/v2/builds', refreshed.access_token)).status).toBe(200)
    expect(
      s.persistence.values('accessTokens').filter(({ kind }) => kind === 'device'),
    ).toHaveLength(2)
  })

  test('the error for an unknown client is one that the library reads', async () => {
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

  test('a server_error has status 503, which the library passes on without reading it', async () => {
    await using s = await listening()
    await s.control('POST', '/rules', {
      match: { operation: 'oauth.token' },
      actions: [{ preset: 'unavailable' }],
    })
    const as = serverMetadata(s)
    const client = { client_id: 'public' }
    const response = await oauth.deviceCodeGrantRequest(as, client, oauth.None(), 'x', insecure)
    const error = await oauth
      .processDeviceCodeResponse(as, client, response)
      .catch((reason: unknown) => reason)
    const { code, cause } = error as { code: string; cause: Response }
    expect([code, cause.status]).toEqual(['OAUTH_RESPONSE_IS_NOT_CONFORM', 503])
    expect(await cause.json()).toMatchObject({ error: 'server_error' })
  })
})
