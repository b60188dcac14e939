import { createMockServer, type MockServer, type MockServerOptions } from '@buildwire/mock-server'
import { expect } from 'vitest'

export const controlToken = 'control-token-of-the-tests'

export const acmeSeed = {
  users: [
    { email: 'robin@acme.example', name: 'Robin' },
    { email: 'sam@acme.example', name: 'Sam' },
  ],
  organizations: [
    {
      slug: 'acme',
      members: [
        { user: 'robin@acme.example', role: 'admin' },
        { user: 'sam@acme.example', role: 'member' },
      ],
      pipelines: [
        {
          slug: 'web',
          steps: [
            { command: 'make lint', key: 'lint' },
            { wait: true },
            { command: 'make test', key: 'test' },
            { block: 'Deploy?', key: 'gate' },
            { command: 'make deploy', key: 'deploy' },
          ],
        },
        { slug: 'api', steps: [{ command: 'make', key: 'make' }] },
      ],
      suites: [{ slug: 'web-unit', tests: [{ scope: 'Cart', name: 'adds' }] }],
    },
  ],
  applications: [{ kind: 'device', name: 'Laptop', client_id: 'laptop', refreshTokens: true }],
  accessTokens: [
    {
      name: 'admin',
      user: 'robin@acme.example',
      scopes: ['read_builds', 'write_builds', 'read_build_logs', 'read_suites', 'write_suites'],
    },
  ],
} as const satisfies MockServerOptions['seed']

/** The records that let an application with this key set exchange assertions for tokens of acme. */
export const exchangeFor = (
  jwks: { readonly keys: readonly object[] },
  grantableScopes = ['read_builds'],
) => ({
  organizations: [{ slug: 'acme', tokenExchangeEnabled: true }],
  applications: [
    {
      kind: 'token_exchange' as const,
      name: 'Bot',
      client_id: 'bot',
      jwks: { keys: [...jwks.keys] },
      grantableScopes,
      defaultScopes: ['read_builds'],
    },
  ],
})

/** A server for one test, on a frozen clock, that checks its own responses. */
export const acmeServer = (options: MockServerOptions = {}): MockServer =>
  createMockServer({
    seed: acmeSeed,
    strict: true,
    controlToken,
    ...options,
  })

export interface ControlAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly body: any
  readonly headers: Headers
}

/** Parts of a refusal by the control API: for a value at a path, and for a missing record. */
export const invalid = (path: string, message: unknown = expect.any(String)) => ({
  status: 422,
  body: { errors: [{ path, message }] },
})
export const missing = (noun: string) => ({ status: 404, body: { message: `No ${noun} found` } })

interface Reachable {
  readonly baseUrl: string
  fetch(request: Request, info?: { readonly ip?: string }): Promise<Response>
}

/** Calls the API with a token, in process. */
export const apiOver =
  (server: Reachable, token: string | null) =>
  async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ControlAnswer> => {
    const response = await server.fetch(
      new Request(server.baseUrl + path, {
        method,
        headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      headers: response.headers,
    }
  }

/** Calls the control API over HTTP, in process. */
export const controlOver = (
  server: Reachable,
  token: string | null = controlToken,
): ReturnType<typeof apiOver> => {
  const ask = apiOver(server, token)
  return (method, path, ...rest) => ask(method, `/_control${path}`, ...rest)
}

export const adminToken = async (server: MockServer): Promise<string> =>
  (await server.ready()).accessTokens['admin'] ?? ''
