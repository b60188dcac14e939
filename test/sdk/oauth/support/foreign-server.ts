import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AssertionSigner, publicJwks } from '@buildwire/sdk'
import { Provider } from 'oidc-provider'

/**
 * An OAuth server that is not ours, at our two paths: it says whether we speak the RFCs or only our
 * own dialect.
 */
export class ForeignServer implements AsyncDisposable {
  readonly authUrl: string
  readonly #provider: Provider
  readonly #server: Server

  private constructor(authUrl: string, provider: Provider, server: Server) {
    this.authUrl = authUrl
    this.#provider = provider
    this.#server = server
  }

  static async start(signers: readonly AssertionSigner[] = []): Promise<ForeignServer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const device = {
      token_endpoint_auth_method: 'none',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      response_types: [],
      redirect_uris: [],
    }
    const exchange = {
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
      response_types: [],
      redirect_uris: [],
      jwks: publicJwks(signers),
    }
    const provider = new Provider(authUrl, {
      clients: [
        { client_id: 'cli', ...device },
        {
          client_id: 'kiosk',
          ...device,
          client_secret: 'kiosk-secret',
          token_endpoint_auth_method: 'client_secret_post',
        },
        ...signers.map(({ alg }) => ({
          client_id: `bot-${alg}`,
          ...exchange,
          token_endpoint_auth_signing_alg: alg,
        })),
      ],
      features: { deviceFlow: { enabled: true }, devInteractions: { enabled: false } },
      routes: {
        device_authorization: '/oauth/device_authorization',
        token: '/oauth/token',
        code_verification: '/oauth/device',
      },
      scopes: ['openid', 'offline_access'],
      issueRefreshToken: async () => true,
      rotateRefreshToken: true,
      findAccount: async (_: unknown, accountId: string) => ({
        accountId,
        claims: async () => ({ sub: accountId }),
      }),
    })
    provider.registerGrantType(
      'urn:ietf:params:oauth:grant-type:token-exchange',
      async (context) => {
        const { subject_token, subject_token_type, audience, scope, expires_in } =
          context.oidc.params
        // By now the server has verified our client assertion against the registered keys.
        context.body = {
          access_token: Buffer.from(
            [context.oidc.client.clientId, subject_token, audience].join(' '),
          ).toString('base64url'),
          issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          token_type: 'Bearer',
          expires_in: Number(expires_in ?? 600),
          scope: `${scope ?? 'default'} ${subject_token_type?.split(':').at(-1)}`,
        }
      },
      ['subject_token', 'subject_token_type', 'audience', 'scope', 'expires_in'],
    )
    server.on('request', provider.callback())
    return new ForeignServer(authUrl, provider, server)
  }

  /** What the server's pages do when the user says yes. */
  async approve(user_code: string, client_id: string): Promise<void> {
    const code = await this.#provider.DeviceCode.findByUserCode(user_code.replaceAll('-', ''))
    if (code === undefined) throw new Error(`no device code ${user_code}`)
    const grant = new this.#provider.Grant({ accountId: 'ada', clientId: client_id })
    grant.addOIDCScope('openid offline_access')
    Object.assign(code, {
      accountId: 'ada',
      grantId: await grant.save(),
      scope: code.params.scope,
      claims: {},
    })
    await code.save(code.remainingTTL)
  }

  /** And when the user says no. */
  async deny(user_code: string): Promise<void> {
    const code = await this.#provider.DeviceCode.findByUserCode(user_code.replaceAll('-', ''))
    if (code === undefined) throw new Error(`no device code ${user_code}`)
    Object.assign(code, {
      error: 'access_denied',
      errorDescription: 'End-User aborted interaction',
    })
    await code.save(code.remainingTTL)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}
