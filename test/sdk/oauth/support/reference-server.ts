import {
  createMockServer,
  type MockServer,
  type SeedDocument,
  VirtualClock,
} from '@buildwire/mock-server'
import { type AssertionSigner, fetchTransport, publicJwks, type Transport } from '@buildwire/sdk'

export const startedAt = '2026-03-01T09:00:00Z'

const scopes = ['read_builds', 'write_builds', 'read_suites', 'read_user', 'read_organizations']

const seed = (signers: readonly AssertionSigner[]): SeedDocument => ({
  version: 1,
  users: ['ada', 'bob'].map((name) => ({ email: `${name}@acme.example`, name })),
  organizations: [
    {
      slug: 'acme',
      name: 'Acme',
      members: [{ user: 'ada@acme.example', role: 'admin' }, { user: 'bob@acme.example' }],
      pipelines: [
        {
          slug: 'web',
          repository: 'git@git.example:acme/web.git',
          steps: [{ command: 'npm test', key: 'test' }],
          builds: [{ state: 'passed', branch: 'main', commit: 'c0ffee' }],
        },
      ],
    },
    {
      slug: 'off',
      name: 'Off',
      tokenExchangeEnabled: false,
      members: [{ user: 'ada@acme.example' }],
    },
  ],
  applications: [
    { kind: 'device', client_id: 'cli', name: 'Terminal' },
    {
      kind: 'device',
      client_id: 'kiosk',
      name: 'Kiosk',
      clientType: 'confidential',
      client_secret: 'kiosk-secret-of-length',
    },
    {
      kind: 'device',
      client_id: 'renewing',
      name: 'Renewing',
      accessTokenTtlSeconds: 900,
      refreshTokens: true,
    },
    ...(signers.length === 0
      ? []
      : [
          {
            kind: 'token_exchange' as const,
            client_id: 'release-bot',
            name: 'Release bot',
            jwks: publicJwks(signers),
            grantableScopes: scopes,
            defaultScopes: ['read_builds'],
          },
        ]),
  ],
})

/**
 * The reference server in this process, on a clock that the test moves, and the requests that
 * reached it.
 */
export class ReferenceServer implements AsyncDisposable {
  readonly server: MockServer
  readonly clock: VirtualClock
  readonly seen: { path: string; form: URLSearchParams; status: number }[] = []
  readonly transport: Transport

  constructor(signers: readonly AssertionSigner[] = []) {
    this.clock = new VirtualClock({ now: startedAt })
    this.server = createMockServer({ seed: seed(signers), clock: this.clock, strict: true })
    this.transport = fetchTransport(() => async (url, init) => {
      const response = await this.server.fetch(new Request(url, init))
      const form = new URLSearchParams(typeof init.body === 'string' ? init.body : '')
      this.seen.push({ path: new URL(url).pathname, form, status: response.status })
      return response
    })
  }

  get authUrl(): string {
    return this.server.authUrl
  }

  count(path: string, grant?: string): number {
    return this.seen.filter(
      (one) =>
        one.path === path && (grant === undefined || one.form.get('grant_type')?.endsWith(grant)),
    ).length
  }

  async control(path: string, body: object): Promise<void> {
    const request = new Request(`${this.server.baseUrl}/_control${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.server.controlToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    const response = await this.server.fetch(request)
    if (!response.ok)
      throw new Error(`control ${path}: ${response.status} ${await response.text()}`)
  }

  approve(user_code: string): Promise<void> {
    return this.control(`/device-authorizations/${user_code}/approve`, {
      user: 'ada@acme.example',
      org_slug: 'acme',
    })
  }

  deny(user_code: string): Promise<void> {
    return this.control(`/device-authorizations/${user_code}/deny`, { user: 'ada@acme.example' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close()
  }
}
